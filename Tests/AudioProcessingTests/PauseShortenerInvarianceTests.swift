// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import Testing

@Suite("PauseShortener: independence")
struct PauseShortenerInvarianceTests {
    private static let speech: SyntheticSpeech = {
        var speech = SyntheticSpeech(seed: 5)
        for pause in [610, 350, 1900, 520, 540, 560] {
            speech.addWord(160)
            speech.add(pause)
        }
        speech.addWord(160)
        return speech
    }()

    @Test("The output does not depend on the division of the input", arguments: [SilenceTrimming.mild, .strong])
    func division(trimming: SilenceTrimming) {
        let runs = [1 << 20, 7].map { block in
            var stage = PrimedStage.make(trimming)
            return stage.run(Self.speech.samples, from: PrimedStage.start, block: block)
        }
        #expect(runs[0].samples == runs[1].samples)
        #expect(runs[0].pieces == runs[1].pieces)
    }

    @Test("The cuts do not depend on the gain")
    func gain() {
        var speech = SyntheticSpeech()
        speech.addWords(5)
        speech.addWord(160)
        let pieces = ([1, 0.0625] as [Float]).map { gain in
            var stage = PauseShortener(.medium, rate: 8000, channels: 1)
            let samples = (speech.samples + Self.speech.samples).map { $0 * gain }
            return stage.run(samples, from: 0).pieces
        }
        #expect(pieces[0] == pieces[1])
        #expect(pieces[0].count == 11)
    }

    @Test("Channels of opposite polarity do not hide the speech")
    func polarity() {
        var speech = SyntheticSpeech()
        speech.addWords(5)
        let mono = speech.samples + Self.speech.samples
        var stage = PauseShortener(.medium, rate: 8000, channels: 2)
        #expect(stage.run(mono.flatMap { [$0, -$0] }, channels: 2, from: 0).cuts.count == 5)
    }

    @Test("Six channels at 12 kHz are shortened like one channel")
    func channels() {
        var speech = SyntheticSpeech(rate: 12_000)
        speech.addWords(5)
        speech.add(600)
        speech.addWord(160)
        let samples = speech.samples.flatMap { Array(repeating: $0, count: 6) }
        var stage = PauseShortener(.medium, rate: 12_000, channels: 6)
        let run = stage.run(samples, channels: 6, from: 0)
        #expect(run.represents(0..<speech.frames))
        #expect(abs(run.removed / 12 - 270) <= 16)
    }

    @Test("Short input of each rate passes unchanged", arguments: [1, 100, 8000, 44_100, 192_000, 768_000])
    func anyRate(rate: Int) {
        let samples = (0..<2000).map { Float($0 % 100) / 100 }
        var stage = PauseShortener(.strong, rate: rate, channels: 2)
        let run = stage.run(samples, channels: 2, from: 0, block: 333)
        #expect(run.samples == samples)
        #expect(run.represents(0..<1000))
    }
}
