// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

/// The one line a terminal shows: state, title, bar, time, download. What there is no room for is left out, the
/// least important first; the title is cut before that.
public struct StatusLine: Equatable {
    /// The narrowest bar that says anything, and the widest that is pleasant.
    private static let barCells = 8...40
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
        let middle = Middle(status, room: room, gap: gap.count, hasWords: ends.hasWords, style: style)
        let fields = [ends.state, middle.title, middle.bar, ends.time, ends.download].filter { !$0.isEmpty }
        pieces = Array(fields.joined(separator: [StyledText(text: gap)]))
        if pieces.reduce(0, { $0 + PrintableText.columns(of: $1.text) }) > width {
            pieces = [StyledText(text: PrintableText(ends.time.map(\.text).joined()).cut(to: width, ellipsis: "").text)]
        }
    }
}

extension StatusLine {
    /// The fields whose width is given by what they say, at the left and the right end.
    private struct Ends {
        var state: [StyledText]
        var time: [StyledText]
        var download: [StyledText] = []
        var hasWords: Bool

        var columns: Int {
            (state + time + download).reduce(0) { $0 + PrintableText.columns(of: $1.text) }
        }
        /// Gaps to one middle field and between the ends themselves.
        var gaps: Int { download.isEmpty ? 2 : 3 }
    }

    /// The first choice that leaves room enough for title and bar, else the shortest.
    private static func ends(_ status: PlayerStatus, width: Int, style: LineStyle) -> Ends {
        let activity = ActivityText(status.activity)
        let word = [StyledText(text: activity.words, tint: activity.tint)]
        let symbol = [StyledText(text: activity.symbol(style.glyphs), tint: activity.tint)]
        let time = timeText(status, spaced: width >= 60)
        let download = DownloadText(status.arrival)
        let long = [StyledText(text: download.long, tint: .faint)].filter { !$0.text.isEmpty }
        let short = [StyledText(text: download.short, tint: .faint)].filter { !$0.text.isEmpty }
        let choices = [
            Ends(state: word, time: time, download: long, hasWords: true),
            Ends(state: word, time: time, download: short, hasWords: true),
            Ends(state: symbol, time: time, download: short, hasWords: false),
            Ends(state: symbol, time: time, hasWords: false),
        ]
        return choices.first { width - $0.columns - 2 * $0.gaps >= wantedForTitleAndBar } ?? choices[3]
    }

    private static func timeText(_ status: PlayerStatus, spaced: Bool) -> [StyledText] {
        guard status.item != nil else { return [] }
        let position = ClockText.time(status.position ?? .zero)
        let slash = spaced ? " / " : "/"
        let volume = (status.volume * 100).rounded()
        let note = spaced && volume != 100 && (0...150).contains(volume) ? " vol \(Int(volume))%" : ""
        return [
            StyledText(text: position, tint: .strong),
            StyledText(text: slash + ClockText.time(status.duration) + note),
        ]
    }

    /// Title and bar, which share the room the ends leave.
    private struct Middle {
        var title: [StyledText] = []
        var bar: [StyledText] = []

        init(_ status: PlayerStatus, room: Int, gap: Int, hasWords: Bool, style: LineStyle) {
            let cells = Self.cells(in: room)
            if let drawn = ArrivalBar(status, cells: cells) { bar = drawn.rendered(style.glyphs) }
            let titleRoom = bar.isEmpty ? room : room - cells - gap
            let activity = ActivityText(status.activity)
            let text = !hasWords && activity.isNews
                ? StyledText(text: PrintableText(activity.words).cut(to: titleRoom, ellipsis: "").text, tint: activity.tint)
                : StyledText(text: Self.title(status, room: titleRoom, style: style))
            if !text.text.isEmpty { title = [text] }
        }

        /// Two fifths of the room, or all of it where a title would be a stump.
        private static func cells(in room: Int) -> Int {
            guard room >= barCells.lowerBound * 2 else { return room >= barCells.lowerBound ? room : 0 }
            return min(max(room * 2 / 5, barCells.lowerBound), barCells.upperBound)
        }

        /// Podcast and episode where both fit, else the episode, cut.
        private static func title(_ status: PlayerStatus, room: Int, style: LineStyle) -> String {
            guard let item = status.item, room > 3 else { return "" }
            let ascii = style.glyphs == .ascii
            let number = status.itemCount > 1 ? "\(status.itemNumber)/\(status.itemCount) " : ""
            let episode = PrintableText(number + item.title, asciiOnly: ascii)
            if let podcast = item.podcast {
                let both = PrintableText("\(number)\(podcast)\(ascii ? " - " : " – ")\(item.title)", asciiOnly: ascii)
                if both.columns <= room { return both.text }
            }
            return episode.cut(to: room, ellipsis: ascii ? "..." : "…").text
        }
    }
}
