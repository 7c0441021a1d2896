// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media
import Playback
import Testing

@testable import TerminalInterface

@Suite("Lines of --commands")
struct CommandLinesTests {
    @Test(
        "A line is parsed as a command",
        arguments: [
            ("pause", PlayerCommand.pause), ("play", .play), ("toggle", .togglePause), (" next ", .next),
            ("play-now", .playNow), ("hurry", .playNow), ("chime", .chime),
            ("bookmark", .mark(note: nil)), ("bookmark the  song", .mark(note: "the song")),
            ("previous", .previous), ("quit", .stop), ("seek +30", .seek(.relative(.seconds(30)))),
            ("seek -10", .seek(.relative(.seconds(-10)))), ("seek 45:00", .seek(.absolute(.time(.seconds(2700))))),
            ("seek  75%", .seek(.absolute(.fraction(0.75)))), ("volume 80", .setVolume(0.8)),
            ("volume 150%", .setVolume(1.5)), ("volume +5", .changeVolume(by: 0.05)),
            ("volume -5%", .changeVolume(by: -0.05)),
            ("remove 1", .remove(.position(0))), ("remove #2", .remove(.position(1))),
            ("speed 1.5", .setSpeed(1.5)), ("speed 2x", .setSpeed(2)), ("speed +0.1", .changeSpeed(by: 0.1)),
            ("speed -0.25", .changeSpeed(by: -0.25)), ("sleep 30m", .setSleep(.after(.seconds(1800)))),
            ("trim-silence mild", .changeSound(SoundChanges(silenceTrimming: .mild))),
            ("trim-silence off", .changeSound(SoundChanges(silenceTrimming: .off))),
            ("loudness -16", .changeSound(SoundChanges(loudness: .target(-16)))),
            ("loudness 18.5", .changeSound(SoundChanges(loudness: .target(-18.5)))),
            ("loudness off", .changeSound(SoundChanges(loudness: .off))),
            ("voice-boost on", .changeSound(SoundChanges(boostsVoice: true))),
            ("voice-boost off", .changeSound(SoundChanges(boostsVoice: false))),
            ("sleep episode", .setSleep(.endOfItem(count: 1))), ("sleep episode 3", .setSleep(.endOfItem(count: 3))),
            ("sleep chapter", .setSleep(.endOfChapter(count: 1))),
            ("sleep chapter 2", .setSleep(.endOfChapter(count: 2))),
            ("next-chapter", .chapter(.next)), ("previous-chapter", .chapter(.previous)),
            ("chapter 3", .chapter(.number(3))), ("chapter #3", .chapter(.number(3))),
            ("chapter The  storm", .chapter(.title("The storm"))),
            ("sleep off", .setSleep(nil)), ("move 3  1", .move(.position(2), to: 0)),
            ("repeat off", .setRepeat(.off)), ("repeat one", .setRepeat(.one)), ("repeat all", .setRepeat(.all)),
            ("sleep next", .cycleSleep), ("repeat next", .cycleRepeat),
        ])
    func commands(line: String, expected: PlayerCommand) throws {
        #expect(try PlayerCommand(parsing: line) == expected)
    }

    @Test(
        "An invalid line is answered with the reason",
        arguments: [
            "", "dance", "seek", "seek 1 2", "seek x", "volume", "volume 151", "volume +151", "volume +-5", "volume -",
            "pause now", "PLAY", "hurry up", "speed", "speed 0.4", "speed 4", "speed x", "speed +x", "speed nan",
            "loudness", "loudness -13",
            "loudness x", "loudness -24", "voice-boost 1", "sleep", "sleep 0", "sleep off 1", "sleep episode 0",
            "sleep episodes", "sleep 1 2 3", "sleep chapter 0", "chapter", "next-chapter 2",
            "remove", "remove 0", "remove -1", "remove x", "remove 1 2", "move 1", "move 0 1", "move 1 2 3", "repeat",
            "repeat twice", "repeat One", "remove 99999999999999999999",
        ])
    func badLine(line: String) {
        #expect(throws: ArgumentError.self) { try PlayerCommand(parsing: line) }
        guard case .failure(let answer) = LineSplitter.Line.text(line).command() else {
            Issue.record("\"\(line)\" was accepted")
            return
        }
        #expect(answer.line == line)
        #expect(answer.problem?.isEmpty == false)
    }

    @Test("The help lists every command with its values")
    func help() {
        let lines = PlayerCommand.help.split(separator: "\n")
        #expect(lines.map { $0.split(separator: " ").first } == CommandSyntax.all.map { Substring($0.word) })
        #expect(lines.contains { $0.hasPrefix("  seek TIME  ") } && lines.contains { $0.hasPrefix("  move #N #M  ") })
        #expect(lines.allSatisfy { $0.utf8.count <= 80 })
    }

    @Test("The lines do not depend on the sizes of the reads", arguments: [1, 2, 3, 7, 100])
    func cuts(size: Int) {
        let bytes = Array("pause\r\nseek +30\n\nplé".utf8)
        var splitter = LineSplitter()
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += splitter.consume(bytes[start..<min(start + size, bytes.count)])
        }
        if let last = splitter.finish() { lines.append(last) }
        #expect(lines == [.text("pause"), .text("seek +30"), .text(""), .text("plé")])
    }

    @Test("A line of more than 64 KiB is answered with an error, and the next line is parsed")
    func tooLong() {
        var splitter = LineSplitter()
        #expect(splitter.consume(repeatElement(0x61, count: 1_000_000)) == [])
        #expect(splitter.consume("\npause\n".utf8) == [.tooLong, .text("pause")])
        #expect(splitter.consume(repeatElement(0x61, count: 65_536)) == [])
        #expect(splitter.consume([0x0A]) == [.text(String(repeating: "a", count: 65_536))])
    }

    @Test("Bytes that are not UTF-8 are answered with an error")
    func notUTF8() {
        var splitter = LineSplitter()
        let lines = splitter.consume([0xFF, 0xFE, 0x0A])
        #expect(lines == [.notUTF8])
        #expect(throws: CommandAnswer.self) { try lines[0].command().get() }
    }

    @Test("Input that ends with a line break has no further line")
    func noRest() {
        var splitter = LineSplitter()
        _ = splitter.consume("quit\n".utf8)
        #expect(splitter.finish() == nil)
    }
}
