// SPDX-License-Identifier: GPL-3.0-or-later

/// A gain that the tags of a track state. The tagger measured the loudness of the track and stored the gain that
/// reaches a fixed reference.
public struct TrackGain: Sendable, Equatable {
    /// The loudness that the gain reaches.
    public enum Reference: Sendable, Equatable, CaseIterable {
        /// `REPLAYGAIN_TRACK_GAIN`, also that of the LAME tag: −18 LUFS. Source: ReplayGain 2.0 specification.
        case replayGain
        /// `R128_TRACK_GAIN`: −23 LUFS. Source: EBU R 128; RFC 7845 section 5.2.1.
        case r128
    }

    /// The gain in dB, to be added to the samples' level.
    public var decibels: Double
    public var reference: Reference

    public init(decibels: Double, reference: Reference) {
        (self.decibels, self.reference) = (decibels, reference)
    }

    /// The loudness in LUFS that the tagger measured.
    public var loudness: Double {
        switch reference {
        case .r128: -23 - decibels
        case .replayGain: -18 - decibels
        }
    }

    /// Parses the text of a ReplayGain tag: the number before the unit in "-6.50 dB".
    ///
    /// - Returns: `nil` without a number, or if it exceeds 100 dB: an error of the program that wrote the tag.
    public init?(replayGain text: String) {
        let number = text.prefix { !$0.isWhitespace && !$0.isLetter }
        guard let decibels = Double(number), abs(decibels) <= 100 else { return nil }
        self.init(decibels: decibels, reference: .replayGain)
    }
}
