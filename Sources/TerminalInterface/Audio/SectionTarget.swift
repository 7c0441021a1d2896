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

    /// Creates the section of a length from a position on.
    /// - Parameter anchor: the packet from which an estimated position counts; `nil` for an exact one.
    public init(_ position: Duration, from anchor: TimeAnchor?, length: Duration) {
        (start, end) = (TimeTarget(position, from: anchor), TimeTarget(position + length, from: anchor))
    }

    private init(_ start: TimeTarget, _ end: TimeTarget?) { (self.start, self.end) = (start, end) }

    /// Returns the section with exact times in place of estimated ones.
    public func counted(_ time: @escaping (Duration, TimeAnchor) -> Duration) -> SectionTarget {
        let exact = { (target: TimeTarget) -> TimeTarget in
            guard case .estimated(let position, let anchor) = target else { return target }
            return .time(time(position, anchor))
        }
        return SectionTarget(exact(start), end.map(exact))
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

    /// True if the packets of the recording must be counted to find the section.
    public var needsLength: Bool {
        [start, end].contains { target in
            switch target {
            case .fraction?, .estimated?: true
            case .time?, nil: false
            }
        }
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
