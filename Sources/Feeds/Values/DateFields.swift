// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The parts of a date read so far: its numbers in order, and the parts identified by name.
struct DateFields {
    struct Number {
        let value: Int
        let digits: Int
        /// The byte after the number.
        let separator: UInt8
    }

    /// The numbers of the day: at most three.
    private(set) var numbers: [Number] = []
    var month: Int?
    /// Hour, minute, second.
    var clock: (Int, Int, Int)?
    /// Seconds east of UTC.
    var offset = 0
    /// True if words precede the time; a year alone is then not a date.
    var hasWords = false
    /// A number after those of the day: the hour, if AM, PM or an offset follows.
    private var spare: Int?

    /// True if a time other than midnight was read: midnight may be a placeholder with the actual time after it.
    var hasTime: Bool { clock.map { $0 != (0, 0, 0) } ?? false }
    var hasDay: Bool { numbers.count == (month == nil ? 3 : 2) }
    /// True if no further text can improve the date.
    var isComplete: Bool { hasDay && clock != nil }

    mutating func add(_ number: Number) {
        if numbers.count < (month == nil ? 3 : 2) { numbers.append(number) } else { spare = number.value }
    }

    mutating func setHalfDay(isAfternoon: Bool) -> Bool {
        guard let (hour, minute, second) = clock ?? spare.map({ ($0, 0, 0) }), (0...23).contains(hour) else {
            return false
        }
        // In 18:30 PM, the hour already includes the afternoon.
        clock = (hour > 12 ? hour : hour % 12 + (isAfternoon ? 12 : 0), minute, second)
        return true
    }

    /// Reads a spare number, in the position of the time, as the hour.
    mutating func parseHour() {
        if clock == nil, let spare, (0...23).contains(spare) { clock = (spare, 0, 0) }
    }

    var time: UTCTime? {
        guard let day, day.year >= 1900 else { return nil }
        var (hour, minute, second) = clock ?? (0, 0, 0)
        let isMidnight = (hour, minute, second) == (24, 0, 0)
        if isMidnight { hour = 0 }
        return UTCTime(year: day.year, month: day.month, day: day.day, hour: hour, minute: minute, second: second)
            .map { time in
                let days = (isMidnight ? 1 : 0) + day.extra
                return UTCTime(secondsSince1970: time.secondsSince1970 + Int64(days * 86_400 - offset))
            }
    }
}

extension DateFields {
    private typealias Day = (year: Int, month: Int, day: Int, extra: Int)

    private var day: Day? {
        if let month { return numbers.count == 2 ? named(month) : nil }
        switch numbers.count {
        case 3: return numeric
        case 2 where numbers[0].digits == 4 && !hasWords: return partial(numbers[1])
        case 1 where numbers[0].digits == 4 && clock == nil && !hasWords: return (numbers[0].value, 1, 1, 0)
        default: return nil
        }
    }

    /// Reads 29 Feb 2024, Feb 29 24 or 2024 Feb 29.
    private func named(_ month: Int) -> Day {
        let yearIsFirst = numbers[0].digits >= 3 || numbers[0].value > 31
        let (year, day) = yearIsFirst ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
        return (Self.year(year), month, day.value, 0)
    }

    /// Reads 2024-02-29. With the year at the end, slashes are American, points and dashes European, unless the
    /// result has no valid month.
    private var numeric: Day {
        let values = numbers.map(\.value)
        if numbers[0].digits >= 3 { return (Self.year(numbers[0]), values[1], values[2], 0) }
        let isAmerican = numbers[0].separator == UInt8(ascii: "/")
        let dayIsFirst = isAmerican ? values[0] > 12 : values[1] <= 12
        let (day, month) = dayIsFirst ? (values[0], values[1]) : (values[1], values[0])
        return (Self.year(numbers[2]), month, day, 0)
    }

    /// Reads 2024-02, or the day of a year: 2024-060.
    private func partial(_ number: Number) -> Day? {
        let year = numbers[0].value
        guard number.digits == 3 else { return clock == nil ? (year, number.value, 1, 0) : nil }
        let days = UTCTime(year: year, month: 2, day: 29) == nil ? 365 : 366
        return (1...days).contains(number.value) ? (year, 1, 1, number.value - 1) : nil
    }

    /// Returns the full year: two digits mean 1970 to 2069; three count from 1900, as programs of the last century
    /// do.
    private static func year(_ number: Number) -> Int {
        switch number.digits {
        case 1, 2: number.value + (number.value < 70 ? 2_000 : 1_900)
        case 3: number.value + 1_900
        default: number.value
        }
    }
}
