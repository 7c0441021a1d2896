// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Subscriptions

/// The results of a search in a directory, and the choice between them.
public enum DirectoryText {
    /// The next step after a search.
    public enum Step: Sendable, Equatable {
        case subscribe(PodcastDirectory.Entry)
        /// Ask if this result, whose title is exactly the words, is meant.
        case confirm(PodcastDirectory.Entry)
        /// List the results; a person may choose one.
        case list
    }

    /// Returns the next step.
    /// - Parameters:
    ///   - results: at least one.
    ///   - number: the number of the result that is wanted without a question; `nil` if none is.
    ///   - canAsk: true if a person at a terminal can answer.
    public static func step(
        _ results: [PodcastDirectory.Entry], for words: String, number: Int?, canAsk: Bool
    ) -> Step {
        if let number { return (1...results.count).contains(number) ? .subscribe(results[number - 1]) : .list }
        let exact = results.filter { folded($0.title) == folded(words) }
        if canAsk, exact.count == 1 { return .confirm(exact[0]) }
        return .list
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// True if the argument of `subscribe` is a word of a title: an address has a dot, a colon or a slash.
    public static func isWord(_ argument: String) -> Bool {
        argument.contains(where: \.isWhitespace) && !argument.contains("://")
            || argument != "-" && !argument.contains { ".:/".contains($0) }
    }

    /// True if the arguments of `subscribe` are words to search for. Among words, `Dr.` and `All:` are words as well.
    public static func areWords(_ arguments: [String]) -> Bool {
        guard arguments.count > 1, arguments.contains(where: isWord) else { return arguments.allSatisfy(isWord) }
        return arguments.allSatisfy { $0 != "-" && !$0.contains("://") }
    }

    public static func json(_ results: [PodcastDirectory.Entry]) -> [ReportText] {
        results.map { entry in
            .output(
                LibraryJSON.line(
                    .object([
                        .init("title", .string(entry.title)), .init("author", LibraryJSON.text(entry.author)),
                        .init("feedURL", .string(entry.feedURL)),
                        .init("episodes", .optional(entry.episodeCount) { .integer(Int64($0)) }),
                    ])))
        }
    }

    /// Returns two lines for each result: its number and title, and the address of its feed.
    public static func plain(_ results: [PodcastDirectory.Entry]) -> [ReportText] {
        let columns = "\(results.count)".count
        return results.enumerated().map { index, entry in
            let number = ListLayout.rightAligned("\(index + 1)", columns)
            let address = ListLayout.blanks(columns) + "  \(PrintableText(entry.feedURL).text)"
            return .output("\(number)  \(line(entry))\n\(address)\n")
        }
    }

    /// Returns `Harbour Tales by The Harbour (12 episodes)`, without the end of a long title and a long author.
    static func line(_ entry: PodcastDirectory.Entry) -> String {
        let author = entry.author.map { " by \(cut($0))" } ?? ""
        let count = entry.episodeCount.map { " (\(CountText.text($0, "episode")))" } ?? ""
        return cut(entry.title) + author + count
    }

    /// The columns of a title, and of an author.
    private static let mostColumns = 120

    private static func cut(_ text: String) -> String {
        PrintableText(text).cut(to: mostColumns, ellipsis: "...").text
    }

    public static func question(_ entry: PodcastDirectory.Entry) -> ReportText {
        .error("Subscribe to \(line(entry)), \(PrintableText(entry.feedURL).text)? [y/N] ")
    }

    public static let choice = ReportText.error("The number of the podcast to subscribe to (none): ")

    /// Parses the answer to a question.
    public static func isYes(_ answer: String) -> Bool {
        ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    }

    /// Parses a number of the list.
    public static func chosen(_ answer: String, from results: [PodcastDirectory.Entry]) -> PodcastDirectory.Entry? {
        guard let number = Int(answer.filter { !$0.isWhitespace }), (1...results.count).contains(number) else {
            return nil
        }
        return results[number - 1]
    }

    /// Says that the directory found fewer results than the number that is wanted.
    public static func missing(_ number: Int, of count: Int) -> ReportText {
        let found = CountText.text(count, "podcast")
        return LibraryRemark.message("There is no result \(number): the directory found \(found).")
    }

    /// Says that the directory found more than these podcasts.
    public static func cut(after count: Int) -> ReportText {
        LibraryRemark.message(
            "The directory found more than \(CountText.text(count, "podcast")): search for more words to find fewer.")
    }

    public static let nothingChosen = LibraryRemark.message("Not subscribed.")
    public static let advice = LibraryRemark.message(
        "Not subscribed. To choose one, repeat the command with its number, such as --result 2.")
}
