// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Playback

/// The one line a terminal shows: state, title, bar, time, download. What there is no room for is left out, the
/// least important first; the title is cut before that.
public struct StatusLine: Equatable {
    /// How much room title and bar want before other things give way.
    private static let wantedForTitleAndBar = 24

    private var pieces: [StyledText] = []
    private let style: LineStyle

    /// - Parameter width: the columns there are; the line never takes more.
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
    /// The fields whose width is given by what they say, at the left and the right end.
    private struct Ends {
        var state: [StyledText]
        var time: [StyledText]
        var download: [StyledText] = []
        /// Room kept for the download's figures, so that the bar does not jump when they get longer.
        var downloadRoom = 0
        var hasWords: Bool

        var columns: Int { state.columns + time.columns + max(download.columns, downloadRoom) }
        /// Gaps to one middle field and between the ends themselves.
        var gaps: Int { download.isEmpty ? 2 : 3 }
    }

    /// The first choice that leaves room enough for title and bar, else the shortest.
    private static func ends(_ status: PlayerStatus, width: Int, style: LineStyle) -> Ends {
        let activity = ActivityText(status)
        // As wide as the usual word, so that a pause moves nothing.
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
        let repeating = status.repeatMode == .off ? "" : " repeat \(status.repeatMode.rawValue)"
        let note = spaced ? loudness + repeating : ""
        return [
            StyledText(text: indent + position, tint: .strong),
            StyledText(text: (spaced ? " / " : "/") + ClockText.time(status.duration) + note),
        ]
    }
}
