// SPDX-License-Identifier: GPL-3.0-or-later

/// The text form of durations: `90`, `90s`, `10m`, `1h30m`, `45:00`, `1:02:03`.
public enum DurationText {
    private static let units: [Character: Int64] = ["h": 3600, "m": 60, "s": 1]
    private static let mostSeconds: Int64 = 1_000_000

    /// Parses a duration.
    /// - Returns: `nil` if the text is not a duration.
    public static func duration(_ text: String) -> Duration? {
        let seconds = text.contains(":") ? clock(text) : lengths(text.lowercased())
        return seconds.flatMap { $0 <= mostSeconds ? .seconds($0) : nil }
    }

    private static func clock(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        return parts.enumerated().reduce(Int64?(0)) { sum, part in
            guard let sum, let number = number(part.element), part.offset == 0 || number < 60 else { return nil }
            return sum * 60 + number
        }
    }

    /// Parses hours before minutes before seconds, each at most once.
    private static func lengths(_ text: String) -> Int64? {
        if let seconds = number(text[...]) { return seconds }
        var (rest, seconds, last) = (text[...], Int64(0), Int64.max)
        while let letter = rest.firstIndex(where: { units[$0] != nil }), let unit = units[rest[letter]] {
            guard unit < last, let number = number(rest[..<letter]) else { return nil }
            seconds += number * unit
            last = unit
            rest = rest[rest.index(after: letter)...]
        }
        return rest.isEmpty && last < .max ? seconds : nil
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard (1...7).contains(digits.count), digits.allSatisfy({ "0"..."9" ~= $0 }) else { return nil }
        return Int64(digits)
    }

    static func text(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")].filter { $0.0 > 0 }
        return parts.isEmpty ? "0s" : parts.map { "\($0.0)\($0.1)" }.joined()
    }
}
