// SPDX-License-Identifier: GPL-3.0-or-later

/// The times of an earlier version of an episode in the version that replaced it. A pure value.
public struct VersionTimes: Sendable, Equatable {
    /// Consecutive packets that both versions contain.
    public struct Span: Sendable, Equatable {
        public let old: Range<Duration>
        /// The start of the span in the new version.
        public let new: Duration
        /// The places of these packets in the two files; `nil` if they are unknown.
        public let bytes: Bytes?
        /// False if the times in the old version are estimates.
        public let isExact: Bool

        /// The bytes of packets in the old version, and the offset of the first one in the new version.
        public struct Bytes: Sendable, Equatable {
            public let old: Range<Int64>
            public let new: Int64

            public init(old: Range<Int64>, new: Int64) { (self.old, self.new) = (old, new) }
        }

        public init(old: Range<Duration>, new: Duration, bytes: Bytes? = nil, isExact: Bool = true) {
            (self.old, self.new, self.bytes, self.isExact) = (old, new, bytes, isExact)
        }
    }

    private let spans: [Span]

    /// - Parameter spans: ascending in both versions.
    public init(_ spans: [Span]) { self.spans = spans }

    /// Returns the time of the same sound in the new version. A time outside the common spans moves as far as the end
    /// of the span before it, which is exact only if nothing else differs.
    public func time(ofOld time: Duration) -> (time: Duration, isExact: Bool) {
        guard let span = span(at: time) else { return (time, false) }
        return (span.new + (time - span.old.lowerBound), span.isExact && span.old.contains(time))
    }

    /// Returns the last span that begins before or at a time.
    private func span(at time: Duration) -> Span? { spans.last { $0.old.lowerBound <= time } }

    /// Returns a position in the new version, and the packet from which it counts if it is an estimate; `nil` if the
    /// place of that packet is unknown, and for an exact position if only an estimate could replace it.
    /// - Parameters:
    ///   - position: a position in the old version.
    ///   - anchor: the packet from which an estimated position counts; `nil` for an exact one.
    ///   - length: the length of the new version in bytes; `nil` if it is unknown.
    public func moved(
        _ position: Duration, from anchor: TimeAnchor?, newLength length: Int64?
    ) -> (position: Duration, anchor: TimeAnchor?)? {
        guard let anchor else {
            guard let span = span(at: position), span.isExact else { return nil }
            return (time(ofOld: position).time, nil)
        }
        guard let length, let packet = place(of: anchor, newLength: length) else { return nil }
        // The time of the packet in the common spans is another estimate than that of the anchor. The sound at this
        // distance may be in a later span.
        let distance = position - anchor.time
        let end = time(ofOld: packet.old + max(.zero, distance)).time
        return (end + min(.zero, distance), packet.new)
    }

    /// Returns the time of a packet in the common spans, and the same packet in the new version with its time there;
    /// `nil` if its place is unknown.
    private func place(of anchor: TimeAnchor, newLength: Int64) -> (old: Duration, new: TimeAnchor)? {
        let span = spans.last { $0.bytes.map { $0.old.lowerBound <= anchor.offset } ?? false }
        guard let span, let bytes = span.bytes, !bytes.old.isEmpty else { return nil }
        let distance = anchor.offset - bytes.old.lowerBound
        let (offset, isOverflow) = bytes.new.addingReportingOverflow(distance)
        guard !isOverflow, offset >= 0, offset <= newLength else { return nil }
        let microseconds = (span.old.upperBound - span.old.lowerBound) / .microseconds(1)
        let later = Duration.microseconds(Int64(estimate: Double(distance) / Double(bytes.old.count) * microseconds))
        let new = TimeAnchor(offset: offset, time: max(.zero, span.new + later), totalLength: newLength)
        return (span.old.lowerBound + later, new)
    }

    /// Returns the list for the new version.
    public func moved(_ list: ChapterList) -> (list: ChapterList, isExact: Bool) {
        var isExact = true
        let chapters = list.chapters.map { chapter in
            var moved = chapter
            let start = time(ofOld: chapter.start)
            (moved.start, isExact) = (start.time, isExact && start.isExact)
            moved.end = chapter.end.map { time(ofOld: $0).time }
            return moved
        }
        return (ChapterList(list.source, chapters), isExact)
    }
}
