// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media

/// The output of `earshot stats`.
public enum ListeningTable {
    public static func json(_ sums: ListeningSums) -> [ReportText] {
        let lines = sums.entries.map { json($0.podcast == nil ? "former" : "podcast", $0.podcast, $0.time) }
        return lines + [json("all", nil, sums.total)]
    }

    private static func json(_ scope: String, _ podcast: PodcastSummary?, _ time: ListeningTime) -> ReportText {
        .output(
            LibraryJSON.line(
                .object([
                    .init("of", .string(scope)),
                    .init("podcast", .optional(podcast?.id, JSONValue.integer)),
                    .init("title", LibraryJSON.text(podcast?.name)),
                    .init("heard", .seconds(.microseconds(time.heard))),
                    .init("took", .seconds(.microseconds(time.wall))),
                    .init("savedByPauses", .seconds(.microseconds(time.trimmed))),
                    .init("savedBySpeed", .seconds(.microseconds(time.sped))),
                ])))
    }

    /// Returns one line for each podcast, and the sum if there are several.
    public static func plain(_ sums: ListeningSums, _ layout: ListLayout) -> [ReportText] {
        guard !sums.entries.isEmpty else { return [LibraryRemark.message("Nothing heard yet.")] }
        var rows = sums.entries.map { row($0.time, $0.podcast?.name ?? "podcasts no longer in the library") }
        if rows.count > 1 { rows.append(row(sums.total, "all podcasts")) }
        let table = [["heard", "saved by pauses", "saved by speed", "podcast"]] + rows
        let columns = (0..<3).map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { row in
            let times = zip(row, columns).map { ListLayout.rightAligned($0, $1) }
            return .output((times + [layout.text(row[3]).text]).joined(separator: "  ") + "\n")
        }
    }

    private static func row(_ time: ListeningTime, _ name: String) -> [String] {
        [time.heard, time.trimmed, time.sped].map(text) + [name]
    }

    private static func text(_ microseconds: Int64) -> String {
        // A negative time that rounds to zero has no sign.
        let sign = microseconds <= -1_000_000 ? "-" : ""
        return sign + ClockText.time(.microseconds(abs(microseconds)))
    }
}

extension ListeningDay {
    /// The day of a moment in the local time zone.
    public init(of time: UTCTime) {
        let seconds = WallClock.current.reading(at: time).secondsSince1970
        self.init(seconds.quotientAndRemainder(dividingBy: 86_400).quotient - (seconds % 86_400 < 0 ? 1 : 0))
    }

    /// The first day of the last `count` days, of which this one is the last.
    public func first(ofLast count: Int) -> ListeningDay { ListeningDay(number - Int64(count) + 1) }
}
