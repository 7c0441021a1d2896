// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlProtocol
import EpisodeSources
import Media
import Playback
import TerminalInterface

extension PlayOptions {
    /// The commands that set up the owner's player as these options do.
    var commandLines: [String] {
        [
            volume.map { "volume \(Int(($0 * 100).rounded()))" }, sound.speed.map { "speed \($0)" },
            sound.silenceTrimming.map { "trim-silence \($0.rawValue)" },
            sound.loudness.map { "loudness \($0.text)" },
            sound.boostsVoice.map { "voice-boost \($0 ? "on" : "off")" }, sleep.map { "sleep \($0.text)" },
            repeatMode == .off ? nil : "repeat \(repeatMode.rawValue)",
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
    /// The value of `sleep` in a command.
    fileprivate var text: String {
        switch self {
        case .after(let time): "\(time.components.seconds)s"
        case .endOfItem(let count): "episode \(count)"
        case .endOfChapter(let count): "chapter \(count)"
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
        add("until", until?.text)
        return members
    }
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
    fileprivate var text: String {
        switch self {
        case .time(let time): JSONValue.seconds(time).description
        case .fraction(let part): JSONValue.decimal(part * 100).description + "%"
        }
    }
}
