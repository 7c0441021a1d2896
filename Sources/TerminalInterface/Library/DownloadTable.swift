// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

/// The output of `earshot downloads`.
public struct DownloadTable: Sendable {
    public struct Line: Sendable {
        public let download: Download
        public let episode: EpisodeSummary
        /// The bytes used on disk.
        public let occupied: Int64
        public let path: String

        public init(download: Download, episode: EpisodeSummary, occupied: Int64, path: String) {
            (self.download, self.episode, self.occupied, self.path) = (download, episode, occupied, path)
        }
    }

    /// The fewest columns of a title, and the most columns of a podcast and of a state.
    private static let leastTitleColumns = 12
    private static let mostPodcastColumns = 24
    private static let mostStateColumns = 32

    public static func plain(_ lines: [Line], _ layout: ListLayout) -> [ReportText] {
        guard !lines.isEmpty else { return [LibraryRemark.message("No downloads.")] }
        let numberColumns = lines.map { "\($0.episode.id)".count }.max() ?? 1
        let widest = lines.map { state($0).terminalColumns }.max() ?? 0
        let rows = lines.map { line in
            let number = ListLayout.rightAligned("\(line.episode.id)", numberColumns)
            guard let width = layout.width else {
                let texts = [number, state(line), layout.text(line.episode.name).text, podcast(line, layout)]
                return ReportText.output(texts.filter { !$0.isEmpty }.joined(separator: "  ") + "\n")
            }
            let state = layout.cell(state(line), min(widest, mostStateColumns))
            let head = "\(number)  \(state)  "
            let names = names(line, layout, columns: width - head.terminalColumns)
            return ReportText.output(head + names + "\n")
        }
        let sum = lines.reduce(0) { $0 + $1.occupied }
        let count = CountText.text(lines.count, "download")
        return rows + [LibraryRemark.message("\(count), \(ClockText.size(sum)).")]
    }

    private static func podcast(_ line: Line, _ layout: ListLayout) -> String {
        layout.text(line.episode.podcastTitle ?? "").text
    }

    /// Returns the title and the podcast, or only the title on a narrow terminal.
    private static func names(_ line: Line, _ layout: ListLayout, columns: Int) -> String {
        let rest = columns - mostPodcastColumns - 2
        guard rest >= leastTitleColumns else {
            return layout.text(line.episode.name).cut(to: max(1, columns), ellipsis: layout.ellipsis).text
        }
        let podcast = layout.text(line.episode.podcastTitle ?? "")
        return layout.cell(line.episode.name, rest) + "  "
            + podcast.cut(to: mostPodcastColumns, ellipsis: layout.ellipsis).text
    }

    private static func state(_ line: Line) -> String {
        switch line.download.state {
        case .complete: return "on disk, \(ClockText.size(line.occupied))"
        case .wanted: return "pending"
        case .failed: return "failed (\(PrintableText(line.download.failure ?? "").text))"
        case .partial:
            let held = line.download.storedBytes
            guard let total = line.download.total, total > 0 else { return "\(ClockText.size(held)) so far" }
            return "\(Int(Double(held) / Double(total) * 100)) % of \(ClockText.size(total))"
        }
    }

    private static func extent(_ range: Range<Int64>) -> JSONValue {
        .array([.integer(range.lowerBound), .integer(range.upperBound)])
    }

    public static func json(_ lines: [Line]) -> [ReportText] {
        objects(lines).map { .output(LibraryJSON.line($0)) }
    }

    /// Returns an object for each download; docs/json-library.md describes its keys.
    public static func objects(_ lines: [Line]) -> [JSONValue] {
        lines.map { line in
            let download = line.download
            return .object([
                .init("episode", .integer(download.episode)),
                .init("title", .string(line.episode.name)),
                .init("podcast", .integer(line.episode.podcast)),
                .init("state", .string(download.state.rawValue)),
                .init("wantedBy", .string(download.requestedBy.rawValue)),
                .init("wanted", LibraryJSON.time(download.requestedAt)),
                .init("finished", LibraryJSON.time(download.finishedAt)),
                .init("total", .optional(download.total, JSONValue.integer)),
                .init("extents", .array(download.extents.map(extent))),
                .init("occupied", .integer(line.occupied)),
                .init("path", download.state == .complete ? .string(line.path) : .null),
                .init("failure", LibraryJSON.text(download.failure)),
            ])
        }
    }
}
