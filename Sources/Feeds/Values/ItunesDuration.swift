// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses the durations of `itunes:duration`: `1:02:03`, `62:03`, `3723`, `3723.5`; also `1h 2m 3s`, `PT1H2M3S` and
/// other forms in use.
enum ItunesDuration {
    /// - Returns: `nil` for malformed text and for 0.
    static func parse(_ text: some Collection<UInt8>) -> Duration? {
        if let seconds = text.withContiguousStorageIfAvailable(usual) ?? nil { return .seconds(seconds) }
        let bytes = narrowed(text)
        guard !bytes.isEmpty, bytes.count <= 40 else { return nil }
        let hasUnits = bytes.contains { ASCII.isLetter($0) || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }
        let duration = hasUnits ? units(bytes) : clock(bytes)
        return duration.flatMap { $0 > .zero ? $0 : nil }
    }

    /// Parses a time within an episode, which may be 0: the `start` of a chapter.
    ///
    /// - Parameter most: the greatest number after a colon, as seconds. Programs that round a time write 60.
    static func parsePosition(_ text: some Collection<UInt8>, mostAfterColon most: Duration? = nil) -> Duration? {
        let bytes = narrowed(text)
        return bytes.isEmpty || bytes.count > 40 ? nil : clock(bytes, mostAfterColon: most)
    }

    /// Returns the trimmed text, with the fullwidth colon of Chinese and Japanese replaced by a colon.
    private static func narrowed(_ text: some Collection<UInt8>) -> ArraySlice<UInt8> {
        let bytes = ASCII.trimmed(Array(text))
        guard bytes.contains(0xEF), bytes.count <= 40 else { return bytes }
        return Array(String(decoding: bytes, as: UTF8.self).replacing("\u{FF1A}", with: ":").utf8)[...]
    }

    /// Returns the seconds of `1:02:03`, `62:03` and `3723`: a fast path for nearly all feeds.
    private static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count <= 9, let last = bytes.last, ASCII.isDigit(last) else { return nil }
        var (total, part, colons, digits) = (0, 0, 0, 0)
        for byte in bytes {
            if ASCII.isDigit(byte) {
                part = part * 10 + Int(byte & 0x0F)
                digits += 1
            } else {
                guard byte == UInt8(ascii: ":"), digits > 0, colons < 2 else { return nil }
                (total, part, colons, digits) = ((total + part) * 60, 0, colons + 1, 0)
            }
        }
        return total + part > 0 ? total + part : nil
    }

    private static func clock(_ bytes: ArraySlice<UInt8>, mostAfterColon most: Duration? = nil) -> Duration? {
        var parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(ASCII.trimmed)
        if parts.count == 1 {
            // In 1.02.03 the points separate units; a single point is that of a fraction.
            let pointed = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            if pointed.count == 3 { parts = pointed }
        }
        guard parts.count <= 3 else { return nil }
        var total = Duration.zero
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard let value = isLast ? decimal(part, hasComma: parts.count > 1) : whole(part) else { return nil }
            if let most, index > 0, value > most { return nil }
            total = total * 60 + value
        }
        return total
    }

    /// Parses `1h 2m 3s`, `PT1H2M3S`, `1 hour and 2 minutes`, `1h02`, `62'03"`.
    private static func units(_ bytes: ArraySlice<UInt8>) -> Duration? {
        var total = Duration.zero
        var last: Int?
        var rest = bytes
        if let first = rest.first, ASCII.lowercased(first) == UInt8(ascii: "p") { rest = rest.dropFirst() }
        rest = skipJoiners(rest)
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let number = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
            let behind = rest[number.endIndex...].drop(while: ASCII.isSpace)
            let unit = behind.prefix { ASCII.isLetter($0) || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }
            let isLast = unit.isEmpty && behind.isEmpty
            guard let value = decimal(number, hasComma: false),
                let seconds = isLast ? unitBelow(last) : seconds(ASCII.lowercasedString(unit)),
                seconds < last ?? .max
            else { return nil }
            total += value * seconds
            last = seconds
            rest = skipJoiners(rest[unit.endIndex...])
        }
        return total
    }

    /// Skips spaces, commas, points, the T of ISO 8601, and words for "and".
    private static func skipJoiners(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes.drop { ASCII.isSpace($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }
        let word = rest.prefix(while: ASCII.isLetter)
        let joiners = ["and", "et", "und", "y", "e", "t"]
        guard joiners.contains(ASCII.lowercasedString(word)) else { return rest }
        return rest[word.endIndex...].drop(while: ASCII.isSpace)
    }

    /// Returns the seconds of the unit of a last number without one: the next smaller unit, so minutes after hours.
    private static func unitBelow(_ last: Int?) -> Int? {
        switch last {
        case 86_400: 3_600
        case 3_600: 60
        case 60: 1
        default: nil
        }
    }

    private static func seconds(_ unit: String) -> Int? {
        switch unit {
        // In P1DT2H (ISO 8601), a T follows the days.
        case "d", "dt", "day", "days": 86_400
        case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "heure", "heures", "hora", "horas": 3_600
        case "m", "min", "mins", "mn", "minute", "minutes", "minuten", "minuto", "minutos", "'": 60
        case "s", "sec", "secs", "sek", "second", "seconds", "sekunden", "secondes", "segundos", "\"", "''": 1
        default: nil
        }
    }

    private static func whole(_ digits: ArraySlice<UInt8>) -> Duration? {
        guard digits.count <= 9 else { return nil }
        return ASCII.number(digits).map { .seconds($0) }
    }

    /// Parses seconds with a fraction, to the millisecond.
    private static func decimal(_ bytes: ArraySlice<UInt8>, hasComma: Bool) -> Duration? {
        let isPoint = { (byte: UInt8) in byte == UInt8(ascii: ".") || hasComma && byte == UInt8(ascii: ",") }
        let parts = bytes.split(maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: isPoint)
        guard let first = parts.first, let seconds = whole(first) else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else { return seconds }
        guard parts[1].allSatisfy(ASCII.isDigit) else { return nil }
        let digits = parts[1].prefix(3) + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 3 - parts[1].count))
        return seconds + .milliseconds(ASCII.number(digits) ?? 0)
    }
}
