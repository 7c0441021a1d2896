// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// The reporter for `--quiet`: only errors.
public struct QuietReporter: PlaybackReporter {
    public init() {}

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        Sentence.event(event).map { [$0] } ?? []
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] { [] }

    public mutating func answer(_ answer: CommandAnswer) -> [ReportText] {
        answer.problem.map { [Sentence.note($0)] } ?? []
    }

    public mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        [Sentence.failure(failure, about: subject)]
    }

    public mutating func note(_ sentence: String) -> [ReportText] { [] }

    public mutating func finish() -> [ReportText] { [] }
}
