// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// Tells a person or a program how playback goes. Every reporter is a pure value: it says what to write, in order;
/// `StandardStreams` writes it.
public protocol PlaybackReporter: Sendable {
    /// Something happened. `status` is that of the same moment.
    mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText]

    /// Called some times a second, also while nothing happens.
    /// - Parameter now: time on a clock that starts anywhere and never goes back.
    mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText]

    /// A line from `--commands` was obeyed, or could not be.
    mutating func answer(_ answer: CommandAnswer) -> [ReportText]

    /// Something that is no item of the playlist could not be had: a target, the sound server, the terminal.
    mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText]

    /// One sentence for a person, without its full stop: where the output goes, that no sound server answers.
    mutating func note(_ sentence: String) -> [ReportText]

    /// What is on the screen is no longer what was drawn: the terminal has `width` columns now, or another program
    /// wrote there.
    mutating func redraw(width: Int)

    /// Stops drawing while another program has the terminal, and draws again afterwards.
    mutating func setBackground(_ isInBackground: Bool) -> [ReportText]

    /// Nothing follows.
    mutating func finish() -> [ReportText]
}

/// For reporters whose lines are not drawn over themselves.
extension PlaybackReporter {
    public mutating func redraw(width: Int) {}
    public mutating func setBackground(_ isInBackground: Bool) -> [ReportText] { [] }
}

/// A text for one of the two standard streams, line ends included.
public enum ReportText: Sendable, Equatable {
    case output(String)
    case error(String)
}

/// What became of one line of `--commands`.
public struct CommandAnswer: Sendable, Equatable {
    /// The line as it came, cut to a length that can be shown.
    public let line: String
    /// Why it was not obeyed; `nil` when it was.
    public let problem: String?

    public init(line: some StringProtocol, problem: String? = nil) {
        self.line = String(line.prefix(200))
        self.problem = problem
    }
}

extension PlayerEvent {
    /// An item or the output failed for good, and a sentence says why.
    var isFailure: Bool {
        switch self {
        case .itemFailed, .outputLost: true
        default: false
        }
    }
}

extension PlayerStatus.Activity {
    /// Nothing is played.
    var isOver: Bool {
        switch self {
        case .idle, .ended, .noDevice: true
        default: false
        }
    }
}

/// The sentences for people; each names the thing and the reason.
enum Sentence {
    static func failure(_ failure: MediaFailure, about subject: String) -> ReportText {
        guard failure.choices.isEmpty else { return choices(failure.reason, failure.choices) }
        return .error("earshot: \(PrintableText(subject).text): \(PrintableText(failure.reason).text)\n")
    }

    /// What a name can mean, a line each.
    static func choices(_ reason: String, _ choices: [String]) -> ReportText {
        let lines = choices.map { "  \(PrintableText($0).text)\n" }.joined()
        return .error("earshot: \(PrintableText(reason).text). Closest:\n\(lines)")
    }

    static func loss(_ item: PlaybackItem, _ position: Duration?, _ failure: MediaFailure) -> ReportText {
        let place = position.map { " at \(ClockText.time($0))" } ?? ""
        // A file on this machine has no connection that could be lost.
        let what = failure.kind == .inputOutput ? "stopped" : "lost connection"
        let lost = MediaFailure(failure.kind, "\(what)\(place): \(failure.reason)")
        return self.failure(lost, about: item.location)
    }

    static func version(_ item: PlaybackItem, _ isSameWord: Bool) -> ReportText {
        let place = isSameWord
            ? "it goes on at the same word" : "nothing of it is as it was, so it goes on at the same time"
        return note("\(item.location): the episode changed on the server; \(place)")
    }

    static func beyondEnd(
        _ item: PlaybackItem, _ place: Duration, _ end: MediaDuration, _ outcome: PlayerEvent.SeekPastEnd
    ) -> ReportText {
        failure(MediaFailure(beyond: place, end, outcome), about: item.location)
    }

    static func note(_ sentence: String) -> ReportText {
        .error("earshot: \(PrintableText(sentence).text)\n")
    }

    /// Whatever of `event` every reporter for people says at once.
    static func event(_ event: PlayerEvent) -> ReportText? {
        switch event {
        case .itemFailed(let item, let reason): failure(reason, about: item.location)
        case .mustWait(let item, let reason): failure(reason, about: item.location)
        case .connectionLost(let item, let position, let reason): loss(item, position, reason)
        case .versionChanged(let item, _, let isSameWord): version(item, isSameWord)
        case .beyondEnd(let item, let place, let end, let outcome): beyondEnd(item, place, end, outcome)
        case .outputLost(let reason): failure(reason, about: "sound output")
        case .outputInterrupted(let reason): note("sound output: \(reason.reason); trying again")
        case .pausedByItself(let reason): note("\(reason.reason): paused")
        default: nil
        }
    }
}
