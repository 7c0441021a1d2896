// SPDX-License-Identifier: GPL-3.0-or-later

/// A section of a recording as written by people: `1:00-1:30`, `-30` from the beginning, `45:00-` to the end.
public struct TimeSection: Sendable, Equatable {
    public let start: Duration
    /// The end of the section; `nil` is the end of the recording.
    public let end: Duration?

    /// - Parameter end: after `start`.
    public init(start: Duration, end: Duration?) { (self.start, self.end) = (start, end) }

    /// Parses a section.
    /// - Throws: an error if the text is not a section, or if the section is empty or ends before it begins.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, !(ends[0].isEmpty && ends[1].isEmpty) else {
            throw ArgumentError("invalid section \"\(text)\": write 1:00-1:30, 0-30 or 45:00-")
        }
        start = ends[0].isEmpty ? .zero : try Duration(writtenAs: ends[0])
        end = ends[1].isEmpty ? nil : try Duration(writtenAs: ends[1])
        guard let end, end <= start else { return }
        throw ArgumentError("invalid section \"\(text)\": the end must be after the start")
    }
}
