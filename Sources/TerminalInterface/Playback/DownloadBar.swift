// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback

/// The bar: every downloaded extent, and the position of the playhead.
package struct DownloadBar: Equatable {
    package enum Cell: Equatable {
        /// Downloaded, before the playhead.
        case played
        /// Downloaded, after the playhead.
        case arrived
        case missing
        case playhead
    }

    package let cells: [Cell]

    /// Creates the bar of an item; `nil` if neither its length nor its duration is known, because there is no scale.
    init?(_ status: PlayerStatus, cells count: Int) {
        guard count > 0, let extents = Self.arrivedParts(status) else { return nil }
        self.init(arrived: extents, playhead: Self.playhead(status), cells: count)
    }

    /// Creates the bar from parts of the whole, 0...1.
    package init(arrived extents: [Range<Double>], playhead: Double?, cells count: Int) {
        let head = playhead.map { min(count - 1, Int($0 * Double(count))) }
        let extents = extents.map { Self.part($0.lowerBound, $0.upperBound) }
        let arrived = extents.reduce(into: Set()) { $0.formUnion(Self.cells(of: $1, count: count)) }
        cells = (0..<max(0, count)).map { index in
            if index == head { return .playhead }
            guard arrived.contains(index) else { return .missing }
            return index < head ?? 0 ? .played : .arrived
        }
    }

    /// Creates the bar of a download without playback; `nil` if its length is unknown.
    init?(_ downloadProgress: DownloadProgress, cells count: Int) {
        guard count > 0, let parts = Self.arrivedParts(downloadProgress) else { return nil }
        self.init(arrived: parts, playhead: nil, cells: count)
    }

    /// The cells whose middle is in `extent`. An extent without such a cell gets the one around it, so that it is
    /// shown.
    private static func cells(of extent: Range<Double>, count: Int) -> Range<Int> {
        let first = Int((extent.lowerBound * Double(count) + 0.5).rounded(.down))
        let end = Int((extent.upperBound * Double(count) + 0.5).rounded(.down))
        guard first >= end, !extent.isEmpty else { return first..<max(first, end) }
        let middle = Int((extent.lowerBound + extent.upperBound) / 2 * Double(count))
        return min(middle, count - 1)..<min(middle, count - 1) + 1
    }

    /// The downloaded extents as parts of the whole: by time if the duration is known, otherwise by bytes.
    private static func arrivedParts(_ status: PlayerStatus) -> [Range<Double>]? {
        if status.downloadProgress?.condition == .complete { return [0..<1] }
        if let whole = status.duration.value, whole > .zero, !status.buffered.isEmpty {
            return status.buffered.map { part($0.lowerBound / whole, $0.upperBound / whole) }
        }
        return status.downloadProgress.flatMap(arrivedParts) ?? (status.duration.value == nil ? nil : [])
    }

    private static func arrivedParts(_ downloadProgress: DownloadProgress) -> [Range<Double>]? {
        if downloadProgress.condition == .complete { return [0..<1] }
        guard let total = downloadProgress.total, total > 0 else { return nil }
        return downloadProgress.extents.ranges.map {
            part(Double($0.lowerBound) / Double(total), Double($0.upperBound) / Double(total))
        }
    }

    private static func part(_ low: Double, _ high: Double) -> Range<Double> {
        let low = min(max(0, low), 1)
        return low..<max(low, min(high, 1))
    }

    private static func playhead(_ status: PlayerStatus) -> Double? {
        guard let position = status.position, let whole = status.duration.value, whole > .zero else { return nil }
        return min(max(0, position / whole), 1)
    }
}

extension DownloadBar {
    /// Returns the bar with one piece for each run of equal cells.
    func rendered(_ glyphs: LineStyle.Glyphs) -> [StyledText] {
        var pieces: [StyledText] = []
        for cell in cells {
            let piece = cell.drawn(glyphs)
            if let last = pieces.last, last.tint == piece.tint {
                pieces[pieces.count - 1].text += piece.text
            } else {
                pieces.append(piece)
            }
        }
        return pieces
    }
}

extension DownloadBar.Cell {
    /// The character of the cell.
    package func glyph(_ glyphs: LineStyle.Glyphs) -> Character { Character(drawn(glyphs).text) }

    fileprivate func drawn(_ glyphs: LineStyle.Glyphs) -> StyledText {
        let unicode = glyphs == .unicode
        return switch self {
        case .played: StyledText(text: unicode ? "━" : "=", tint: .played)
        case .arrived: StyledText(text: unicode ? "─" : "-", tint: .good)
        case .missing: StyledText(text: unicode ? "·" : ".", tint: .faint)
        case .playhead: StyledText(text: unicode ? "●" : "O", tint: .strong)
        }
    }
}
