// SPDX-License-Identifier: GPL-3.0-or-later

/// The frequency of a recurrence rule. Source: RFC 5545, 3.3.10.
enum RecurrenceRule {
    /// Returns the approximate interval between two occurrences; the days on which they fall are ignored.
    /// - Returns: `nil` if the text is not a recurrence rule.
    static func rhythm(_ rule: String) -> Duration? {
        var parts: [Substring: Substring] = [:]
        for part in rule.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { parts[pair[0]] = pair[1] }
        }
        guard let frequency = parts["FREQ"], let period = seconds[frequency] else { return nil }
        let interval = parts["INTERVAL"].flatMap { Int($0) }.flatMap { (1...1000).contains($0) ? $0 : nil } ?? 1
        let days = parts["BYDAY"].map { $0.split(separator: ",").count } ?? 1
        return .seconds(period * interval / max(1, days))
    }

    private static let seconds: [Substring: Int] = [
        "HOURLY": 3_600, "DAILY": 86_400, "WEEKLY": 7 * 86_400, "MONTHLY": 30 * 86_400, "YEARLY": 365 * 86_400,
    ]
}
