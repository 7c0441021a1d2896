// SPDX-License-Identifier: GPL-3.0-or-later
import FullScreen
import Media
import Screens
import TerminalInterface

/// The drawing of the screen on the terminal: the differences from the last frame, and pictures.
struct ScreenPainter {
    private let output: ScreenOutput
    private let wake: WakeSignal
    private var writer: CellWriter
    private var traits: TerminalTraits
    private var pictures: TerminalAbilities.Pictures?
    /// The last drawings of covers; few are shown one after the other.
    private var drawings: [(request: CoverRequest, bytes: [UInt8])] = []
    private var shownCover: PlacedCover?

    private static let mostDrawings = 8

    init(_ output: ScreenOutput, _ wake: WakeSignal, _ style: LineStyle) {
        (self.output, self.wake) = (output, wake)
        writer = CellWriter(isUnicode: style.glyphs == .unicode, hasColours: style.colour)
        let widths = ClusterWidths()
        traits = TerminalTraits(isUnicode: style.glyphs == .unicode, hasColours: style.colour) {
            widths.columns(of: $0)
        }
    }

    var size: ScreenSize {
        let (columns, rows) = output.size
        return ScreenSize(columns: columns, rows: rows)
    }

    /// Draws with the abilities that the terminal has shown.
    mutating func use(_ abilities: TerminalAbilities) {
        let widths = abilities.widths
        (writer.widths, writer.synchronizes, pictures) = (widths, abilities.synchronizes, abilities.pictures)
        traits.columns = { widths.columns(of: $0) }
        traits.drawsPictures = abilities.pictures != nil
    }

    /// Makes the next frame write everything.
    mutating func forget() {
        writer.forget()
        shownCover = nil
    }

    mutating func keep(_ bytes: [UInt8], of request: CoverRequest) {
        drawings.removeAll { $0.request == request }
        drawings.append((request, bytes))
        if drawings.count > Self.mostDrawings { drawings.removeFirst() }
    }

    /// Writes bytes that change no cell.
    func write(_ bytes: [UInt8]) { _ = output.write(bytes, unless: WakeSignal()) }

    mutating func paint(_ screen: Screen) {
        let size = size
        let grid = screen.draw(size, traits)
        var bytes = removal(of: shownCover, for: grid)
        bytes += writer.draw(grid)
        bytes += drawing(of: grid.cover)
        guard !bytes.isEmpty else { return }
        if !output.write(bytes, unless: wake) { forget() }
    }

    /// Returns the bytes that remove the shown picture if it is no longer wanted.
    private mutating func removal(of shown: PlacedCover?, for grid: CellGrid) -> [UInt8] {
        guard let shown, shown != grid.cover else { return [] }
        shownCover = nil
        switch pictures {
        case .kitty: return Array("\u{1B}_Ga=d,q=2\u{1B}\\".utf8)
        case .sixel, nil:
            let (row, column) = (shown.place.row, shown.place.column)
            writer.forget(rows: row..<row + shown.request.rows, columns: column..<column + shown.request.columns)
            return []
        }
    }

    private mutating func drawing(of cover: PlacedCover?) -> [UInt8] {
        guard let cover, cover != shownCover, let drawing = drawings.first(where: { $0.request == cover.request })
        else {
            return []
        }
        shownCover = cover
        // The cursor is saved and restored (DECSC, DECRC).
        let place = "\u{1B}7\u{1B}[\(cover.place.row + 1);\(cover.place.column + 1)H"
        return Array(place.utf8) + drawing.bytes + Array("\u{1B}8".utf8)
    }
}
