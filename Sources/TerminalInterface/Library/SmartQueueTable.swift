// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// A list of smart queues.
public struct SmartQueueTable: Sendable {
    /// A smart queue with its present state.
    private struct Row {
        let queue: SmartQueue
        let podcast: PodcastSummary?
        let count: Int
    }

    private let rows: [Row]

    public init(_ queues: [SmartQueue], _ library: Library) throws(LibraryError) {
        let podcasts = try library.podcasts()
        var rows: [Row] = []
        for queue in queues {
            let podcast = podcasts.first { queue.scope == .podcast($0.id) }
            rows.append(Row(queue: queue, podcast: podcast, count: try library.episodes(of: queue).count))
        }
        self.rows = rows
    }

    public func json() -> [ReportText] { rows.map { .output(LibraryJSON.line(json($0))) } }

    private func json(_ row: Row) -> JSONValue {
        var (podcast, group): (JSONValue, JSONValue) = (.null, .null)
        switch row.queue.scope {
        case .everything: break
        case .podcast(let id): podcast = .integer(id)
        case .group(let path): group = .string(path)
        }
        return .object([
            .init("id", .integer(row.queue.id)), .init("name", .string(row.queue.name)), .init("podcast", podcast),
            .init("group", group), .init("newestFirst", .bool(row.queue.newestFirst)),
            .init("limit", .integer(Int64(row.queue.most))), .init("episodes", .integer(Int64(row.count))),
        ])
    }

    /// Returns one line for each smart queue: `Morning  3 episodes  (group Sea, newest first, at most 10)`.
    public func plain(_ layout: ListLayout) -> [ReportText] {
        guard !rows.isEmpty else {
            return [LibraryRemark.message("No smart queues yet. Create one: earshot smart create NAME --group GROUP")]
        }
        return rows.map { row in
            let count = CountText.text(row.count, "episode")
            return .output("\(layout.text(row.queue.name).text)  \(count)  (\(layout.text(rule(row)).text))\n")
        }
    }

    private func rule(_ row: Row) -> String {
        let scope =
            switch row.queue.scope {
            case .everything: "all podcasts"
            case .podcast: row.podcast?.name ?? "a podcast that is no longer subscribed"
            case .group(let path): "group \(path)"
            }
        return "\(scope), \(row.queue.newestFirst ? "newest" : "oldest") first, at most \(row.queue.most)"
    }
}
