// SPDX-License-Identifier: GPL-3.0-or-later

/// A moment in UTC, in whole seconds, for example the publication time of an episode.
public struct UTCTime: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let secondsSince1970: Int64

    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Creates a time from a date of the proleptic Gregorian calendar and a time of day in UTC.
    /// - Returns: `nil` if the year is outside 1...9999 or a field is out of range. Second 60 counts as second 0 of
    ///   the next minute.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second),
            day >= 1, day <= Self.daysInMonth(month, of: year)
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month, day: day)
        self.init(secondsSince1970: Int64(days * Self.secondsOfDay + hour * 3_600 + minute * 60 + second))
    }

    /// The date of the proleptic Gregorian calendar in UTC.
    public var date: (year: Int, month: Int, day: Int) {
        Self.calendarDate(daysSince1970: Self.divided(Int(secondsSince1970), by: Self.secondsOfDay).quotient)
    }

    public static func < (left: UTCTime, right: UTCTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// Returns this time plus `time`, in whole seconds; a sum that overflows is clamped to the last (or first)
    /// representable time.
    public func later(by time: Duration) -> UTCTime {
        let seconds = time.components.seconds
        let (sum, isOutside) = secondsSince1970.addingReportingOverflow(seconds)
        return UTCTime(secondsSince1970: isOutside ? (seconds < 0 ? .min : .max) : sum)
    }
}

extension UTCTime: CustomStringConvertible {
    /// The time in ISO 8601: `2024-02-29T18:30:00Z`.
    public var description: String {
        let second = Self.divided(Int(secondsSince1970), by: Self.secondsOfDay).remainder
        let date = date
        var text: [UInt8] = []
        text.reserveCapacity(20)
        Self.append(date.year, width: 4, "-", to: &text)
        Self.append(date.month, width: 2, "-", to: &text)
        Self.append(date.day, width: 2, "T", to: &text)
        Self.append(second / 3_600, width: 2, ":", to: &text)
        Self.append(second / 60 % 60, width: 2, ":", to: &text)
        Self.append(second % 60, width: 2, "Z", to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension UTCTime {
    /// Appends a number with at least `width` digits, and the character after it.
    private static func append(_ number: Int, width: Int, _ end: Unicode.Scalar, to text: inout [UInt8]) {
        let digits = String(number).utf8
        for _ in 0..<max(0, width - digits.count) { text.append(UInt8(ascii: "0")) }
        text.append(contentsOf: digits)
        text.append(UInt8(ascii: end))
    }

    private static let secondsOfDay = 86_400

    /// Divides by a positive number, and rounds the quotient down.
    private static func divided(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Years begin in March here: the leap day is then the last day of a year and needs no special case.
    private static let daysBeforeEpoch = 719_468
    private static let daysInEra = 146_097

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = marchYear / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * daysInEra + dayOfEra - daysBeforeEpoch
    }

    private static func calendarDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + daysBeforeEpoch
        let (era, dayOfEra) = divided(days, by: daysInEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
