// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Parses the dates of feeds: RFC 822 with publishers' deviations, and ISO 8601.
///
/// The parser recognizes fields by their form, not by their position. A missing or unknown zone means UTC.
/// Source: RFC 822, 5, with RFC 2822's four-digit years; RFC 3339; W3C NOTE-datetime; RSS 2.0 `<pubDate>`.
enum RFC822Date {
    /// - Returns: `nil` for malformed text, never 1970 or the current time.
    static func parse(_ text: some Collection<UInt8>) -> UTCTime? {
        if let time = text.withContiguousStorageIfAvailable(usual) ?? nil { return time }
        let bytes = Array(ASCII.trimmed(Array(text)))
        guard !bytes.isEmpty, bytes.count <= 100 else { return nil }
        var reader = DateReader(bytes)
        return reader.read() ? reader.fields.time : nil
    }

    /// Parses `Thu, 29 Feb 2024 18:30:00 +0100`, also with GMT as the zone: a fast path for 99 % of dates.
    private static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> UTCTime? {
        guard 28...31 ~= bytes.count, bytes[3] == UInt8(ascii: ","), bytes[4] == 0x20 else { return nil }
        let dayDigits = bytes[6] == 0x20 ? 1 : 2
        let month = 5 + dayDigits + 1
        guard bytes.count >= month + 21, bytes[month - 1] == 0x20, bytes[month + 3] == 0x20, bytes[month + 8] == 0x20,
            bytes[month + 11] == UInt8(ascii: ":"), bytes[month + 14] == UInt8(ascii: ":"), bytes[month + 17] == 0x20,
            let offset = usualOffset(UnsafeBufferPointer(rebasing: bytes[(month + 18)...]))
        else { return nil }
        let number = { (start: Int, count: Int) in
            ASCII.number(UnsafeBufferPointer(rebasing: bytes[start..<(start + count)]))
        }
        guard let day = number(5, dayDigits), let year = number(month + 4, 4), year >= 1900,
            let hour = number(month + 9, 2), let minute = number(month + 12, 2), let second = number(month + 15, 2),
            let monthNumber = DateWords.englishMonth(UnsafeBufferPointer(rebasing: bytes[month..<(month + 3)]))
        else { return nil }
        let time = UTCTime(year: year, month: monthNumber, day: day, hour: hour, minute: minute, second: second)
        return time.map { UTCTime(secondsSince1970: $0.secondsSince1970 - Int64(offset)) }
    }

    /// Returns the seconds east of UTC.
    private static func usualOffset(_ zone: UnsafeBufferPointer<UInt8>) -> Int? {
        if ASCII.equals(zone, "GMT") { return 0 }
        guard zone.count == 5, let digits = ASCII.number(zone.dropFirst()), digits < 1_400, digits % 100 < 60 else {
            return nil
        }
        let seconds = digits / 100 * 3_600 + digits % 100 * 60
        switch zone[0] {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }
}
