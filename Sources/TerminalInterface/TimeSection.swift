// SPDX-License-Identifier: GPL-3.0-or-later

/// A stretch of a recording, as somebody writes it: `1:00-1:30`, `-30` from the beginning, `45:00-` to the end.
public struct TimeSection: Sendable, Equatable {
    public let start: Duration
    /// `nil` is the end of the recording.
    public let end: Duration?

    /// - Throws: what is no stretch of time, or ends before it begins, or at once.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, !(ends[0].isEmpty && ends[1].isEmpty) else {
            throw ArgumentError("'\(text)' is no section: write it as 1:00-1:30, 0-30 or 45:00-")
        }
        start = ends[0].isEmpty ? .zero : try Duration(writtenAs: ends[0])
        end = ends[1].isEmpty ? nil : try Duration(writtenAs: ends[1])
        if let end, end <= start { throw ArgumentError("'\(text)' ends before it begins") }
    }
}
