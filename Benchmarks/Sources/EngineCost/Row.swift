// SPDX-License-Identifier: GPL-3.0-or-later
import Measuring

/// One line of the output: a JSON object.
struct Row {
    private var fields: [String]

    init(_ what: String) { fields = ["\"what\": \"\(what)\""] }

    var line: String { "{\(fields.joined(separator: ", "))}" }

    mutating func add(_ name: String, _ number: Double) { fields.append("\"\(name)\": \(number)") }

    /// Returns a row with nanoseconds per item, ours and the others', and the ratios of ours to theirs.
    static func each(
        _ what: String, _ count: Int, _ ours: Duration, _ others: [(name: String, time: Duration)]
    ) -> Row {
        var row = Row(what)
        func add(_ name: String, _ time: Duration) { row.add(name, (time / .nanoseconds(count) * 10).rounded() / 10) }
        add("ns_each", ours)
        for other in others {
            add("\(other.name)_ns_each", other.time)
            row.add("ratio_to_\(other.name)", rounded(ours / other.time))
        }
        return row
    }

    /// Returns a row with medians and 99th percentiles, ours and the others', and the ratios of our median to theirs.
    static func quantiles(_ what: String, _ ours: [Duration], _ others: [(name: String, times: [Duration])]) -> Row {
        var row = Row(what)
        let own = Quantiles(ours)
        row.add("median_ms", own.milliseconds(0.5))
        row.add("p99_ms", own.milliseconds(0.99))
        for other in others {
            let their = Quantiles(other.times)
            row.add("\(other.name)_median_ms", their.milliseconds(0.5))
            row.add("\(other.name)_p99_ms", their.milliseconds(0.99))
            row.add("ratio_to_\(other.name)", rounded(own.milliseconds(0.5) / their.milliseconds(0.5)))
        }
        return row
    }
}
