// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// The fields of a date found so far.
struct DateFields {
    private var year: Int?
    private var month: Int?
    private var day: Int?
    /// Hour, minute, second.
    private var clock: (Int, Int, Int)?
    /// Seconds east of UTC.
    private var offset = 0

    var time: UTCTime? {
        guard let year, let month, let day, year >= 1900, abs(offset) < 86_400 else { return nil }
        let (hour, minute, second) = clock ?? (0, 0, 0)
        return UTCTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
            .map { UTCTime(secondsSince1970: $0.secondsSince1970 - Int64(offset)) }
    }

    func isISO(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.prefix(while: ASCII.isDigit).count
        return digits == 4 && (bytes.dropFirst(4).first.map { "-/".utf8.contains($0) } ?? false)
            || digits == 8 && (bytes.count == 8 || ASCII.lowercased(bytes[8]) == UInt8(ascii: "t"))
    }

    /// 2024-02-29T18:30:00.5+01:00, 20240229T1830Z, 2024/2/9 18:30.
    mutating func readISO(_ bytes: [UInt8]) -> Bool {
        let isBasic = bytes.prefix(8).allSatisfy(ASCII.isDigit)
        let separators: (UInt8) -> Bool = { "-/".utf8.contains($0) }
        let datePart = bytes.prefix { ASCII.isDigit($0) || separators($0) }
        let parts =
            isBasic
            ? [datePart.prefix(4), datePart.dropFirst(4).prefix(2), datePart.dropFirst(6)]
            : datePart.split(whereSeparator: separators)
        guard parts.count == 3 else { return false }
        (year, month, day) = (ASCII.number(parts[0]), ASCII.number(parts[1]), ASCII.number(parts[2]))
        let rest = bytes[datePart.endIndex...].drop { ASCII.isSpace($0) || ASCII.lowercased($0) == UInt8(ascii: "t") }
        return rest.isEmpty || readClock(rest, isBasic: isBasic)
    }

    private mutating func readClock(_ bytes: ArraySlice<UInt8>, isBasic: Bool) -> Bool {
        let digits = bytes.prefix(while: ASCII.isDigit)
        guard isBasic, digits.count >= 4 else { return readWords(Array(bytes)) }
        let pairs = stride(from: 0, to: 6, by: 2).map { digits.dropFirst($0).prefix(2) }
        clock = (ASCII.number(pairs[0]) ?? 0, ASCII.number(pairs[1]) ?? 0, ASCII.number(pairs[2]) ?? 0)
        return readWords(Array(bytes[digits.endIndex...]))
    }

    /// Thu, 29 Feb 2024 18:30:00 +0100, and the same in any order.
    mutating func readWords(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let byte = rest.first {
            if ASCII.isDigit(byte) {
                guard readNumber(&rest) else { return false }
            } else if ASCII.isLetter(byte) {
                let word = rest.prefix(while: ASCII.isLetter)
                rest = rest[word.endIndex...]
                guard readWord(ASCII.lowercasedString(word)) else { return false }
            } else if clock != nil, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") {
                readOffset(&rest)
            } else {
                rest = rest.dropFirst()
            }
        }
        return true
    }

    private mutating func readNumber(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let digits = rest.prefix(while: ASCII.isDigit)
        guard let number = ASCII.number(digits), digits.count <= 4 else { return false }
        if digits.endIndex < rest.endIndex, rest[digits.endIndex] == UInt8(ascii: ":"), clock == nil {
            return readTime(&rest)
        }
        rest = rest[digits.endIndex...]
        if day == nil, digits.count <= 2 {
            day = number
        } else if year == nil {
            year = digits.count == 2 ? number + (number < 70 ? 2000 : 1900) : number
        }
        return true
    }

    private mutating func readTime(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let text = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        rest = rest[text.endIndex...]
        let parts = text.split(separator: UInt8(ascii: ":"))
            .map { ASCII.number($0.prefix { $0 != UInt8(ascii: ".") }) }
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1] else { return false }
        guard let second = parts.count == 3 ? parts[2] : 0 else { return false }
        clock = (hour, minute, second)
        return true
    }

    private mutating func readOffset(_ rest: inout ArraySlice<UInt8>) {
        let isWest = rest.removeFirst() == UInt8(ascii: "-")
        let text = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ":") }
        rest = rest[text.endIndex...]
        let digits = text.filter(ASCII.isDigit)
        let hourDigits = digits.count == 3 ? 1 : min(2, digits.count)
        guard let hours = ASCII.number(digits.prefix(hourDigits)), digits.count <= 4 else { return }
        let seconds = hours * 3_600 + (ASCII.number(digits.dropFirst(hourDigits)) ?? 0) * 60
        offset = isWest ? -seconds : seconds
    }

    private mutating func readWord(_ word: String) -> Bool {
        if let index = Self.months.firstIndex(where: { word.utf8.count >= 3 && $0.hasPrefix(word) }) {
            month = index + 1
        } else if word == "am" || word == "pm" {
            return readHalfDay(isAfternoon: word == "pm")
        } else if let hours = Self.zones[word] {
            offset = hours
        }
        return true
    }

    private mutating func readHalfDay(isAfternoon: Bool) -> Bool {
        guard let (hour, minute, second) = clock, (1...12).contains(hour) else { return false }
        clock = (hour % 12 + (isAfternoon ? 12 : 0), minute, second)
        return true
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]

    /// Seconds east of UTC. RFC 822's own zones, and those that publishers use beside them.
    private static let zones: [String: Int] = [
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9,
        "akdt": -8, "hst": -10, "ast": -4, "adt": -3, "brt": -3, "cet": 1, "cest": 2, "met": 1, "mest": 2,
        "bst": 1, "ist": 5.5, "west": 1, "eet": 2, "eest": 3, "msk": 3, "jst": 9, "kst": 9, "hkt": 8, "sgt": 8,
        "awst": 8, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
    ].mapValues { (hours: Double) in Int(hours * 3_600) }
}
