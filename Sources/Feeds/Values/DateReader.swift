// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses a date word by word, in any order of its parts.
struct DateReader {
    private(set) var fields = DateFields()
    private let bytes: [UInt8]
    private var index = 0
    /// True once a numeric offset was read, which overrides the name of a zone.
    private var hasOffset = false
    /// The half of the day written before the time, as in Korean, Chinese and Japanese.
    private var isAfternoon: Bool?

    /// - Parameter bytes: the date without surrounding white space.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Returns: false if the text contradicts a date.
    mutating func read() -> Bool {
        readBasic()
        while index < bytes.count {
            guard readNext() || fields.isComplete else { return false }
        }
        return true
    }

    private mutating func readNext() -> Bool {
        let byte = bytes[index]
        if ASCII.isDigit(byte) { return readNumber() }
        if Self.isWordByte(byte) { return readWord() }
        index += 1
        guard fields.clock != nil || isBeforeOffset, !hasOffset else { return true }
        if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { readOffset(isWest: byte == UInt8(ascii: "-")) }
        return true
    }

    /// True directly after the sign of an offset such as +0100, even if the time is missing or only an hour.
    private var isBeforeOffset: Bool {
        fields.hasDay && index > 1 && ASCII.isSpace(bytes[index - 2])
            && bytes[index...].prefix(while: ASCII.isDigit).count == 4
    }

    /// Reads 20240229, optionally followed by 1830 or 183000.
    private mutating func readBasic() {
        let digits = bytes.prefix(while: ASCII.isDigit).count
        guard digits == 8 || digits == 14 else { return }
        for range in [0..<4, 4..<6, 6..<8] {
            let value = ASCII.number(bytes[range]) ?? 0
            fields.add(.init(value: value, digits: range.count, separator: UInt8(ascii: "-")))
        }
        index = 8
        if digits == 8, index < bytes.count, "tT ".utf8.contains(bytes[index]) { index += 1 }
        let clock = bytes[index...].prefix(while: ASCII.isDigit)
        guard clock.count == 4 || clock.count == 6 else { return }
        let pair = { (start: Int) in ASCII.number(clock.dropFirst(start).prefix(2)) ?? 0 }
        fields.clock = (pair(0), pair(2), pair(4))
        index = clock.endIndex
        skipFraction()
    }

    private mutating func readNumber() -> Bool {
        let digits = bytes[index...].prefix(while: ASCII.isDigit)
        guard digits.count <= 4, let value = ASCII.number(digits) else {
            index = digits.endIndex
            return false
        }
        let next = digits.endIndex < bytes.count ? bytes[digits.endIndex] : 0
        if !fields.hasTime, digits.count <= 2, endsHour(at: digits.endIndex) { return readClock() }
        let isHour = isAfterT && fields.hasDay && fields.clock == nil && digits.count == 2
        index = digits.endIndex
        if isHour {
            fields.clock = (value, 0, 0)
        } else {
            fields.add(.init(value: value, digits: digits.count, separator: next))
        }
        return true
    }

    /// True directly after the T of ISO 8601, as in 2024-02-29T18.
    private var isAfterT: Bool {
        index > 1 && ASCII.lowercased(bytes[index - 1]) == UInt8(ascii: "t") && ASCII.isDigit(bytes[index - 2])
    }

    /// Returns true at the separator of 18:30, of 18h30 as written in French, or of 18.30 after a complete day.
    private func endsHour(at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        let digits = bytes[(index + 1)...].prefix(while: ASCII.isDigit).count
        switch ASCII.lowercased(bytes[index]) {
        case UInt8(ascii: ":"): return true
        case UInt8(ascii: "h"): return digits > 0
        case UInt8(ascii: "."): return digits == 2 && fields.hasDay
        default: return false
        }
    }

    /// Reads 18:30 or 18:30:00, and skips a fraction.
    private mutating func readClock() -> Bool {
        let hour = bytes[index...].prefix(while: ASCII.isDigit)
        let mark = bytes[hour.endIndex]
        let text = bytes[index...].prefix { ASCII.isDigit($0) || $0 == mark || $0 == UInt8(ascii: ":") }
        let parts = text.split { !ASCII.isDigit($0) }.prefix(3).map(ASCII.number)
        index = text.endIndex
        skipFraction()
        guard parts.count >= 2, let hour = parts[0], let minute = parts[1], let second = parts.count == 3 ? parts[2] : 0
        else { return false }
        fields.clock = (hour, minute, second)
        return isAfternoon.map { fields.setHalfDay(isAfternoon: $0) } ?? true
    }

    private mutating func skipFraction() {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: ","),
            ASCII.isDigit(bytes[index + 1])
        else { return }
        index = bytes[(index + 1)...].prefix(while: ASCII.isDigit).endIndex
    }

    /// Reads +0100, +01:00, +100 or +1. Ignores an offset that no time zone has.
    private mutating func readOffset(isWest: Bool) {
        let text = bytes[index...].prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ":") }
        let digits = text.filter(ASCII.isDigit).prefix(4)
        let hourDigits = digits.count == 3 ? 1 : min(2, digits.count)
        guard let hours = ASCII.number(digits.prefix(hourDigits)) else { return }
        index = text.endIndex
        let minutes = ASCII.number(digits.dropFirst(hourDigits)) ?? 0
        guard hours <= 15, minutes < 60 else { return }
        hasOffset = true
        fields.parseHour()
        fields.offset = (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    private mutating func readWord() -> Bool {
        let bytes = bytes[index...].prefix(while: Self.isWordByte)
        index = bytes.endIndex
        let word = String(decoding: bytes, as: UTF8.self).lowercased()
        switch word {
        // The week of ISO 8601, as in 2024-W09-4: not a month.
        case "w" where !fields.hasDay && fields.numbers.last?.digits == 4: return false
        // The typographic minus sign.
        case "\u{2212}" where fields.clock != nil && !hasOffset: readOffset(isWest: true)
        case "오전", "上午", "午前": isAfternoon = false
        case "오후", "下午", "午後": isAfternoon = true
        case "am", "pm": return fields.setHalfDay(isAfternoon: word == "pm")
        case "a" where isHalfDay, "p" where isHalfDay: return readSpelledHalfDay(isAfternoon: word == "p")
        default:
            if !fields.hasDay, let month = DateWords.month(word) {
                fields.month = month
            } else if fields.clock == nil {
                fields.hasWords = fields.hasWords || word != "t"
            } else if !hasOffset, let offset = DateWords.zone(word) {
                fields.offset = offset
            }
        }
        return true
    }

    /// True after the a or p of `a.m.` and `p.m.`.
    private var isHalfDay: Bool { bytes[index...].prefix(2).map(ASCII.lowercased) == Array(".m".utf8) }

    private mutating func readSpelledHalfDay(isAfternoon: Bool) -> Bool {
        index += 2
        return fields.setHalfDay(isAfternoon: isAfternoon)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || byte >= 0x80
    }
}
