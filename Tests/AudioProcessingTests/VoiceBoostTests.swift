// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Glibc
import Media
import Testing

@Suite("Voice boost")
struct VoiceBoostTests {
    private static let rate = 16000

    private static func boosted(
        _ samples: [Float], channels: Int = 1, blocks: [Int] = [1152], target: Double = -16
    ) -> MappedAudio {
        var boost = VoiceBoost(format: AudioFormat(sampleRate: rate, channels: channels), target: target)
        return boost.output(samples, channels: channels, blocks: blocks)
    }

    /// Returns the gain in dB of a mono tone after the compressor has settled.
    private static func gain(level: Double, frequency: Double = 500) -> Double {
        let tone = LoudnessSignals.tone(level, seconds: 1.5, sampleRate: rate, channels: 1, frequency: frequency)
        let output = boosted(tone).samples
        let power = { (samples: ArraySlice<Float>) in samples.reduce(0) { $0 + Double($1 * $1) } }
        return 10 * log10(power(output[20000...]) / power(tone[20000...]))
    }

    /// Frequencies in Hz with the gain relative to 500 Hz, for a level below the threshold.
    @Test(
        "Rumble is attenuated, and presence is amplified",
        arguments: [(20.0, -24.1), (80, -3.0), (3000, 2.4)])
    func response(frequency: Double, expected: Double) {
        let gain = Self.gain(level: -50, frequency: frequency) - Self.gain(level: -50)
        #expect(abs(gain - expected) < 0.3)
    }

    /// Levels in LUFS without K-weighting, for a target of −16, with the gain: 4.8 dB of make-up, less 0.6 dB for
    /// each dB above the threshold of −22.
    @Test(
        "The compressor keeps a level 2 dB above the target, amplifies lower levels and attenuates higher ones",
        arguments: [(-50.0, 4.8), (-30, 4.8), (-22, 4.2), (-14, 0), (-11, -1.8), (-6, -4.8)])
    func curve(level: Double, expected: Double) {
        // A mono tone that peaks at 0 dBFS has −0.691 LUFS: −3.01 dB for its mean square, +3.01 for two speakers.
        #expect(abs(Self.gain(level: level + 0.691) - expected) < 0.25)
    }

    @Test("Sound that begins in its middle begins with its gain", arguments: [(-6.0, -16.0), (-6, -20)])
    func beginning(level: Double, target: Double) {
        let tone = LoudnessSignals.tone(level, seconds: 1, sampleRate: Self.rate, channels: 1, frequency: 500)
        let output = Self.boosted(tone, target: target).samples
        let peak = { (samples: ArraySlice<Float>) in samples.reduce(0) { max($0, abs($1)) } }
        // Given the louder of the tone and its settled result, no sample after 1 ms exceeds it.
        let settled = max(peak(tone[12000...]), peak(output[12000...]))
        #expect(peak(output[..<12000]) < settled * 1.05)
        #expect(peak(output[48..<400]) < peak(output[12000...]) * 1.12)
    }

    @Test("The threshold follows the target")
    func target() {
        let tone = LoudnessSignals.tone(-20, seconds: 1, sampleRate: Self.rate, channels: 1)
        let (quiet, loud) = (Self.boosted(tone, target: -23).samples, Self.boosted(tone, target: -14).samples)
        #expect(abs(quiet[12000...].max() ?? 0) < abs(loud[12000...].max() ?? 0))
    }

    @Test("Mono and its copies in stereo get the same gain")
    func linked() {
        let samples = LoudnessSignals.noise(8000)
        let stereo = Self.boosted(LoudnessSignals.repeated(samples, channels: 2), channels: 2).samples
        #expect(stereo == LoudnessSignals.repeated(Self.boosted(samples).samples, channels: 2))
    }

    @Test("A loud channel lowers the gain of the others")
    func linkedGain() {
        let quiet = LoudnessSignals.tone(-40, seconds: 0.5, sampleRate: Self.rate, channels: 1)
        let loud = quiet.map { $0 * 50 }
        let samples = zip(quiet, loud).flatMap { [$0, $1] }
        let output = Self.boosted(samples, channels: 2).samples
        #expect((7000..<7100).allSatisfy { abs(output[2 * $0 + 1] - 50 * output[2 * $0]) < 1e-3 })
    }

    @Test("The output does not depend on how the input is divided", arguments: [1, 2, 3])
    func division(channels: Int) {
        let samples = LoudnessSignals.noise(4000 * channels)
        let whole = Self.boosted(samples, channels: channels, blocks: [.max])
        let divided = Self.boosted(samples, channels: channels, blocks: [1, 7, 500])
        #expect(whole.samples == divided.samples)
        #expect(whole.pieces == divided.pieces)
    }

    @Test("Nothing is held back, and frames keep their pieces")
    func pieces() {
        let samples = LoudnessSignals.noise(3000)
        let output = Self.boosted(samples)
        #expect(output.pieces == MappedAudio(samples, channels: 1).pieces)
    }

    @Test("NaN and infinite samples count as silence, and the output is finite")
    func notFinite() {
        var samples = LoudnessSignals.noise(4000)
        for place in stride(from: 50, to: 4000, by: 333) { samples[place] = 0 }
        let silent = Self.boosted(samples).samples
        for place in stride(from: 50, to: 4000, by: 333) { samples[place] = place % 2 == 0 ? .nan : .infinity }
        #expect(Self.boosted(samples).samples == silent)
        let extreme = Self.boosted([Float](repeating: .greatestFiniteMagnitude, count: 1000)).samples
        #expect(extreme.allSatisfy { $0.isFinite })
    }

    @Test("Silence stays silence")
    func silence() {
        let samples = [Float](repeating: 0, count: 4000)
        #expect(Self.boosted(samples).samples == samples)
    }
}
