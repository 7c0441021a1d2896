// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads a date word by word, whatever the order.
struct DateReader {
    private(set) var fields = DateFields()
    private let bytes: [UInt8]
    private var index = 0
    /// An offset in digits counts more than a zone's name.
    private var hasOffset = false
    /// What was said in front of the time: Korean, Chinese and Japanese do.
    private var isAfternoon: Bool?

    /// - Parameter bytes: without white space around.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Returns: whether nothing in it contradicts a date.
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

    /// Behind the sign of +0100, though there is no time, or an hour alone.
    private var isBeforeOffset: Bool {
        fields.hasDay && index > 1 && ASCII.isSpace(bytes[index - 2])
            && bytes[index...].prefix(while: ASCII.isDigit).count == 4
    }

    /// 20240229, and perhaps 1830 or 183000 behind it.
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
        index = digits.endIndex
        fields.add(.init(value: value, digits: digits.count, separator: next))
        return true
    }

    /// 18:30; 18h30, as the French write it; 18.30 behind a whole day.
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

    /// 18:30, 18:30:00, and a fraction that is passed over.
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

    /// +0100, +01:00, +100, +1. One that is no offset on earth counts as none.
    private mutating func readOffset(isWest: Bool) {
        let text = bytes[index...].prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ":") }
        let digits = text.filter(ASCII.isDigit).prefix(4)
        let hourDigits = digits.count == 3 ? 1 : min(2, digits.count)
        guard let hours = ASCII.number(digits.prefix(hourDigits)) else { return }
        index = text.endIndex
        let minutes = ASCII.number(digits.dropFirst(hourDigits)) ?? 0
        guard hours <= 15, minutes < 60 else { return }
        hasOffset = true
        fields.takeHour()
        fields.offset = (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    private mutating func readWord() -> Bool {
        let bytes = bytes[index...].prefix(while: Self.isWordByte)
        index = bytes.endIndex
        let word = String(decoding: bytes, as: UTF8.self).lowercased()
        switch word {
        // A minus sign of typographers.
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

    /// Behind the a or p of `a.m.` and `p.m.`.
    private var isHalfDay: Bool { bytes[index...].prefix(2).map(ASCII.lowercased) == Array(".m".utf8) }

    private mutating func readSpelledHalfDay(isAfternoon: Bool) -> Bool {
        index += 2
        return fields.setHalfDay(isAfternoon: isAfternoon)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || byte >= 0x80
    }
}
