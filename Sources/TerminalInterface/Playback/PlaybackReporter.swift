// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// A reporter of playback to a person or a program. Every reporter is a pure value that returns the texts to write;
/// `StandardStreams` writes them.
public protocol PlaybackReporter: Sendable {
    /// Reports an event. `status` is from the same moment.
    mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText]

    /// Reports the current status; called several times a second.
    /// - Parameter now: the time on a monotonic clock with any start.
    mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText]

    /// Reports the result of a line from `--commands`.
    mutating func answer(_ answer: CommandAnswer) -> [ReportText]

    /// Reports a failure outside the playlist: a target, the sound server, the terminal.
    mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText]

    /// Reports a sentence without its full stop to a person.
    mutating func note(_ sentence: String) -> [ReportText]

    /// Reports a cue of the transcript when it is played.
    mutating func report(_ cue: HeardCue) -> [ReportText]

    /// Redraws after the terminal changed its width to `width` columns, or another program wrote to it.
    mutating func redraw(width: Int)

    /// Stops drawing while another program has the terminal, and draws again afterwards.
    mutating func setBackground(_ isInBackground: Bool) -> [ReportText]

    /// Ends the report.
    mutating func finish() -> [ReportText]
}

/// The defaults for reporters that do not redraw a line.
extension PlaybackReporter {
    public mutating func answer(_ answer: CommandAnswer) -> [ReportText] {
        answer.problem.map { [Sentence.note($0)] } ?? []
    }

    public mutating func report(_ cue: HeardCue) -> [ReportText] { [cue.text] }
    public mutating func redraw(width: Int) {}
    public mutating func setBackground(_ isInBackground: Bool) -> [ReportText] { [] }
    public mutating func finish() -> [ReportText] { [] }
}

/// A text for one of the two standard streams, line ends included.
public enum ReportText: Sendable, Equatable {
    case output(String)
    case error(String)
}

/// The result of one line of `--commands`.
public struct CommandAnswer: Sendable, Equatable {
    /// The line, truncated to a length that can be shown.
    public let line: String
    /// The reason why the command failed; `nil` if it succeeded.
    public let problem: String?

    public init(line: some StringProtocol, problem: String? = nil) {
        self.line = String(line.prefix(200))
        self.problem = problem
    }
}

extension PlayerEvent {
    /// True if an item or the output failed permanently and a message gave the reason.
    var isFailure: Bool {
        switch self {
        case .itemFailed, .outputLost: true
        default: false
        }
    }
}

extension PlayerStatus.Activity {
    /// True if nothing is playing.
    var isOver: Bool {
        switch self {
        case .idle, .ended, .noDevice: true
        default: false
        }
    }
}

/// Messages for people; each names the subject and the reason.
enum Sentence {
    static func failure(_ failure: MediaFailure, about subject: String) -> ReportText {
        guard failure.choices.isEmpty else { return choices(failure.reason, failure.choices) }
        let printable = MediaFailure(failure.kind, PrintableText(failure.reason).text)
        let name = subject.isEmpty ? "\"\"" : PrintableText(subject).text
        return .error("earshot: \(printable.sentence(about: name))\n")
    }

    /// Returns the matches of an ambiguous name, one per line.
    static func choices(_ reason: String, _ choices: [String]) -> ReportText {
        let lines = choices.map { "  \(PrintableText($0).text)\n" }.joined()
        return .error("earshot: \(PrintableText(reason).text). Closest:\n\(lines)")
    }

    static func loss(_ item: PlaybackItem, _ position: Duration?, _ failure: MediaFailure) -> ReportText {
        let place = position.map { " at \(ClockText.time($0))" } ?? ""
        // A local file has no connection to lose.
        let what = failure.kind == .inputOutput ? "stopped" : "lost connection"
        let lost = MediaFailure(failure.kind, "\(what)\(place): \(failure.reason)")
        return self.failure(lost, about: item.location)
    }

    static func version(_ item: PlaybackItem, _ mapping: VersionMapping) -> ReportText {
        let action =
            switch mapping {
            case .word: "continuing at the same word"
            case .time: "continuing at the same time"
            case .start: "playing the new version from the beginning"
            }
        return note("\(item.location): the episode changed on the server; \(action)")
    }

    static func beyondEnd(
        _ item: PlaybackItem, _ place: Duration, _ end: MediaDuration, _ outcome: PlayerEvent.SeekPastEnd
    ) -> ReportText {
        failure(MediaFailure(beyond: place, end, outcome), about: item.location)
    }

    static func note(_ sentence: String) -> ReportText {
        .error("earshot: \(PrintableText(sentence).text)\n")
    }

    /// Returns the message that every reporter for people writes immediately; `nil` if the event has none.
    static func event(_ event: PlayerEvent) -> ReportText? {
        switch event {
        case .itemFailed(let item, let reason), .seekFailed(let item, let reason), .mustWait(let item, let reason):
            failure(reason, about: item.location)
        case .connectionLost(let item, let position, let reason): loss(item, position, reason)
        case .versionChanged(let item, _, let mapping, _): version(item, mapping)
        case .alternativePlayed(let item, let reason):
            note("\(item.location): \(reason.reason); playing the alternate enclosure")
        case .damageSkipped(let item, let reason):
            FailureText.skippedDamage(reason, of: item.location)
        case .beyondEnd(let item, let place, let end, let outcome): beyondEnd(item, place, end, outcome)
        case .outputLost(let reason): failure(reason, about: "sound output")
        case .outputInterrupted(let reason): note("sound output: \(reason.reason); waiting for it")
        case .pausedByItself(let reason): note("\(reason.reason): paused")
        case .sleepTimerEnded: note("the sleep timer ended; playback is paused")
        default: nil
        }
    }
}
