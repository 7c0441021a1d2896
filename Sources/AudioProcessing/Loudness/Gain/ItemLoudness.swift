// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// The loudness of an item: the knowledge from before playback, and the measurement so far. The measuring thread
/// updates it, and the playback thread reads it.
public final class ItemLoudness: Sendable {
    /// What is known before the item is measured. All loudness in LUFS.
    public struct Knowledge: Sendable, Equatable {
        /// The integrated loudness of the whole item, measured earlier. The item may have been replaced since.
        public var earlier: Double?
        /// The gain that the item's own tags state.
        public var tag: TrackGain?
        /// The integrated loudness of the podcast's measured episodes, the newest first. The item may be one: they
        /// give all items of the podcast the same gain.
        public var podcast: [Double]
        /// The same without the item itself: they give an estimate until the item is measured.
        public var others: [Double]

        public init(
            earlier: Double? = nil, tag: TrackGain? = nil, podcast: [Double] = [], others: [Double] = []
        ) {
            (self.earlier, self.tag, self.podcast, self.others) = (earlier, tag, podcast, others)
        }
    }

    public let knowledge: Knowledge
    private let measurement = Mutex((histogram: LoudnessHistogram(), isWhole: false))

    public init(_ knowledge: Knowledge = Knowledge()) { self.knowledge = knowledge }

    /// Replaces the measurement of this session.
    /// - Parameter isWhole: true if the whole item is measured.
    public func update(_ histogram: LoudnessHistogram, isWhole: Bool = false) {
        measurement.withLock { $0 = (histogram, isWhole) }
    }

    /// Returns the gain in dB according to all that is known, and whether it is final.
    public func gain(_ normalization: LoudnessNormalization) -> (decibels: Double, isFinal: Bool) {
        let (histogram, isWhole) = measurement.withLock { $0 }
        let target = normalization.target
        if normalization.unit == .podcast, !knowledge.podcast.isEmpty {
            return (LoudnessEstimate(podcast: knowledge.podcast, target: target).gain(target: target), true)
        }
        let measured = isWhole ? histogram.integrated : nil
        let estimate = LoudnessEstimate(
            measured: measured, earlier: knowledge.earlier, tag: knowledge.tag, podcast: knowledge.others,
            target: target)
        return (estimate.gain(target: target, measurement: histogram), measured != nil)
    }

    /// The loudness in LUFS before the item was measured in this session.
    var prior: Double {
        LoudnessEstimate(
            earlier: knowledge.earlier, tag: knowledge.tag, podcast: knowledge.others,
            target: LoudnessNormalization.usualTarget
        ).prior
    }
}

/// The loudness to reach.
public struct LoudnessNormalization: Sendable, Equatable {
    /// The sound that gets one gain.
    public enum Unit: String, Sendable, CaseIterable {
        /// Each episode gets its own gain.
        case episode
        /// All episodes of a podcast get the same gain, so that their differences remain.
        case podcast
    }

    /// The range of targets in LUFS.
    public static let targets = -23.0...(-14.0)
    /// The usual target: that of most podcasts.
    public static let usualTarget = -16.0

    /// The loudness in LUFS.
    public let target: Double
    public let unit: Unit

    /// - Parameter target: limited to `targets`.
    public init(target: Double, unit: Unit = .episode) {
        self.target = min(max(target, Self.targets.lowerBound), Self.targets.upperBound)
        self.unit = unit
    }
}
