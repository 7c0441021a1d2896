// SPDX-License-Identifier: GPL-3.0-or-later

extension UTCTime {
    /// Parses the format that `description` writes: `2024-02-29T18:30:00Z`.
    public init?(iso8601 text: String) {
        let fields = text.split(omittingEmptySubsequences: false) { "-T:Z".contains($0) }
        let numbers = fields.prefix(6).compactMap(Self.number)
        guard fields.count == 7, fields[6].isEmpty, text.utf8.count == 20, numbers.count == 6 else { return nil }
        self.init(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
    }

    /// Parses a date in any of the three formats of HTTP; `nil` for any other text. Source: RFC 9110 section 5.6.7.
    public init?(httpDate text: String) {
        let words = text.split { " ,-".contains($0) }
        switch (words.count, text.contains("-")) {
        case (6, false) where words[5] == "GMT":
            // Sun, 06 Nov 1994 08:49:37 GMT
            self.init(day: words[1], month: words[2], year: Self.number(words[3]), time: words[4])
        case (6, true) where words[5] == "GMT":
            // Sunday, 06-Nov-94 08:49:37 GMT; until 2069 the nearest year is in 1970...2069.
            let year = Self.number(words[3]).flatMap { $0 < 100 ? $0 + ($0 < 70 ? 2000 : 1900) : nil }
            self.init(day: words[1], month: words[2], year: year, time: words[4])
        case (5, false):
            // Sun Nov  6 08:49:37 1994
            self.init(day: words[2], month: words[1], year: Self.number(words[4]), time: words[3])
        default:
            return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private init?(day: Substring, month: Substring, year: Int?, time: Substring) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(Self.number)
        guard let year, let day = Self.number(day), let month = Self.months.firstIndex(of: String(month)),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2]
        else { return nil }
        self.init(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    }

    /// - Returns: `nil` unless `text` consists of one to four digits.
    private static func number(_ text: Substring) -> Int? {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
