// SPDX-License-Identifier: GPL-3.0-or-later

/// The selected row of a list, and the first visible row.
struct ListCursor: Sendable, Hashable {
    private(set) var index = 0
    private(set) var top = 0

    init(index: Int = 0, top: Int = 0) { (self.index, self.top) = (max(0, index), max(0, top)) }

    /// Moves the selection, within a list of `count` rows.
    mutating func move(by step: Int, count: Int) {
        let (sum, isOutside) = index.addingReportingOverflow(step)
        move(to: isOutside ? (step < 0 ? 0 : count - 1) : sum, count: count)
    }

    mutating func move(to row: Int, count: Int) { index = max(0, min(row, count - 1)) }

    /// Moves selection and view together, when rows before them appear or disappear. The beginning of a list stays
    /// visible, because new rows appear there.
    mutating func follow(to row: Int) {
        if top > 0 { top = max(0, top + row - index) }
        index = max(0, row)
    }

    /// Scrolls so that the selection is visible, and no row after the last one is.
    mutating func settle(height: Int, count: Int) {
        index = max(0, min(index, count - 1))
        top = visibleTop(height: height, count: count)
    }

    /// Returns the first visible row for a height.
    func visibleTop(height: Int, count: Int) -> Int {
        guard height > 0 else { return index }
        let last = max(0, count - height)
        return min(last, max(index - height + 1, min(top, index)))
    }
}
