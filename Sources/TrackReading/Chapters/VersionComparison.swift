// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
package import Media

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
