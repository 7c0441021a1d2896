// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// Times and days as the screen shows them.
enum ShortTime {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns `22 Nov`, or the year of an earlier day: always six columns.
    static func day(_ day: LocalDay?, today: LocalDay) -> String {
        guard let day else { return "     -" }
        guard day.year == today.year, (1...12).contains(day.month) else { return padded("\(day.year)", 6) }
        return padded("\(day.day) \(months[day.month - 1])", 6)
    }

    /// Returns `2:16` in hours and minutes; `16 min` or `40 s` for less than an hour or a minute.
    static func hours(_ time: Duration) -> String {
        let seconds = max(0, time.components.seconds)
        let minutes = seconds / 60
        guard minutes > 0 else { return "\(seconds) s" }
        guard minutes >= 60 else { return "\(minutes) min" }
        return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }

    static func padded(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - text.count)) + text
    }
}
