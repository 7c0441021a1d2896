// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
public import Playback

/// Error messages about media.
public enum FailureText {
    public static func line(_ failure: MediaFailure, about subject: String) -> ReportText {
        Sentence.failure(failure, about: subject)
    }

    /// Returns a note.
    /// - Parameter sentence: a sentence without its full stop.
    public static func note(_ sentence: String) -> ReportText { Sentence.note(sentence) }

    /// Returns a note that playback continues after a damaged part.
    public static func skippedDamage(_ damage: MediaFailure, of subject: String) -> ReportText {
        note("\(subject): \(damage.reason); playback skips the damaged part")
    }
}

/// Error messages about the library.
public enum LibraryFailureText {
    public static func line(_ error: LibraryError) -> ReportText {
        guard error.choices.isEmpty else { return Sentence.choices(error.reason, error.choices) }
        return Sentence.note(error.reason)
    }

    /// Reports the result of restoring a damaged library.
    public static func rescued(_ rescue: LibraryRescue) -> ReportText {
        let podcasts = CountText.text(rescue.podcasts, "podcast")
        let episodes = CountText.text(rescue.episodes, "episode")
        let backup = rescue.backupTime.map { ", also from the backup of \(DateText.minute($0))" } ?? ""
        let restored = rescue.podcasts + rescue.episodes == 0
            ? "nothing could be restored" : "restored \(podcasts) and \(episodes)\(backup)"
        let kept = rescue.aside.map { "; the damaged file is kept as \(PrintableText($0).text)" } ?? ""
        let state = rescue.aside == nil ? "missing or empty" : "damaged"
        let advice = rescue.podcasts == 0
            ? "subscribe again, or import a list" : "run \"earshot refresh\" to fetch the rest"
        return .error("earshot: the library was \(state): \(restored)\(kept): \(advice)\n")
    }

    /// The advice without podcasts; the command follows it.
    public static let first = "No podcasts yet. Subscribe first"

    public static var noLibrary: ReportText { .error("earshot: \(first): earshot subscribe URL\n") }
}

extension MediaFailure {
    /// Creates the failure for a position beyond the end of an item.
    public init(beyond place: Duration, _ end: MediaDuration, _ outcome: PlayerEvent.SeekPastEnd) {
        // The stated end of a truncated file may lie after the position.
        let isKnown = end.value.map { $0 <= place } ?? false
        let (time, length) = (ClockText.time(place), isKnown ? " (\(ClockText.time(end)))" : "")
        // In whole seconds, both may be equal.
        let isEnd = length == " (\(time))"
        let fact = isEnd ? "\(time) is the end of the audio" : "\(time) is beyond the end\(length)"
        self = switch outcome {
        case .refused: MediaFailure(.missing, "the start position \(fact)")
        case .stayed: MediaFailure(.missing, fact)
        case .startedOver:
            MediaFailure(.missing, "the start position \(fact); playback starts from the beginning")
        }
    }
}
