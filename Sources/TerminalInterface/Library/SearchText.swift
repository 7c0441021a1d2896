// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// The results of a search: an episode, and a line of its notes around the words.
public struct SearchText: Sendable {
    public struct Hit: Sendable, Equatable {
        public let episode: EpisodeSummary
        /// The notes as one line of plain text.
        public let notes: String

        public init(episode: EpisodeSummary, notes: String) { (self.episode, self.notes) = (episode, notes) }
    }

    private static let indent = 4
    /// The length of a snippet if the width of the terminal is unknown.
    private static let usualColumns = 120

    private let query: String
    private let layout: ListLayout

    public init(_ query: String, _ layout: ListLayout) { (self.query, self.layout) = (query, layout) }

    public func json(_ hits: [Hit]) -> [ReportText] {
        hits.map { hit in
            let snippet = NotesSnippet.text(of: hit.notes, around: query, columns: Self.usualColumns)
            let members = LibraryJSON.members(hit.episode) + [.init("snippet", LibraryJSON.text(snippet))]
            return .output(LibraryJSON.line(.object(members)))
        }
    }

    public func plain(_ hits: [Hit]) -> [ReportText] {
        zip(EpisodeTable(layout).lines(hits.map(\.episode)), hits).map { line, hit in
            .output(line + "\n" + (snippet(hit.notes).map { ListLayout.blanks(Self.indent) + $0 + "\n" } ?? ""))
        }
    }

    private func snippet(_ notes: String) -> String? {
        let columns = (layout.width ?? Self.usualColumns) - Self.indent
        return NotesSnippet.text(of: notes, around: query, columns: columns, ellipsis: layout.ellipsis)
            .map { layout.text($0).cut(to: columns, ellipsis: layout.ellipsis).text }
    }
}

/// The progress of the search index: redrawn on a terminal, otherwise reported once.
public struct IndexingText: Sendable {
    private let draws: Bool
    private var isShown = false

    public init(draws: Bool) { self.draws = draws }

    public mutating func line(left: Int) -> [ReportText] {
        defer { isShown = true }
        let text = "Building the search index: \(CountText.text(left, "episode")) left"
        if draws { return [.error(RedrawnLine.clear + text)] }
        return isShown ? [] : [LibraryRemark.message(text + ".")]
    }

    public mutating func finish() -> [ReportText] { isShown && draws ? [.error(RedrawnLine.clear)] : [] }

    /// Returns the message of a search that could not complete the index.
    public static func incomplete(left: Int, _ error: LibraryError) -> [ReportText] {
        let episodes = CountText.text(left, "episode")
        return [LibraryRemark.message("earshot: \(episodes) cannot be searched yet: \(error.reason)")]
    }
}
