// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Playback

/// The status line of a player: state, title, bar, time, download. A narrow terminal shortens the title first, then
/// drops fields, the least important first.
public struct StatusLine: Equatable {
    /// The columns that title and bar need before other fields are dropped.
    private static let wantedForTitleAndBar = 24

    private var pieces: [StyledText] = []
    private let style: LineStyle

    /// Returns the line.
    /// - Parameter width: the columns of the terminal; the line is never wider.
    public static func render(_ status: PlayerStatus, width: Int, style: LineStyle) -> String {
        StatusLine(status, width: width, style: style).pieces.map { $0.rendered(colour: style.colour) }.joined()
    }

    init(_ status: PlayerStatus, width: Int, style: LineStyle) {
        self.style = style
        let ends = Self.ends(status, width: width, style: style)
        let gap = width >= 80 ? "  " : " "
        let room = width - ends.columns - gap.count * ends.gaps
        let middle = TitleAndBar(status, room: room, gap: gap.count, hasWords: ends.hasWords, style: style)
        let fields = [ends.state, middle.title, middle.bar, ends.time, ends.download].filter { !$0.isEmpty }
        pieces = Array(fields.joined(separator: [StyledText(text: gap)]))
        if pieces.columns > width {
            let time = PrintableText(ends.time.map(\.text).joined())
            pieces = [StyledText(text: time.cut(to: width, ellipsis: "").text)]
        }
    }
}

extension StatusLine {
    /// The fields at the left and the right end, whose width depends on their text.
    private struct Ends {
        var state: [StyledText]
        var time: [StyledText]
        var download: [StyledText] = []
        /// The columns reserved for the download, so that the bar does not jump when its figures grow.
        var downloadRoom = 0
        var hasWords: Bool

        var columns: Int { state.columns + time.columns + max(download.columns, downloadRoom) }
        /// The number of gaps, with one field in the middle.
        var gaps: Int { download.isEmpty ? 2 : 3 }
    }

    /// Returns the first choice that leaves enough columns for title and bar, otherwise the shortest.
    private static func ends(_ status: PlayerStatus, width: Int, style: LineStyle) -> Ends {
        let activity = ActivityText(status)
        // Padded to the usual word, so that a pause does not move the other fields.
        let indent = String(repeating: " ", count: max(0, "playing".count - activity.words.count))
        let word = [StyledText(text: activity.words + indent, tint: activity.tint)]
        let symbol = [StyledText(text: activity.symbol(style.glyphs), tint: activity.tint)]
        let time = timeText(status, spaced: width >= 60)
        let download = DownloadText(status.downloadProgress)
        let long = [StyledText(text: download.long, tint: .faint)].filter { !$0.text.isEmpty }
        let short = [StyledText(text: download.short, tint: .faint)].filter { !$0.text.isEmpty }
        let shortest = Ends(state: symbol, time: time, hasWords: false)
        let choices = [
            Ends(state: word, time: time, download: long, downloadRoom: download.longRoom, hasWords: true),
            Ends(state: word, time: time, download: short, downloadRoom: download.shortRoom, hasWords: true),
            Ends(state: symbol, time: time, download: short, downloadRoom: download.shortRoom, hasWords: false),
        ]
        return choices.first { width - $0.columns - 2 * $0.gaps >= wantedForTitleAndBar } ?? shortest
    }

    private static func timeText(_ status: PlayerStatus, spaced: Bool) -> [StyledText] {
        guard status.item != nil else { return [] }
        let position = ClockText.position(status)
        let whole = status.duration.value.map(ClockText.time) ?? ""
        let indent = spaced ? String(repeating: " ", count: max(0, whole.count - position.count)) : ""
        let volume = (status.volume * 100).rounded()
        let loudness = volume != 100 && (0...150).contains(volume) ? " vol \(Int(volume))%" : ""
        let speed = ClockText.speed(status).map { " \($0)" } ?? ""
        let repeating = status.repeatMode == .off ? "" : " repeat \(status.repeatMode.rawValue)"
        let sleep = ClockText.sleep(status).map { " \($0)" } ?? ""
        let note = spaced ? speed + loudness + repeating + sleep : ""
        return [
            StyledText(text: indent + position, tint: .strong),
            StyledText(text: (spaced ? " / " : "/") + ClockText.time(status.duration) + note),
        ]
    }
}
