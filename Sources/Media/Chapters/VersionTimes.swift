// SPDX-License-Identifier: GPL-3.0-or-later

/// The times of an earlier version of an episode in the version that replaced it. A pure value.
public struct VersionTimes: Sendable, Equatable {
    /// Consecutive packets that both versions contain.
    public struct Span: Sendable, Equatable {
        public let old: Range<Duration>
        /// The start of the span in the new version.
        public let new: Duration

        public init(old: Range<Duration>, new: Duration) { (self.old, self.new) = (old, new) }
    }

    private let spans: [Span]

    /// - Parameter spans: ascending in both versions.
    public init(_ spans: [Span]) { self.spans = spans }

    /// Returns the time of the same sound in the new version. A time outside the common spans moves as far as the end
    /// of the span before it, which is exact only if nothing else differs.
    public func time(ofOld time: Duration) -> (time: Duration, isExact: Bool) {
        guard let span = spans.last(where: { $0.old.lowerBound <= time }) else { return (time, false) }
        return (span.new + (time - span.old.lowerBound), span.old.contains(time))
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
