// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
package import Media

/// The times of an earlier version of an episode in the version that replaced it. A pure value.
package struct VersionTimes: Sendable, Equatable {
    /// Consecutive packets that both versions contain.
    package struct Span: Sendable, Equatable {
        package let old: Range<Duration>
        /// The start of the span in the new version.
        package let new: Duration

        package init(old: Range<Duration>, new: Duration) { (self.old, self.new) = (old, new) }
    }

    private let spans: [Span]

    /// - Parameter spans: ascending in both versions.
    package init(_ spans: [Span]) { self.spans = spans }

    /// Returns the time of the same sound in the new version. A time outside the common spans moves as far as the end
    /// of the span before it, which is exact only if nothing else differs.
    package func time(ofOld time: Duration) -> (time: Duration, isExact: Bool) {
        guard let span = spans.last(where: { $0.old.lowerBound <= time }) else { return (time, false) }
        return (span.new + (time - span.old.lowerBound), span.old.contains(time))
    }

    /// Returns the list for the new version.
    package func moved(_ list: ChapterList) -> (list: ChapterList, isExact: Bool) {
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

extension MPEGTrackReader {
    /// Compares this version with a later one whose packets were indexed.
    /// - Returns: `nil` if this version was not read from its beginning on, or if they have no packets in common.
    package func times(in later: any TrackReader) -> VersionTimes? {
        guard packets.island == nil, let later = later as? MPEGTrackReader, let old = frames, let new = later.frames
        else { return nil }
        let alignment = VersionAlignment(old: packets.hashes, new: later.packets.hashes)
        guard !alignment.runs.isEmpty else { return nil }
        return VersionTimes(
            alignment.runs.map { run in
                VersionTimes.Span(
                    old: old.time(ofPacket: run.old.lowerBound)..<old.time(ofPacket: run.old.upperBound),
                    new: new.time(ofPacket: run.newStart))
            })
    }
}
