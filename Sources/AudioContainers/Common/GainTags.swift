// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The gain of a track in tags that have a name: the entries of Vorbis comments, and the comments of iTunes. Sources:
/// ReplayGain 2.0 specification; RFC 7845 section 5.2.1.
struct GainTags: Sendable, Equatable {
    private var replayGain: TrackGain?
    private var r128: TrackGain?

    /// The gain of the track; that of R128 precedes that of ReplayGain.
    var gain: TrackGain? { r128 ?? replayGain }

    /// Adds a tag if it states the gain. The first of several values counts.
    /// - Parameter name: the name of the tag in upper case.
    mutating func add(_ name: String, _ text: String) {
        switch name {
        case "REPLAYGAIN_TRACK_GAIN": replayGain = replayGain ?? TrackGain(replayGain: text)
        case "R128_TRACK_GAIN": r128 = r128 ?? Self.r128(text)
        default: break
        }
    }

    /// Parses a number in units of 1/256 dB.
    private static func r128(_ text: String) -> TrackGain? {
        Int16(text).map { TrackGain(decibels: Double($0) / 256, reference: .r128) }
    }
}
