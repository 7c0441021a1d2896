// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions
import TerminalInterface

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find episodes by words in their titles and notes, or in their transcripts.",
        discussion: """
            An episode must contain all words; case and accents do not matter, and the last word may be incomplete. \
            Matching titles come first, then the newest episodes.

            For example:
              earshot search lighthouse stor
              earshot search --transcripts "the storm came"
            """)

    @Argument(help: ArgumentHelp("The words to search for.", valueName: "word"))
    var words: [String]

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of results.", valueName: "count"))
    var limit = 20

    @Flag(help: "Find the words in stored transcripts, near each other; print the time and the sentence.")
    var transcripts = false

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        let (query, limit, json) = (words.joined(separator: " "), limit, options.json)
        guard !transcripts else { return try await Self.searchTranscripts(query, limit, json) }
        try await LibrarySession.run { library in
            try Indexing.finish(library, isQuiet: json)
            let hits = try library.search(query, limit: limit).map {
                SearchText.Hit(episode: $0, notes: try library.notes(of: $0.id).words)
            }
            let text = SearchText(query, .current)
            if json { return text.json(hits) }
            return hits.isEmpty ? [LibraryRemark.none(with: query)] : text.plain(hits)
        }
    }

    private static func searchTranscripts(_ query: String, _ limit: Int, _ json: Bool) async throws {
        try await LibrarySession.run { library in
            try Indexing.finish(library, isQuiet: json)
            let hits = try library.searchTranscripts(query, limit: limit)
            if json { return TranscriptText.json(hits) }
            return hits.isEmpty
                ? [TranscriptText.none(with: query)] : TranscriptText(.current).plain(hits, query: query)
        }
    }
}

/// Adds the episodes since the last search to the search index.
private enum Indexing {
    /// The time after which progress is shown.
    private static let progressDelay = Duration.seconds(1)

    /// Completes the index.
    /// - Parameter isQuiet: true to report only errors.
    static func finish(_ library: Library, isQuiet: Bool) throws(LibraryError) {
        do throws(LibraryError) {
            try build(library, isQuiet: isQuiet)
        } catch {
            guard [.full, .notWritable, .busy].contains(error.kind) else { throw error }
            // The indexed episodes can still be searched.
            let left = try library.countToIndex()
            StandardStreams.write(IndexingText.incomplete(left: left, error))
        }
    }

    private static func build(_ library: Library, isQuiet: Bool) throws(LibraryError) {
        let start = ContinuousClock.now
        var progress = IndexingText(
            draws: LineStyle.canRedraw(
                isTerminal: Terminal.standardErrorIsTerminal, environment: CompositionRoot.environment))
        while try library.indexSome() > 0 {
            guard !isQuiet, ContinuousClock.now - start > progressDelay else { continue }
            StandardStreams.write(progress.line(left: try library.countToIndex()))
        }
        StandardStreams.write(progress.finish())
    }
}
