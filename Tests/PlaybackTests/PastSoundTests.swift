// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("The sound before a change of silence trimming")
struct PastSoundTests {
    private static let rate = 8000

    /// Speech of 7.5 s, a pause of 1.5 s, and speech of 9.4 s.
    private static let speech: [Float] = {
        var speech = SyntheticSpeech(rate: rate)
        speech.addWords(8)
        speech.add(1500)
        speech.addWords(10)
        return speech.samples
    }()

    /// A wave file with mono samples of 16 bits.
    private static let file: [UInt8] = {
        let sound = speech.flatMap { bytes(UInt32(UInt16(bitPattern: Int16($0 * 32_000))), 2) }
        let format = bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(8000, 4) + bytes(16_000, 4) + bytes(2, 2)
        let head = Array("WAVEfmt ".utf8) + format + bytes(16, 2) + Array("data".utf8) + bytes(UInt32(sound.count), 4)
        return Array("RIFF".utf8) + bytes(UInt32(head.count + sound.count), 4) + head + sound
    }()

    private static func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Plays the file to its end, with silence trimming from 7.2 s on.
    /// - Returns: the number of played frames.
    private static func played(_ commands: PlayerCommand...) -> Int {
        let stage = LoopStage()
        stage.append(MemoryByteSource(file))
        stage.say(.closePlaylist)
        stage.play(rate * 36 / 5)
        for command in commands { stage.say(command) }
        #expect(stage.playOut())
        return stage.sink.samples.count
    }

    @Test("The next pause is shortened, although no chain has heard the speech before it")
    func nextPause() {
        #expect(Self.played() == Self.speech.count)
        let trimmed = Self.played(.changeSound(SoundChanges(silenceTrimming: .strong)))
        #expect(trimmed < Self.speech.count - Self.rate * 9 / 10)
    }

    @Test("A target loudness that is set together with trimming does not matter")
    func withLoudness() {
        let loud = SoundChanges(silenceTrimming: .strong, loudness: .target(-14))
        #expect(Self.played(.changeSound(loud)) < Self.speech.count - Self.rate * 9 / 10)
    }

    @Test("Sound whose bytes are missing is not asked for")
    func missing() throws {
        let source = MemoryByteSource(Self.file, held: 20_000)
        var frames = 0
        var past = PastSound(
            source, before: .seconds(7), as: AudioFormat(sampleRate: Self.rate, channels: 1))
        try past.read { frames += $0.count }
        #expect(frames > 4000 && frames < 10_000)
        #expect(source.needs.isEmpty)
    }

    @Test("The sound is converted to the format of the output")
    func converted() throws {
        var (frames, heard) = (0, false)
        var past = PastSound(
            MemoryByteSource(Self.file), before: .seconds(3), as: AudioFormat(sampleRate: 48_000, channels: 2))
        try past.read { samples in
            frames += samples.count / 2
            heard = heard || samples.contains { abs($0) > 0.1 }
        }
        #expect(heard && abs(frames - 3 * 48_000) < 2000)
    }
}
