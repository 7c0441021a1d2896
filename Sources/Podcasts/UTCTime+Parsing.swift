// SPDX-License-Identifier: GPL-3.0-or-later

extension UTCTime {
    /// Parses the format that `description` writes: `2024-02-29T18:30:00Z`.
    public init?(iso8601 text: String) {
        let fields = text.split(omittingEmptySubsequences: false) { "-T:Z".contains($0) }
        guard fields.count == 7, fields[6].isEmpty, text.utf8.count == 20 else { return nil }
        let numbers = fields.prefix(6).compactMap { $0.allSatisfy(\.isWholeNumber) ? Int($0) : nil }
        guard numbers.count == 6 else { return nil }
        self.init(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
    }
}
