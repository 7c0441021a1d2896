// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An estimate of an item's loudness in LUFS, from a prior and the measurement so far.
public struct LoudnessEstimate: Sendable, Equatable {
    /// The source of the prior, the most reliable first.
    public enum Basis: Sendable, Equatable {
        /// A measurement of the whole item.
        case measurement
        /// An earlier measurement of the item, which may have been replaced since.
        case earlier
        /// A gain in the tags of the item.
        case tag
        /// The loudness of episodes of the podcast.
        case podcast
        /// The usual loudness of podcasts.
        case usual
    }

    /// The usual loudness of podcasts in LUFS: between the common −16 and −18.
    public static let usualLoudness = -17.0
    /// The number of episodes that represent a podcast.
    public static let episodes = 5

    public let basis: Basis
    /// The loudness in LUFS before the item was measured.
    public let prior: Double

    /// Chooses the most reliable source that is available.
    /// - Parameters:
    ///   - measured: the integrated loudness of the whole item.
    ///   - earlier: an earlier measurement of the item, which may have been replaced since.
    ///   - tag: the gain in the item's tags. It is ignored if it needs a gain of more than ±12 dB for `target`.
    ///   - podcast: the integrated loudness of the podcast's episodes, the newest first.
    ///   - target: the loudness in LUFS to reach.
    public init(
        measured: Double? = nil, earlier: Double? = nil, tag: TrackGain? = nil, podcast: [Double] = [], target: Double
    ) {
        let recent = podcast.lazy.filter(\.isFinite).prefix(Self.episodes)
        if let measured, measured.isFinite {
            (basis, prior) = (.measurement, measured)
        } else if let earlier, earlier.isFinite {
            (basis, prior) = (.earlier, earlier)
        } else if let tag, GainRange.isBelievable(target - tag.loudness) {
            (basis, prior) = (.tag, tag.loudness)
        } else if !recent.isEmpty {
            (basis, prior) = (.podcast, recent.reduce(0, +) / Double(recent.count))
        } else {
            (basis, prior) = (.usual, Self.usualLoudness)
        }
    }

    /// The seconds of gated audio that weigh as much as the prior; `nil` if the prior is final.
    public var priorSeconds: Double? {
        switch basis {
        case .measurement: nil
        case .earlier: 300
        case .tag, .podcast: 30
        case .usual: 5
        }
    }

    /// Returns the loudness in LUFS, given the measurement so far.
    public func loudness(_ measurement: LoudnessHistogram) -> Double {
        guard let weight = priorSeconds, let measured = measurement.integrated else { return prior }
        let seconds = measurement.gatedSeconds
        return (seconds * measured + weight * prior) / (seconds + weight)
    }

    /// Returns the gain in dB that reaches `target`, clamped to `GainRange.limits`.
    public func gain(target: Double, measurement: LoudnessHistogram = LoudnessHistogram()) -> Double {
        GainRange.clamp(target - loudness(measurement))
    }
}
