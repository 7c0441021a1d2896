// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
package import Media

extension MPEGTrackReader {
    /// Compares this version with a later one whose packets were indexed.
    /// - Returns: `nil` if this version was not read from its beginning on, or if they have no packets in common.
    package func times(in later: any TrackReader) -> VersionTimes? {
        guard packets.island == nil, let later = later as? MPEGTrackReader, let old = frames, let new = later.frames
        else { return nil }
        return VersionAlignment(old: packets.hashes, new: later.packets.hashes)
            .times(old: { old.time(ofPacket: $0) }, new: { new.time(ofPacket: $0) })
    }
}

extension VersionAlignment {
    /// Returns the times of the old version in the new one.
    /// - Parameters:
    ///   - old: returns the time of a packet of the old version.
    ///   - new: the same for the new version.
    /// - Returns: `nil` if they have no packets in common whose times are known.
    func times(old: (Int64) -> Duration?, new: (Int64) -> Duration?) -> VersionTimes? {
        let spans = runs.compactMap { run -> VersionTimes.Span? in
            guard let start = old(run.old.lowerBound), let end = old(run.old.upperBound), let place = new(run.newStart),
                start < end
            else { return nil }
            return VersionTimes.Span(old: start..<end, new: place)
        }
        return spans.isEmpty ? nil : VersionTimes(spans)
    }
}
