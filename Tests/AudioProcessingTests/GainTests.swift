// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Glibc
import Testing

@Suite("Gain stage")
struct GainTests {
    @Test("A gain of 0 dB leaves samples unchanged, bit for bit")
    func unity() {
        var stage = GainStage(sampleRate: 8000)
        let samples = LoudnessSignals.noise(8000, amplitude: 2)
        #expect(stage.output(samples, channels: 2).samples == samples)
    }

    @Test("A constant gain multiplies each sample", arguments: [-12.0, -3, 6, 12])
    func constant(gain: Double) {
        var stage = GainStage(gain: gain, sampleRate: 8000)
        let samples = LoudnessSignals.noise(1000)
        let ratio = Float(pow(10, gain / 20))
        let output = stage.output(samples, channels: 1).samples
        #expect(zip(samples, output).allSatisfy { abs($0 * ratio - $1) <= 1e-6 })
    }

    @Test("A change of the gain is a ramp of 100 ms in equal steps of dB")
    func ramp() {
        // given
        var stage = GainStage(sampleRate: 8000)
        var output = MappedAudio(channels: 1)
        // when
        stage.gain = 12
        stage.process(MappedAudio([Float](repeating: 1, count: 1000), channels: 1), into: &output)
        // then
        let levels = output.samples.map { 20 * log10(Double($0)) }
        #expect((0..<800).allSatisfy { abs(levels[$0] - 12 * Double($0 + 1) / 800) < 1e-4 })
        #expect(levels[800...].allSatisfy { abs($0 - 12) < 1e-5 })
    }

    @Test("A new gain during a ramp continues from the present gain, without a step")
    func rampAgain() throws {
        var stage = GainStage(sampleRate: 8000)
        var output = MappedAudio(channels: 1)
        for gain in [12.0, -12, 3, 0] {
            stage.gain = gain
            stage.process(MappedAudio([Float](repeating: 1, count: 300), channels: 1), into: &output)
        }
        stage.process(MappedAudio([Float](repeating: 1, count: 800), channels: 1), into: &output)
        // 24 dB in 800 frames are 0.35 % from one frame to the next.
        let samples = output.samples
        #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($1 / $0 - 1) < 0.004 })
        #expect(samples.last == 1)
    }

    @Test("The output does not depend on how the input is divided")
    func division() {
        let samples = LoudnessSignals.noise(6000)
        var (whole, divided) = (GainStage(sampleRate: 8000), GainStage(sampleRate: 8000))
        (whole.gain, divided.gain) = (5, 5)
        let output = whole.output(samples, channels: 3, blocks: [.max])
        let parts = divided.output(samples, channels: 3, blocks: [1, 7, 300])
        #expect(output.samples == parts.samples)
        #expect(output.pieces == parts.pieces)
    }

    @Test("NaN and infinite samples become 0, also those that the gain made infinite")
    func notFinite() {
        var stage = GainStage(gain: 6, sampleRate: 8000)
        let output = stage.output([.nan, .infinity, -.infinity, .greatestFiniteMagnitude], channels: 1)
        #expect(output.samples == [0, 0, 0, 0])
    }

    @Test("A gain that is NaN is ignored, and others are clamped to 60 dB")
    func clamped() {
        var stage = GainStage(gain: 3, sampleRate: 8000)
        stage.gain = .nan
        #expect(stage.gain == 3)
        stage.gain = .infinity
        #expect(stage.gain == 60)
        #expect(GainStage(gain: .nan, sampleRate: 8000).gain == 0)
    }

    @Test("After a restart the gain applies without a ramp")
    func restart() {
        var stage = GainStage(sampleRate: 8000)
        stage.gain = 20
        stage.restart()
        let samples = stage.output([0.05, 0.05], channels: 1).samples
        #expect(samples.allSatisfy { abs($0 - 0.5) < 1e-6 })
    }
}
