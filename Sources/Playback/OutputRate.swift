// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Which format an output has: no item may lose treble because another one has a lower rate.
public enum OutputRate: Sendable, Equatable {
    /// The first packet's, whatever follows.
    case firstItem
    /// For ears: the highest rate known of the playlist, at least 44.1 kHz.
    case device
    /// For a file: the same, but where the playlist is one item at one lower rate, that rate, so that the file has the
    /// very samples the decoder made.
    case file

    /// - Parameters:
    ///   - known: the formats known of the playlist, the first item's among them.
    ///   - isAll: whether nothing else will be played.
    func format(_ known: [AudioFormat], isAll: Bool) -> AudioFormat {
        let rate = known.map(\.sampleRate).max() ?? Self.usualRate
        let channels = known.map(\.channels).max() ?? 2
        guard self != .firstItem, rate < Self.usualRate, !(self == .file && isAll) else {
            return AudioFormat(sampleRate: rate, channels: channels)
        }
        // Of the two usual rates the one that is a multiple.
        return AudioFormat(
            sampleRate: Self.usualRate % rate == 0 ? Self.usualRate : Self.highestRate, channels: channels)
    }

    static let usualRate = 44_100
    /// The highest that MPEG audio has.
    static let highestRate = 48_000
}
