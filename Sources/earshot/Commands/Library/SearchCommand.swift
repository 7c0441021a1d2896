// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Finds episodes by words of their title and notes.",
        discussion: """
            All words must be there; case and accents do not matter, and the last word may be unfinished. Titles that \
            have them come first, then the newest.

            For example:
              earshot search lighthouse stor
            """)

    @Argument(help: ArgumentHelp("What to look for.", valueName: "word"))
    var words: [String]

    @Option(parsing: .unconditional, help: ArgumentHelp("How many are shown at most.", valueName: "count"))
    var limit = 20

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit wants a number above 0.") }
    }

    func run() async throws {
        let (query, limit, json) = (words.joined(separator: " "), limit, options.json)
        try await LibrarySession.run { library in
            try Indexing.finish(library)
            let hits = try library.search(query, limit: limit).map {
                SearchText.Hit(episode: $0, notes: try library.notes(of: $0.id).words)
            }
            let text = SearchText(query, .current)
            if json { return text.json(hits) }
            return hits.isEmpty ? [LibraryRemark.none(with: query)] : text.plain(hits)
        }
    }
}

/// What came since the last search is made findable first.
private enum Indexing {
    /// Before that nobody wonders.
    private static let patience = Duration.seconds(1)

    static func finish(_ library: Library) throws(LibraryError) {
        let start = ContinuousClock.now
        let isShown = LineStyle.canRedraw(
            isTerminal: Terminal.standardErrorIsTerminal, environment: CompositionRoot.environment)
        var progress = IndexingText()
        var count = try library.indexSome()
        while count > 0 {
            if isShown, ContinuousClock.now - start > patience {
                StandardStreams.write(progress.line(left: try library.countToIndex()))
            }
            count = try library.indexSome()
        }
        if isShown { StandardStreams.write(progress.finish()) }
    }
}
