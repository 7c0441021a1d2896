// SPDX-License-Identifier: GPL-3.0-or-later

/// Durations as `itunes:duration` has them: `1:02:03`, `62:03`, `3723`, `3723.5`; also `1h 2m 3s` and `PT1H2M3S`.
enum ItunesDuration {
    /// - Returns: nil for nonsense and for 0.
    static func parse(_ text: some Collection<UInt8>) -> Duration? {
        let bytes = ASCII.trimmed(Array(text))
        guard !bytes.isEmpty, bytes.count <= 40 else { return nil }
        let duration = bytes.contains(where: ASCII.isLetter) ? units(bytes) : clock(bytes)
        return duration.flatMap { $0 > .zero ? $0 : nil }
    }

    /// A time within an episode, where 0 is one: `start` of a chapter.
    static func parsePosition(_ text: some Collection<UInt8>) -> Duration? {
        let bytes = ASCII.trimmed(Array(text))
        return bytes.isEmpty || bytes.count > 40 ? nil : clock(bytes)
    }

    private static func clock(_ bytes: ArraySlice<UInt8>) -> Duration? {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(ASCII.trimmed)
        guard parts.count <= 3 else { return nil }
        var total = Duration.zero
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            guard let value = isLast ? decimal(part) : whole(part) else { return nil }
            total = total * 60 + value
        }
        return total
    }

    private static func units(_ bytes: ArraySlice<UInt8>) -> Duration? {
        var total = Duration.zero
        var rest = ASCII.equalsIgnoringCase(bytes.prefix(2), "pt") ? bytes.dropFirst(2) : bytes
        while !rest.isEmpty {
            let number = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
            let unit = rest[number.endIndex...].drop(while: ASCII.isSpace).prefix(while: ASCII.isLetter)
            guard let value = decimal(number), let seconds = seconds(in: ASCII.lowercasedString(unit)) else {
                return nil
            }
            total += value * seconds
            rest = rest[unit.endIndex...].drop { ASCII.isSpace($0) || $0 == UInt8(ascii: ",") }
        }
        return total
    }

    private static func seconds(in unit: String) -> Int? {
        switch unit {
        case "h", "hr", "hrs", "hour", "hours": 3_600
        case "m", "min", "mins", "minute", "minutes": 60
        case "s", "sec", "secs", "second", "seconds": 1
        default: nil
        }
    }

    private static func whole(_ digits: ArraySlice<UInt8>) -> Duration? {
        guard digits.count <= 9 else { return nil }
        return ASCII.number(digits).map { .seconds($0) }
    }

    /// Seconds with a fraction, to the millisecond.
    private static func decimal(_ bytes: ArraySlice<UInt8>) -> Duration? {
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let seconds = whole(first) else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else { return seconds }
        guard parts[1].allSatisfy(ASCII.isDigit) else { return nil }
        let digits = parts[1].prefix(3) + [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 3 - parts[1].count))
        return seconds + .milliseconds(ASCII.number(digits) ?? 0)
    }
}
