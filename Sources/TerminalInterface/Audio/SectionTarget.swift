// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A section as the listener writes it: its ends are times or percentages of the recording.
public struct SectionTarget: Sendable, Equatable {
    public let start: TimeTarget
    /// The end of the section; `nil` is the end of the recording.
    public let end: TimeTarget?

    public init(_ section: TimeSection) {
        (start, end) = (.time(section.start), section.end.map { .time($0) })
    }

    /// Parses `1:00-1:30`, `45:00-` or `50%-60%`.
    /// - Throws: an error if the text is not a section, or if the section is empty or ends before it begins.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        guard text.contains("%") else {
            let section = try TimeSection(parsing: text)
            (start, end) = (.time(section.start), section.end.map { .time($0) })
            return
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            throw ArgumentError("invalid section \"\(text)\": write 1:00-1:30, 0-30, 45:00- or 50%-60%")
        }
        start = ends[0].isEmpty ? .time(.zero) : try TimeTarget(parsingStart: ends[0])
        end = ends[1].isEmpty ? nil : try TimeTarget(parsing: ends[1])
        guard case .fraction(let from) = start, case .fraction(let to)? = end, to <= from else { return }
        throw ArgumentError("invalid section \"\(text)\": the end must be after the start")
    }

    /// True if the length of the recording is needed to find the section.
    public var needsLength: Bool {
        [start, end].contains { if case .fraction? = $0 { true } else { false } }
    }

    /// Returns the section of a recording.
    /// - Returns: `nil` if the section is empty or ends before it begins.
    public func section(within length: Duration) -> TimeSection? {
        let section = TimeSection(start: start.time(within: length), end: end.map { $0.time(within: length) })
        return section.end.map { $0 > section.start } ?? true ? section : nil
    }
}

extension TimeTarget {
    fileprivate func time(within length: Duration) -> Duration {
        switch self {
        case .time(let time), .estimated(let time, _): time
        case .fraction(let part): length * part
        }
    }
}
