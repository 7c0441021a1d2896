// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import Testing

@Suite("PauseShortener: sound that stays")
struct PauseShortenerProtectionTests {
    @Test("Closures inside words stay")
    func closures() {
        var speech = SyntheticSpeech()
        for closure in stride(from: 60, through: 290, by: 23) {
            speech.addWord(160)
            speech.add(closure)
        }
        speech.addWord(160)
        var stage = PrimedStage.make(.strong)
        #expect(stage.run(speech.samples, from: PrimedStage.start).cuts.isEmpty)
    }

    @Test("A quiet note stays until it has faded away")
    func heldNote() {
        let note = PrimedStage.run(.strong, pause: 900) { time in
            0.012 * (1 - time) * SyntheticSpeech.triangle(262 * time)
        }
        #expect(note.cuts.isEmpty)
        #expect(PrimedStage.run(.strong, pause: 900).cuts.count == 1)
    }

    @Test("Rests in music stay, pauses in the speech after it do not")
    func music() {
        var music = SyntheticSpeech()
        music.addNotes(6, rest: 350)
        var stage = PrimedStage.make(.strong)
        _ = stage.run(music.samples, from: 0, finish: false)
        let second = stage.run(music.samples, from: music.frames, finish: false)
        #expect(second.cuts.isEmpty)
        var speech = SyntheticSpeech()
        speech.addWords(15)
        speech.add(600)
        speech.addWord(160)
        #expect(stage.run(speech.samples, from: 2 * music.frames).cuts.count == 1)
    }

    @Test("Rests between drums stay, pauses in the speech after them do not")
    func drums() {
        var drums = SyntheticSpeech()
        drums.addDrums(60, rest: 500)
        var stage = PauseShortener(.strong, rate: 8000, channels: 1)
        let music = stage.run(drums.samples, from: 0, finish: false)
        #expect(music.cuts.isEmpty)
        var speech = SyntheticSpeech()
        speech.addWords(20)
        speech.add(600)
        speech.addWord(160)
        #expect(stage.run(speech.samples, from: drums.frames).cuts.count == 1)
    }

    @Test("Rests between short notes that begin and end suddenly stay")
    func shortNotes() {
        var notes = SyntheticSpeech()
        for note in 0..<120 {
            let pitch: Float = [440, 466, 494, 415, 523][note % 5]
            notes.add(140) { time in 0.3 * SyntheticSpeech.triangle(pitch * time) }
            notes.add([90, 90, 500][note % 3])
        }
        var stage = PauseShortener(.strong, rate: 8000, channels: 1)
        #expect(stage.run(notes.samples, from: 0).cuts.isEmpty)
    }

    @Test("Drums after speech are soon not taken for speech")
    func drumsAfterSpeech() {
        var drums = SyntheticSpeech()
        drums.addDrums(20, rest: 120)
        drums.addDrums(20, rest: 500)
        var stage = PrimedStage.make(.strong)
        #expect(stage.run(drums.samples, from: PrimedStage.start).cuts.isEmpty)
    }

    @Test("Speech with some held vowels is still speech")
    func evenSpeech() {
        var speech = SyntheticSpeech()
        for _ in 0..<10 {
            speech.addWord(1000)
            speech.add(40)
            speech.add(400) { 0.3 * SyntheticSpeech.triangle(120 * $0) }
            speech.add(160)
        }
        speech.add(600)
        speech.addWord(160)
        var stage = PauseShortener(.strong, rate: 8000, channels: 1)
        #expect(stage.run(speech.samples, from: 0).cuts.count == 1)
    }

    @Test("A short silence in steady noise stays")
    func steadyNoise() {
        var noise = SyntheticSpeech()
        noise.add(5000, noise: 0.2)
        noise.add(350)
        noise.add(300, noise: 0.2)
        var stage = PauseShortener(.strong, rate: 8000, channels: 1)
        #expect(stage.run(noise.samples, from: 0).cuts.isEmpty)
    }

    @Test("The first 3 s of speech stay")
    func firstSpeech() {
        var speech = SyntheticSpeech()
        speech.addWords(3)
        speech.add(800)
        let early = speech.frames
        speech.addWords(3)
        speech.add(800)
        speech.addWord(160)
        var stage = PauseShortener(.strong, rate: 8000, channels: 1)
        let cuts = stage.run(speech.samples, from: 0).cuts
        #expect(cuts.count == 1)
        #expect(cuts.allSatisfy { $0.sourceFrame > early })
    }

    @Test("The first 2 s and the last 5 s of an item stay")
    func bothEnds() {
        var speech = SyntheticSpeech()
        for _ in 0..<8 {
            speech.addWord(560)
            speech.add(440)
        }
        var stage = PrimedStage.make(.strong)
        stage.itemFrames = speech.frames
        let run = stage.run(speech.samples, from: 0)
        #expect(run.cuts.map { $0.sourceFrame / 8000 } == [2])
    }

    @Test("A pause at the end stays, even if the length of the item is unknown")
    func end() {
        var pause = SyntheticSpeech()
        pause.add(900)
        var stage = PrimedStage.make(.strong)
        #expect(stage.run(pause.samples, from: PrimedStage.start).samples == pause.samples)
    }
}
