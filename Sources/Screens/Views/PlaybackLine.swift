// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// The line of playback: the title, the bar of `play` with the chapters as ticks, the time, and the download.
struct PlaybackLine {
    private let screen: Screen
    private let area: Area
    private let kind: Layout.Kind
    /// The time and the speed.
    private let time: String
    /// The volume, and the download on a wide screen.
    private let end: String
    /// The cells of the bar; `nil` if the screen shows none. A click there seeks.
    let bar: Area?

    init(_ screen: Screen, _ layout: Layout) {
        (self.screen, area, kind) = (screen, layout.now, layout.kind)
        (time, end) = Self.texts(screen, layout)
        let row = area.rows == 3 ? area.row + 1 : area.row
        let width = area.columns - 3 - time.count - 2 - (end.isEmpty ? 0 : end.count + 2) - 1
        let isShown = kind != .tiny && area.rows > 0 && width >= 8 && screen.player?.item != nil
        bar = isShown ? Area(row: row, column: 3, rows: 1, columns: width) : nil
    }

    private static func texts(_ screen: Screen, _ layout: Layout) -> (time: String, end: String) {
        guard let player = screen.player, player.item != nil else { return ("", "") }
        let position = (player.positionIsEstimated ? "~" : "") + ClockText.time(screen.position ?? .zero)
        let whole = ClockText.time(player.duration)
        // Padded, so that the bar keeps its width while the position grows.
        let time = ShortTime.padded(position, whole.count) + (layout.kind == .tiny ? "/" : " / ") + whole
        let parts = [
            speed(player), layout.kind == .wide ? download(player) : "", "vol \(player.volumePercent)",
            player.repeatMode == "off" ? "" : "repeat \(player.repeatMode)",
            (screen.sleepLeft.map { ClockText.time($0) } ?? player.sleep).map { "sleep \($0)" } ?? "",
        ]
        let end = parts.filter { !$0.isEmpty }.joined(separator: "  ")
        // A narrow screen needs its columns for the bar.
        return (
            time, layout.now.columns >= time.count + end.count + 24 ? String(end.unicodeScalars.filter(\.isASCII)) : ""
        )
    }

    private static func speed(_ player: PlayerState) -> String {
        let hundredths = Int((min(max(player.speed, 0), 10) * 100).rounded())
        guard hundredths != 100 else { return "" }
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)x"
    }

    private static func download(_ player: PlayerState) -> String {
        let rate = player.bytesPerSecond.map { ClockText.rate($0) }
        let left = player.bytesLeft.map { ClockText.size($0) + " left" }
        let text = [rate, left].compactMap { $0 }.joined(separator: ", ")
        // Reserved columns keep the bar in its place when the figures grow.
        return text.isEmpty ? "" : text + String(repeating: " ", count: max(0, 22 - text.count))
    }

    func draw(on canvas: inout Canvas) {
        guard area.rows > 0 else { return }
        guard let player = screen.player, let item = player.item else {
            canvas.text("Nothing is playing.", in: area.line(0).inset(left: 1), CellStyle(dim: true))
            return
        }
        if kind == .tiny { return drawTiny(player, item, on: &canvas) }
        let line = Area(row: bar?.row ?? area.row, column: 0, rows: 1, columns: area.columns)
        canvas.put(canvas.glyphs.activity(player.activity), line.row, 1, Self.style(player.activity))
        if let bar { draw(player, in: bar, on: &canvas) }
        let start = bar?.endColumn ?? 1
        canvas.spaced(time, in: line.inset(left: start + 2), CellStyle(bold: true))
        if !end.isEmpty { canvas.spaced(end, in: line.inset(left: start + 4 + time.count)) }
        if area.rows == 3 { drawTitles(player, item, on: &canvas) }
    }

    private func drawTiny(_ player: PlayerState, _ item: PlayerState.Item, on canvas: inout Canvas) {
        canvas.put(canvas.glyphs.activity(player.activity), area.row, 0, Self.style(player.activity))
        let short = area.columns >= time.count + 8 ? time : ClockText.time(screen.position ?? .zero)
        let rest = area.line(0).inset(left: 2)
        canvas.text(short, in: rest, CellStyle(bold: true), .right)
        canvas.text(words(player) ?? item.title, in: rest.inset(left: 0, right: short.count + 1))
    }

    /// Draws the rows above and below the bar.
    private func drawTitles(_ player: PlayerState, _ item: PlayerState.Item, on canvas: inout Canvas) {
        let (first, last) = (area.line(0).inset(left: 1, right: 1), area.line(2).inset(left: 3, right: 1))
        let right = words(player) ?? chapter
        let width = right.isEmpty ? 0 : canvas.text(right, in: first.inset(left: first.columns / 2), .plain, .right) + 2
        let dash = canvas.glyphs.dash
        let title = item.title + (item.podcast.map { dash + $0 } ?? "")
        canvas.text(title, in: first.inset(left: 0, right: width), CellStyle(bold: true))
        let left = canvas.text(
            Self.download(player), in: last.inset(left: 0, right: last.columns / 2), CellStyle(dim: true))
        guard player.repeatMode != "one", let next = player.next else { return }
        canvas.text("next: " + next.title, in: last.inset(left: left + 2), CellStyle(dim: true), .right)
    }

    /// Draws the title and the chapter into the line above the bar if they have no row of their own. A wide screen
    /// shows them beside the lists, so only an unusual state is drawn.
    func drawTitles(onRule row: Int, _ canvas: inout Canvas) {
        guard let player = screen.player, let item = player.item, area.rows == 1, kind != .tiny else { return }
        let words = words(player)
        let rule = Area(row: row, column: 3, rows: 1, columns: area.columns - 6)
        let right = words ?? (kind == .wide ? "" : chapter)
        let width = right.isEmpty ? 0 : canvas.label(right, in: rule.inset(left: rule.columns / 2), .plain, .right) + 3
        guard kind == .standard else { return }
        canvas.label(item.title, in: rule.inset(left: 0, right: width), CellStyle(bold: true))
    }

    /// The state in words, if it is not the usual one.
    private func words(_ player: PlayerState) -> String? {
        switch player.activity {
        case .playing, .paused, .idle: nil
        case .loading: "loading"
        case .buffering: "buffering"
        case .seeking: "seeking"
        case .ended: "ended"
        case .connectionLost: "lost connection"
        case .noDevice: "no sound output"
        }
    }

    private var chapter: String {
        guard let index = screen.currentChapter else { return "" }
        let place = "(\(index + 1) of \(screen.chapters.count))"
        return [screen.chapters[index].title, place].compactMap { $0 }.joined(separator: " ")
    }

    private static func style(_ activity: PlayerState.Activity) -> CellStyle {
        switch activity {
        case .playing: CellStyle(.green)
        case .connectionLost, .noDevice: CellStyle(.red, bold: true)
        case .loading, .buffering, .seeking: CellStyle(.yellow)
        case .idle, .paused, .ended: CellStyle(bold: true)
        }
    }

    private func draw(_ player: PlayerState, in area: Area, on canvas: inout Canvas) {
        let whole = player.duration.value.flatMap { $0 > .zero ? $0 : nil }
        let parts: [Range<Double>]? = whole.map { whole in
            player.isDownloaded ? [0..<1] : player.buffered.map { $0.lowerBound / whole..<$0.upperBound / whole }
        }
        let head = whole.flatMap { whole in screen.position.map { min(max(0, $0 / whole), 1) } }
        let cells = DownloadBar(arrived: parts ?? [], playhead: head, cells: area.columns).cells
        for (index, cell) in cells.enumerated() {
            let (glyph, style) = Self.drawn(cell, canvas.glyphs)
            canvas.put(glyph, area.row, area.column + index, style)
        }
        guard let whole else { return }
        for chapter in screen.chapters.prefix(1000) where chapter.start > .zero && chapter.start < whole {
            let index = min(area.columns - 1, Int(chapter.start / whole * Double(area.columns)))
            guard cells[index] != .playhead else { continue }
            canvas.put(canvas.glyphs.tick, area.row, area.column + index, Self.drawn(cells[index], canvas.glyphs).1)
        }
    }

    private static func drawn(_ cell: DownloadBar.Cell, _ glyphs: Glyphs) -> (Character, CellStyle) {
        switch cell {
        case .played: (glyphs.played, CellStyle(.cyan))
        case .arrived: (glyphs.arrived, CellStyle(.green))
        case .missing: (glyphs.missing, CellStyle(dim: true))
        case .playhead: (glyphs.playhead, CellStyle(bold: true))
        }
    }
}
