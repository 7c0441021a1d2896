// SPDX-License-Identifier: GPL-3.0-or-later

/// The times of several implementations of the same work in one run.
struct Contest {
    private let unit: String
    private var rows: [[String]]

    /// - Parameter others: The names of the implementations to compare with.
    init(_ title: String, unit: String, others: [String]) {
        self.unit = unit
        rows = [[title, "ours"] + others + others.map { "\($0) ÷ ours" }]
    }

    /// Measures one operation.
    /// - Parameters:
    ///   - count: The units of work done by one call.
    ///   - others: One implementation for each name; `nil` if there is none.
    mutating func add(_ name: String, _ count: Int, ours: @escaping () -> Void, others: [(() -> Void)?]) {
        let times = Self.nanoseconds([ours] + others).map { $0.map { $0 / Double(count) } }
        let own = times[0] ?? 0
        let ratios = times.dropFirst().map { $0.map { ($0 / own).text(2) } ?? "-" }
        rows.append([name] + times.map { $0?.text(3) ?? "-" } + ratios)
    }

    func print() {
        Swift.print("\nns per \(unit)")
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            Swift.print(cells.joined(separator: "  "))
        }
    }

    /// Returns the shortest of many measurements of one call of each, because disturbances only make a run longer.
    /// The implementations take turns, so that a lasting disturbance affects all of them.
    private static func nanoseconds(_ works: [(() -> Void)?]) -> [Double?] {
        let clock = ContinuousClock()
        let calls = works.map { work -> Int in
            guard let work else { return 0 }
            var calls = 1
            while clock.measure({ for _ in 0..<calls { work() } }) < .milliseconds(1) { calls *= 2 }
            return calls
        }
        var shortest = works.map { $0.map { _ in Double.infinity } }
        for _ in 0..<40 {
            for (number, work) in works.enumerated() {
                guard let work, let before = shortest[number] else { continue }
                let time = clock.measure { for _ in 0..<calls[number] { work() } }
                shortest[number] = min(before, time / .nanoseconds(1) / Double(calls[number]))
            }
        }
        return shortest
    }
}

extension Double {
    fileprivate func text(_ digits: Int) -> String {
        let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
        let whole = Int((self * Double(unit)).rounded())
        return "\(whole / unit).\(String(String(unit + whole % unit).dropFirst()))"
    }
}
