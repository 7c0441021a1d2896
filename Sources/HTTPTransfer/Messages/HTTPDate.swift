// SPDX-License-Identifier: GPL-3.0-or-later

/// A point in time in HTTP's format, with a resolution of one second. Source: RFC 9110 section 5.6.7, all three
/// forms.
public struct HTTPDate: Sendable, Hashable {
    /// The seconds since 1970-01-01 00:00:00 UTC.
    public let secondsSinceEpoch: Int64

    public init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Parses a date in any of the three forms; `nil` for any other text.
    public init?(headerText text: String) {
        let words = text.split { " ,-".contains($0) }
        switch (words.count, text.contains("-")) {
        case (6, false) where words[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT
            self.init(day: words[1], month: words[2], year: Int64(httpDigits: words[3]), time: words[4])
        case (6, true) where words[5] == "GMT":
            // Sunday, 06-Nov-94 08:49:37 GMT
            self.init(day: words[1], month: words[2], year: Self.fullYear(words[3]), time: words[4])
        case (5, false):
            // Sun Nov  6 08:49:37 1994
            self.init(day: words[2], month: words[1], year: Int64(httpDigits: words[4]), time: words[3])
        default:
            return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private init?(day: Substring, month: Substring, year: Int64?, time: Substring) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int64(httpDigits: $0) }
        guard let year, 1600...9999 ~= year, let day = Int64(httpDigits: day), 1...31 ~= day,
            let month = Self.months.firstIndex(of: String(month)),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: Int64(month) + 1, day: day)
        secondsSinceEpoch = ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    /// Returns the nearest year for two digits; until 2069 that is 1970...2069.
    private static func fullYear(_ text: Substring) -> Int64? {
        guard let year = Int64(httpDigits: text), year < 100 else { return nil }
        return year < 70 ? 2000 + year : 1900 + year
    }

    /// Returns the days in the Gregorian calendar. Years begin in March, so that the leap day is the last day of a
    /// year.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let monthsSinceMarch = (month + 9) % 12
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        let dayOfYear = (153 * monthsSinceMarch + 2) / 5 + day - 1
        let daysFromYearZeroToEpoch: Int64 = 719_468
        return marchYear * 365 + leapDays + dayOfYear - daysFromYearZeroToEpoch
    }
}
