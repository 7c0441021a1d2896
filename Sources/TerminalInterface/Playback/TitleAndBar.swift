// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// Title and bar, which share the remaining columns of the status line.
struct TitleAndBar {
    /// The narrowest and the widest bar.
    private static let barCells = 8...40
    /// A shorter part of a title is not useful.
    private static let shortestTitle = 5

    var title: [StyledText] = []
    var bar: [StyledText] = []

    init(_ status: PlayerStatus, room: Int, gap: Int, hasWords: Bool, style: LineStyle) {
        let activity = ActivityText(status)
        let isNews = !hasWords && activity.isNews
        let candidates = isNews ? activity.byLength : Self.titles(status, style: style)
        let cells = Self.cells(in: room, gap: gap, titles: candidates)
        if let drawn = DownloadBar(status, cells: cells) { bar = drawn.rendered(style.glyphs) }
        let titleRoom = bar.isEmpty ? room : room - cells - gap
        let fitting = candidates.first { $0.columns <= titleRoom }
        let cut =
            isNews || titleRoom < Self.shortestTitle
            ? PrintableText() : candidates.last?.cut(to: titleRoom, ellipsis: style.glyphs == .ascii ? "..." : "…")
        let text = (fitting ?? cut)?.text ?? ""
        if !text.isEmpty { title = [StyledText(text: text, tint: isNews ? activity.tint : .plain)] }
    }

    /// Returns the cells of the bar: the columns left by the longest title that fits, but at least a third of the
    /// columns, and all of them if the title would be too short.
    private static func cells(in room: Int, gap: Int, titles: [PrintableText]) -> Int {
        let least = max(barCells.lowerBound, room / 3)
        guard room >= barCells.lowerBound + gap + shortestTitle else { return room >= barCells.lowerBound ? room : 0 }
        let left = titles.map { room - gap - $0.columns }.first { $0 >= least } ?? least
        return min(left, barCells.upperBound)
    }

    /// Returns the podcast with the episode, and the episode alone; first both with the title of the chapter.
    private static func titles(_ status: PlayerStatus, style: LineStyle) -> [PrintableText] {
        guard let item = status.item else { return [] }
        let ascii = style.glyphs == .ascii
        let number = status.itemCount > 1 ? "\(status.itemNumber)/\(status.itemCount) " : ""
        let dash = ascii ? " - " : " – "
        let whole = item.podcast.map { number + $0 + dash + item.title }
        let short = number + item.title
        let chapter = ChapterText.title(status).map { dash + $0 }
        let texts = [chapter.flatMap { c in whole.map { $0 + c } }, chapter.map { short + $0 }, whole, short]
        return texts.compactMap { $0.map { PrintableText($0, asciiOnly: ascii) } }
    }
}
