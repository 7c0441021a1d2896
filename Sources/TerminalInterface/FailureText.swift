// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

/// What is said when what was asked cannot be done.
public enum FailureText {
    public static func line(_ failure: MediaFailure, about subject: String) -> ReportText {
        Sentence.failure(failure, about: subject)
    }

    /// - Parameter sentence: without its full stop.
    public static func note(_ sentence: String) -> ReportText { Sentence.note(sentence) }
}

/// What is said when the library cannot do what was asked.
public enum LibraryFailureText {
    public static func line(_ error: LibraryError) -> ReportText {
        guard error.choices.isEmpty else { return Sentence.choices(error.reason, error.choices) }
        return .error("earshot: \(PrintableText(error.reason).text)\n")
    }

    /// The advice to somebody who has no podcasts yet; the command stands behind it.
    public static let first = "Nothing to play yet. Subscribe first"

    public static var noLibrary: ReportText { .error("earshot: \(first): earshot subscribe URL\n") }
}
