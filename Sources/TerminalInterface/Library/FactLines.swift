// SPDX-License-Identifier: GPL-3.0-or-later

/// Labels and values in two columns.
struct FactLines {
    private let layout: ListLayout
    private var facts: [(label: String, value: String)] = []

    init(_ layout: ListLayout) { self.layout = layout }

    /// Adds a line unless the value is missing or empty.
    mutating func add(_ label: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        facts.append((label, value))
    }

    var lines: [String] {
        let columns = (facts.map(\.label.count).max() ?? 0) + 2
        return facts.flatMap { label, value in
            let wrapped = WrappedText.lines(layout.text(value), columns: layout.width, indent: columns)
            return wrapped.enumerated().map { place, line in
                (place == 0 ? label + ListLayout.blanks(columns - label.count) : ListLayout.blanks(columns)) + line
            }
        }
    }
}
