// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension Screen {
    private static let wheelRows = 3

    mutating func click(_ input: MouseInput) -> [ScreenEffect] {
        guard options.hasMouse else { return [] }
        let step = input.action == .wheelUp ? -Self.wheelRows : Self.wheelRows
        switch input.action {
        case .wheelUp, .wheelDown:
            scroll(at: input.place, by: step)
            return []
        case .press: return press(at: input.place)
        case .doublePress:
            guard typing == nil, help == nil, reader == nil, select(at: input.place), isValid(.open) else { return [] }
            return perform(.open)
        }
    }

    private mutating func scroll(at place: CellPlace, by step: Int) {
        if let count = help?.rows.count {
            help?.cursor.move(by: step, count: count)
        } else if reader != nil {
            reader?.scroll(by: step)
        } else if let pane = pane(at: place) {
            move(pane, by: step)
        }
    }

    private mutating func press(at place: CellPlace) -> [ScreenEffect] {
        message = nil
        guard typing == nil, help == nil else { return [] }
        if place.row == 0, let tab = TabBar(self, columns: size.columns, layout.kind).tab(at: place.column) {
            show(tab)
            return []
        }
        if let target = seekTarget(place) { return [.player(.seek(to: target))] }
        if reader == nil { _ = select(at: place) }
        return []
    }

    private func pane(at place: CellPlace) -> Pane? {
        layout.panes.first { $0.value.contains(place) }?.key
    }

    /// Selects the row at a place.
    /// - Returns: false if there is no row.
    private mutating func select(at place: CellPlace) -> Bool {
        guard let pane = pane(at: place), let area = layout.panes[pane] else { return false }
        focused[tab] = pane
        let row = top(pane, height: area.rows) + place.row - area.row
        guard row < rowCount else { return false }
        select(row, in: pane)
        return true
    }

    private func seekTarget(_ place: CellPlace) -> Duration? {
        guard let bar = PlaybackLine(self, layout).bar, bar.contains(place), let whole = player?.duration.value,
            player?.item != nil, whole > .zero
        else { return nil }
        return whole * ((Double(place.column - bar.column) + 0.5) / Double(bar.columns))
    }
}
