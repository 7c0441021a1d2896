// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The rule for the format of the output: no item may lose treble because another one has a lower rate.
public enum OutputRate: Sendable, Equatable {
    /// The rate of the first packet, for all items.
    case firstItem
    /// For listening: the highest known rate of the playlist, at least 44.1 kHz and at most 384 kHz.
    case device
    /// For a file: the highest known rate, at least 44.1 kHz, unless the playlist is one item at one lower rate. The
    /// file then has that rate, and contains exactly the samples of the decoder. The output opens once the playlist is
    /// closed, because each further item may need more channels or a higher rate.
    case file

    /// Returns the format of the output.
    /// - Parameters:
    ///   - known: the known formats of the playlist, including the first item's.
    ///   - isAll: true if nothing else will be played.
    func format(_ known: [AudioFormat], isAll: Bool) -> AudioFormat {
        let highest = known.map(\.sampleRate).max() ?? Self.usualRate
        let rate = self == .device ? min(highest, Self.highestDeviceRate) : highest
        let channels = known.map(\.channels).max() ?? 2
        guard self != .firstItem, rate < Self.usualRate, !(self == .file && isAll) else {
            return AudioFormat(sampleRate: rate, channels: channels)
        }
        // The output has the usual rate that is a multiple of `rate`.
        return AudioFormat(
            sampleRate: Self.usualRate % rate == 0 ? Self.usualRate : Self.highestRate, channels: channels)
    }

    static let usualRate = 44_100
    /// The highest rate of MPEG audio.
    static let highestRate = 48_000
    /// The highest rate of a stream of PulseAudio. Source: PA_RATE_MAX in pulse/sample.h.
    private static let highestDeviceRate = 384_000
}
