// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import Testing

@Suite("PauseShortener: lengths")
struct PauseShortenerLengthTests {
    @Test(
        "A pause keeps 240 ms and a part of the rest",
        arguments: [
            // trimming, length of the pause, length after shortening; milliseconds
            (SilenceTrimming.off, 900, 900), (.mild, 450, 450), (.mild, 600, 420), (.mild, 2000, 1000),
            (.medium, 350, 350), (.medium, 600, 330), (.medium, 2000, 600), (.strong, 250, 250),
            (.strong, 400, 256), (.strong, 900, 306), (.strong, 2000, 350),
        ])
    func length(trimming: SilenceTrimming, pause: Int, expected: Int) {
        let run = PrimedStage.run(trimming, pause: pause)
        #expect(abs(pause - run.removed / 8 - expected) <= 16)
        #expect(run.cuts.count == (pause == expected ? 0 : 1))
    }

    @Test("A pause keeps 120 ms next to each word")
    func margins() throws {
        let cut = try #require(PrimedStage.run(.strong, pause: 1000).cuts.first)
        let pause = PrimedStage.start + 1280..<PrimedStage.start + 9280
        // The cut is in the middle of a fade of 120 frames.
        let (first, last) = (cut.sourceFrame - 60, cut.sourceFrame + Int64(cut.sourceFrames) - 61)
        #expect(first - pause.lowerBound >= 960)
        #expect(pause.upperBound - last >= 960)
    }

    @Test("The pieces represent each source frame once, and savedFrames is the number of removed frames")
    func map() {
        var speech = SyntheticSpeech()
        for pause in [300, 700, 100, 1500] {
            speech.addWord(360)
            speech.add(pause)
        }
        speech.addWord(360)
        var stage = PrimedStage.make(.medium)
        let run = stage.run(speech.samples, from: PrimedStage.start)
        #expect(run.cuts.count == 2)
        #expect(run.represents(PrimedStage.start..<PrimedStage.start + speech.frames))
        #expect(run.samples.count == run.pieces.reduce(0) { $0 + $1.frames })
        #expect(stage.savedFrames == speech.frames - Int64(run.samples.count))
    }

    @Test("The frames outside a fade of 15 ms are those of the source, and the position passes the cut in its middle")
    func copies() throws {
        var speech = SyntheticSpeech()
        speech.addWord(160)
        speech.add(2500)
        speech.addWord(160)
        var stage = PrimedStage.make(.mild)
        let run = stage.run(speech.samples, from: PrimedStage.start)
        let cut = try #require(run.cuts.first)
        let middle = Int(cut.sourceFrame - PrimedStage.start)
        #expect(run.pieces.count == 3 && cut.frames == 1 && run.pieces[0].frames == middle)
        let (before, after) = (run.samples[..<(middle - 60)], run.samples[(middle + 60)...])
        #expect(before == speech.samples[..<(middle - 60)])
        #expect(Array(after) == Array(speech.samples.suffix(after.count)))
    }

    @Test("No step between samples in a cut exceeds those near it by more than a fifth", arguments: [0, 60] as [Float])
    func steps(hum: Float) throws {
        let run = PrimedStage.run(.mild, pause: 1500) { 0.001 * SyntheticSpeech.triangle(hum * $0) }
        let start = Int(try #require(run.cuts.first).sourceFrame - PrimedStage.start)
        let near = max(run.largestStep(start - 560..<start - 61), run.largestStep(start + 60..<start + 560))
        #expect(run.largestStep(start - 61..<start + 60) <= 1.2 * near)
    }

    @Test("A long pause is one cut")
    func longPause() {
        let run = PrimedStage.run(.medium, pause: 12_000)
        #expect(run.cuts.count == 1)
        #expect(abs(run.removed / 8 - 11_400) <= 16)
    }
}
