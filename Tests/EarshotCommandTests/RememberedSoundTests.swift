// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Logging
import Playback
import Testing

@testable import Sessions
@testable import TerminalInterface

@Suite("The remembered volume and output")
struct RememberedSoundTests {
    private static func options(_ output: OutputOption?, volume: Double? = nil) -> PlayOptions {
        PlayOptions(
            targets: [], scope: .everything, output: output, volume: volume, repeatMode: .off,
            session: SessionOptions(quiet: true, logLevel: .error), readsCommands: false)
    }

    private static let stored = RememberedSound(parsing: "volume 80\noutput pulse:desk\n")

    @Test("The stored text is read again, and other text is ignored")
    func text() {
        #expect(Self.stored.volume == 0.8 && Self.stored.output == .pulse(sink: "desk"))
        #expect(RememberedSound(parsing: Self.stored.text) == Self.stored)
        for text in ["", "volume", "volume x", "volume 151", "volume -1", "output wav:/x", "output", "later 1"] {
            #expect(RememberedSound(parsing: text) == RememberedSound(), "\(text)")
        }
    }

    @Test(
        "Options win over remembered values, and files keep the full volume",
        arguments: [
            ("volume", nil, nil, .pulse(sink: nil), 0.8), ("both", nil, nil, .pulse(sink: "desk"), 0.8),
            ("output", nil, nil, .pulse(sink: "desk"), nil), ("both", .pulse(sink: nil), nil, .pulse(sink: nil), 0.8),
            ("both", nil, 0.3, .pulse(sink: "desk"), 0.3), ("both", .null, nil, .null, nil),
            ("both", .wav(path: "x"), nil, .wav(path: "x"), nil),
        ] as [(String, OutputOption?, Double?, OutputOption, Double?)])
    func applied(setting: String, chosen: OutputOption?, volume: Double?, output: OutputOption, expected: Double?) {
        let options = Self.stored.applied(to: Self.options(chosen, volume: volume), .choice(setting))
        #expect(options.output == output && options.volume == expected)
        let off = Self.stored.applied(to: Self.options(chosen, volume: volume), .off)
        #expect(off.output == chosen ?? .pulse(sink: nil) && off.volume == volume)
    }

    @Test("A volume and an output are remembered only for a device, and only if the setting says so")
    func noted() {
        let (desk, other) = (OutputOption.pulse(sink: "desk"), OutputOption.pulse(sink: "other"))
        var sound = RememberedSound()
        sound.note(RememberedSound(), on: desk, .choice("both"))
        sound.note(RememberedSound(volume: 0.5, output: .null), on: .null, .choice("both"))
        #expect(sound == RememberedSound())
        sound.note(RememberedSound(volume: 0.35), on: desk, .choice("both"))
        #expect(sound.volume == 0.35 && sound.output == nil)
        sound.note(RememberedSound(output: desk), on: desk, .choice("both"))
        #expect(sound.text == "volume 35\noutput pulse:desk\n")
        let before = sound
        sound.note(RememberedSound(output: other), on: other, .choice("volume"))
        sound.note(RememberedSound(volume: 0.5, output: other), on: other, .off)
        #expect(sound == before)
    }

    @Test("A choice that could not be stored is stored with the next one, unless that replaces it")
    func completed() {
        let failed = RememberedSound(volume: 0.5, output: .pulse(sink: "desk"))
        #expect(RememberedSound().completed(by: failed) == failed)
        #expect(RememberedSound(volume: 0.8).completed(by: failed) == Self.stored)
        #expect(Self.stored.completed(by: failed) == Self.stored && Self.stored.completed(by: nil) == Self.stored)
    }

    @Test("A volume is stored once, when it has not changed for a second")
    func settled() {
        var changes = VolumeChanges(from: 1)
        let steps = [(0.9, 0), (0.8, 400), (0.7, 900), (0.7, 1800), (0.7, 1900), (0.7, 5000)]
        let stored = steps.map { volume, time in changes.update(volume, at: .milliseconds(time)) }
        #expect(stored == [nil, nil, nil, nil, 0.7, nil])
        let end = changes.close(0.7)
        #expect(end == nil)
    }

    @Test("A volume of one playback is not stored, but a change of it is")
    func assumed() {
        var changes = VolumeChanges(from: 0.8)
        changes.assume(0.3)
        let stored = [(0.3, 100), (0.3, 2000), (0.35, 2100), (0.35, 3100)].map { volume, time in
            changes.update(volume, at: .milliseconds(time))
        }
        #expect(stored == [nil, nil, nil, 0.35])
    }

    @Test("While the player does not have the volume of one playback yet, neither that nor the former one is stored")
    func assumedLate() {
        var changes = VolumeChanges(from: 0.8)
        let before = changes.update(0.8, at: .seconds(5))
        changes.assume(0.3)
        let stored = [(0.8, 5000), (0.8, 7000), (0.3, 7010), (0.3, 9000)].map { volume, time in
            changes.update(volume, at: .milliseconds(time))
        }
        let end = changes.close(0.3)
        #expect(before == nil && stored == [nil, nil, nil, nil] && end == nil)
    }

    @Test("If playback ends before the player has the volume of one playback, the former one is not stored")
    func assumedAtEnd() {
        var changes = VolumeChanges(from: 0.8)
        changes.assume(0.3)
        let end = changes.close(0.8)
        #expect(end == nil)
    }

    @Test("At the end, a volume is stored if it differs from the one that playback began with")
    func changedAtEnd() {
        for (end, expected) in [(0.4, nil), (0.4001, nil), (0.5, 0.5)] as [(Double, Double?)] {
            var changes = VolumeChanges(from: 0.4)
            let during = changes.update(0.7, at: .seconds(5))
            let last = changes.close(end)
            #expect(during == nil && last == expected)
        }
    }

    @Test("A volume that is chosen without a player is remembered for devices, also the full volume")
    func chosen() {
        var sound = Self.stored
        let half = RememberedSound(volume: 0.5)
        sound.note(half, on: .null, .choice("both"))
        sound.note(half, on: .pulse(sink: nil), .choice("output"))
        sound.note(half, on: .pulse(sink: nil), .off)
        #expect(sound == Self.stored)
        sound.note(RememberedSound(volume: 1), on: .pulse(sink: nil), .choice("volume"))
        #expect(sound.text == "volume 100\noutput pulse:desk\n")
    }

    @Test("A state file is replaced, and a missing one is empty")
    func file() throws {
        let scratch = ScratchDirectory()
        let file = StateFile("sound", in: scratch.path("state/earshot"))
        #expect(file.read() == "")
        try file.write("volume 80\n")
        try file.write("volume 90\n")
        #expect(file.read() == "volume 90\n")
        #expect(scratch.names(in: "state/earshot") == ["sound"])
    }

    @Test("Of a state file that is too long, only whole lines are read")
    func longFile() throws {
        let scratch = ScratchDirectory()
        let file = StateFile("deck", in: scratch.path("state"))
        let line = "target https://host.example/" + String(repeating: "a", count: 1000)
        try file.write(String(repeating: line + "\n", count: 100))
        let lines = file.read().split(separator: "\n")
        #expect(lines.count > 50 && lines.allSatisfy { $0 == line })
    }
}
