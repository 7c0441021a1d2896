// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlProtocol
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import TerminalInterface

extension PlayOptions {
    /// The requests that set up the owner's player as these options do. The volume is not remembered.
    var calls: [(method: MethodName, parameters: [JSONValue.Member])] {
        var calls: [(method: MethodName, parameters: [JSONValue.Member])] = []
        if let volume {
            let percent = JSONValue.integer(Int64((volume * 100).rounded()))
            calls.append((.volume, [.init("percent", percent), .init("remember", .bool(false))]))
        }
        let others = [sleep?.commandLine, repeatMode.map { "repeat \($0.rawValue)" }].compactMap { $0 }
        for line in sound.commandLines + others { calls.append((.command, [.init("line", .string(line))])) }
        return calls
    }
}

extension SoundChanges {
    /// The commands that make these changes.
    var commandLines: [String] {
        [
            speed.map { "speed \($0)" }, silenceTrimming.map { "trim-silence \($0.rawValue)" },
            loudness.map { "loudness \($0.text)" }, boostsVoice.map { "voice-boost \($0 ? "on" : "off")" },
        ].compactMap { $0 }
    }
}

extension SoundChanges.Loudness {
    /// The value of `loudness` in a command.
    fileprivate var text: String {
        switch self {
        case .off: "off"
        case .target(let level): "\(level)"
        }
    }
}

extension SleepTimer {
    /// The command that sets the timer.
    var commandLine: String {
        switch self {
        case .after(let time): "sleep \(max(1, time.components.seconds))s"
        case .endOfItem(let count): "sleep episode \(count)"
        case .endOfChapter(let count): "sleep chapter \(count)"
        }
    }
}

extension PlayOptions {
    /// The parameters of `player.play`.
    var playParameters: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ text: String?) {
            if let text { members.append(.init(name, .string(text))) }
        }
        switch scope {
        case .everything, .podcasts: break
        case .episodes(let podcast): add("podcast", podcast)
        }
        if case .podcasts = scope {
            add("podcast", targets.first)
        } else if !targets.isEmpty {
            members.append(.init("targets", .array(targets.map { .string(CompositionRoot.target($0)) })))
        }
        if case .smartQueue(let name) = list { add("smart", name) }
        add("episode", episode?.text)
        add("from", from?.text)
        if case .time(.estimated(_, let anchor))? = from { add("anchor", anchor.text) }
        add("until", until?.text)
        return members
    }

    /// Returns the subject of an error as the listener typed it: the owner gets paths that begin at the root.
    func typed(_ subject: String) -> String { targets.first { CompositionRoot.target($0) == subject } ?? subject }
}

extension EpisodeChoice {
    /// The value of `--episode`; `nil` for the default.
    fileprivate var text: String? {
        switch self {
        case .nextOfSerial: nil
        case .latest: "latest"
        case .oldest: "oldest"
        case .all: "all"
        case .number(let number): "\(number)"
        case .named(let name): name
        }
    }
}

extension StartTarget {
    fileprivate var text: String {
        switch self {
        case .time(let time): time.text
        case .words(let words): words
        }
    }
}

extension TimeTarget {
    /// The text that `TimeTarget(parsing:)` reads, without the packet of an estimated time.
    var text: String {
        switch self {
        case .time(let time), .estimated(let time, _): JSONValue.seconds(time).description
        case .fraction(let part): JSONValue.decimal(part * 100).description + "%"
        }
    }
}
