// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A past time as written by people: `2026-01-31`, `today`, `yesterday`, `7d`, `2w`, `3m`. Days begin at midnight in
/// local time.
public enum PastDate: Sendable, Equatable {
    /// The beginning of a day, in local time.
    case day(UTCTime)
    /// The beginning of the day this many days ago.
    case daysAgo(Int)
    /// This many days before now, to the second.
    case days(Int)
    /// This many calendar months before now.
    case months(Int)

    private static let secondsOfADay: Int64 = 86_400
    private static let most = 100_000

    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        switch text.lowercased() {
        case "today": self = .daysAgo(0)
        case "yesterday": self = .daysAgo(1)
        case let text:
            guard let time = Self.length(text) ?? Self.date(text) else {
                throw ArgumentError("invalid day \"\(text)\": write 2026-01-31, 7d, 2w, 3m, today or yesterday")
            }
            self = time
        }
    }

    private static func length(_ text: String) -> PastDate? {
        guard let unit = text.last, let number = digits(text.dropLast()), number <= most else { return nil }
        switch unit {
        case "d": return .days(number)
        case "w": return .days(number * 7)
        case "m": return .months(number)
        default: return nil
        }
    }

    private static func date(_ text: String) -> PastDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { digits($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        return UTCTime(year: year, month: month, day: day).map(PastDate.day)
    }

    private static func digits(_ text: Substring) -> Int? {
        guard (1...6).contains(text.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    public func time(before now: UTCTime) -> UTCTime {
        let clock = WallClock.current
        return clock.time(reading: reading(before: clock.reading(at: now)))
    }

    private func reading(before now: UTCTime) -> UTCTime {
        let seconds = now.secondsSince1970
        switch self {
        case .day(let day): return day
        case .days(let days): return UTCTime(secondsSince1970: seconds - Int64(days) * Self.secondsOfADay)
        case .daysAgo(let days):
            let midnight = seconds - seconds % Self.secondsOfADay
            return UTCTime(secondsSince1970: midnight - Int64(days) * Self.secondsOfADay)
        case .months(let months): return Self.months(months, before: now)
        }
    }

    /// Returns the same day of an earlier month, or the last day of a shorter month.
    private static func months(_ months: Int, before now: UTCTime) -> UTCTime {
        let date = now.date
        let month = max(12, date.year * 12 + date.month - 1 - months)
        for day in stride(from: date.day, through: 1, by: -1) {
            if let time = UTCTime(year: month / 12, month: month % 12 + 1, day: day) { return time }
        }
        return now
    }
}
