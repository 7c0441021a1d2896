// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

/// The expected samples of a voice, computed frame by frame from the start of the buffer.
private struct ModelVoice {
    let start: Int
    let samples: [Float]
    let gain: Float
    var stop: Int?

    init(start: Int, buffer: [Float], loop: SampleLoop?, gain: Float) {
        var played = buffer
        if let loop, let times = loop.times {
            let end = loop.end ?? buffer.count
            let section = Array(repeating: Array(buffer[loop.start..<end]), count: times).flatMap { $0 }
            played = Array(buffer[..<loop.start]) + section + Array(buffer[end...])
        }
        (self.start, samples, self.gain) = (start, played, gain)
    }

    func sample(at frame: Int, fade: Int) -> Double {
        guard frame >= start, frame - start < samples.count, stop ?? .max > start else { return 0 }
        let plain = Double(samples[frame - start]) * Double(gain)
        guard let stop, frame >= stop else { return plain }
        return max(0, 1 - Double(frame - stop + 1) / Double(fade + 1)) * plain
    }
}

@Suite("Random voices") struct VoiceModelTests {
    @Test("Random voices sound like a model that plays each one separately, for any slices", arguments: 0..<40)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fade = 3
        let desk = SamplerFixture(channels: 1, voices: 1000, waiting: 1000, fade: fade)
        var model: [(id: VoiceID, voice: ModelVoice)] = []
        var output: [Float] = []
        while output.count < 1500 {
            if output.count < 1000, Bool.random(using: &random) {
                model.append(try start(&random, desk, now: output.count))
            }
            if let index = model.indices.randomElement(using: &random), Int.random(in: 0..<5, using: &random) == 0 {
                let frame = output.count + Int.random(in: 0...60, using: &random)
                desk.sampler.stop(model[index].id, at: .sampleTime(Int64(frame)))
                // A voice that is over or was stopped earlier stays unchanged.
                model[index].voice.stop = min(model[index].voice.stop ?? .max, frame)
            }
            output += desk.render(Int.random(in: 1...40, using: &random))
        }
        let expected = output.indices.map { frame in
            model.reduce(0) { $0 + $1.voice.sample(at: frame, fade: fade) }
        }
        #expect(zip(output, expected).allSatisfy { abs(Double($0) - $1) < 1e-3 })
        let ends = desk.ends()
        #expect(ends.count == model.count && Set(ends.map(\.voice)).count == ends.count)
    }

    private func start(
        _ random: inout SeededGenerator, _ desk: SamplerFixture, now: Int
    ) throws -> (VoiceID, ModelVoice) {
        let buffer = (0..<Int.random(in: 1...70, using: &random)).map { _ in Float.random(in: -1...1, using: &random) }
        let first = Int.random(in: 0..<buffer.count, using: &random)
        let end = Int.random(in: first + 1...buffer.count, using: &random)
        let times = Int.random(in: 1...4, using: &random)
        let loop = Bool.random(using: &random) ? SampleLoop(start: first, end: end, times: times) : nil
        let start = now + Int.random(in: 0...90, using: &random)
        let gain = Float.random(in: 0...2, using: &random)
        let id = try desk.sampler.start(sound(buffer), at: .sampleTime(Int64(start)), loop: loop, gain: gain)
        return (id, ModelVoice(start: start, buffer: buffer, loop: loop, gain: gain))
    }
}
