// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import Testing

@Suite("PauseShortener: state")
struct PauseShortenerStateTests {
    private static let pause: SyntheticSpeech = {
        var pause = SyntheticSpeech(seed: 2)
        pause.addWord(160)
        pause.add(700)
        pause.addWord(160)
        return pause
    }()

    /// The frames of `pause` until 560 ms of the pause have passed.
    private static let part = Array(pause.samples[..<5760])

    @Test("A restart keeps the levels and savedFrames, and drops the frames that are held back")
    func restart() {
        var stage = PrimedStage.make(.medium)
        let first = stage.run(Self.pause.samples, from: 80_000, finish: false)
        let saved = stage.savedFrames
        #expect(first.cuts.count == 1)
        #expect(stage.run(Self.part, from: 160_000, finish: false).samples.count < Self.part.count)
        stage.restart()
        #expect(stage.savedFrames == saved)
        let second = stage.run(Self.pause.samples, from: 240_000)
        #expect(second.represents(240_000..<240_000 + Self.pause.frames))
        #expect(stage.savedFrames == 2 * saved)
    }

    @Test("A gap in the source ends a pause without a cut")
    func gap() {
        var stage = PrimedStage.make(.medium)
        let start = PrimedStage.start
        let before = stage.run(Self.part, from: start, finish: false)
        let after = stage.run(Array(Self.pause.samples[Self.part.count...]), from: start + 50_000)
        #expect(before.samples + after.samples == Self.pause.samples)
        #expect(after.pieces.last?.sourceFrame == start + 50_000)
        #expect(stage.savedFrames == 0)
    }

    @Test("A piece that is not plain passes unchanged")
    func stretched() {
        var stage = PauseShortener(.strong, rate: 8000, channels: 1)
        var input = MappedAudio(channels: 1)
        let piece = MappedAudio.Piece(sourceFrame: 7, sourceFrames: 200, frames: 100)
        [Float](repeating: 0.5, count: 100).withUnsafeBufferPointer { input.append($0, as: piece) }
        var output = MappedAudio(channels: 1)
        stage.process(input, into: &output)
        #expect(output.pieces == [piece])
        #expect(output.withSamples { $0.allSatisfy { $0 == 0.5 } })
    }

    @Test("The stage holds nothing back in speech, and less than 0.5 s in a pause")
    func holdBack() {
        var speech = SyntheticSpeech()
        speech.addWord(560)
        var stage = PrimedStage.make(.mild)
        #expect(stage.run(speech.samples, from: PrimedStage.start, finish: false).samples.count == 4480)
        var noise = SyntheticSpeech()
        noise.add(490)
        let pause = stage.run(noise.samples, from: PrimedStage.start + 4480, finish: false)
        #expect(pause.samples.count < 3920)
        #expect(3920 - pause.samples.count < 4000)
    }

    @Test("The trimming can change between pauses")
    func change() {
        var stage = PrimedStage.make(.off)
        var start = PrimedStage.start
        let removed = SilenceTrimming.allCases.map { trimming in
            stage.trimming = trimming
            defer { start += Self.pause.frames }
            return stage.run(Self.pause.samples, from: start, finish: false).removed
        }
        #expect(removed[0] == 0)
        #expect(zip(removed, removed.dropFirst()).allSatisfy(<))
    }

    @Test("Samples that are not finite numbers pass, and the detection recovers")
    func notFinite() {
        var stage = PrimedStage.make(.medium)
        var start = PrimedStage.start
        for value in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
            let samples = [Float](repeating: value, count: 400)
            #expect(stage.run(samples, from: start, finish: false).samples.count == 400)
            start += 400
        }
        #expect(stage.run(Self.pause.samples, from: start).cuts.count == 1)
    }
}
