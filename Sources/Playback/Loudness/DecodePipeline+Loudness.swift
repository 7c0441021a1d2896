// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media
import TrackReading

/// The settings of an item's sound, and its loudness if they need it.
struct ItemSound {
    var settings: SoundSettings
    var loudness: ItemLoudness?
    /// The number of the frame that ends the item, if it is known.
    var end: Int64?
}

/// The loudness of the open items.
extension DecodePipeline {
    /// Returns the sound of an item whose first frames are decoded: its own tags are then known.
    func sound(of item: OpenItem, in format: AudioFormat) -> ItemSound {
        let settings = soundSettings(of: item.item)
        var sound = ItemSound(settings: settings)
        if settings.loudness != nil || settings.boostsVoice {
            sound.loudness = decidingLoudness(of: item, settings.loudness)
        }
        switch item.reader.timeline?.duration {
        case .exact(let duration), .declared(let duration):
            sound.end = format.frames(in: duration - item.reader.correction.time)
        case .estimated, .unknown, nil: break
        }
        return sound
    }

    /// Returns the loudness that decides on the gain of the item. If the podcast has one gain, the measured episodes of
    /// the podcast decide when the item is opened. Without one, the item keeps the final gain of the item before it.
    private func decidingLoudness(of item: OpenItem, _ normalization: LoudnessNormalization?) -> ItemLoudness {
        let own = loudness(of: item)
        guard let normalization, normalization.unit == .podcast,
            let podcast = item.item.source?.feed ?? item.item.podcast
        else { return own }
        if let decided = item.podcastLoudness { return decided }
        let former = own.knowledge.podcast.isEmpty ? podcastLoudness[podcast] : nil
        let deciding = former.flatMap { $0.gain(normalization).isFinal ? $0 : nil } ?? own
        (item.podcastLoudness, podcastLoudness[podcast]) = (deciding, deciding)
        return deciding
    }

    private func loudness(of item: OpenItem) -> ItemLoudness {
        if let loudness = item.loudness { return loudness }
        let known = item.item.source?.knownLoudness() ?? KnownLoudness()
        let kept = known.kept.flatMap { $0.file.length == item.reader.source.downloadProgress.total ? $0 : nil }
        let loudness = ItemLoudness(
            ItemLoudness.Knowledge(
                earlier: kept?.histogram.integrated, tag: item.reader.statedGain, podcast: known.podcast,
                others: known.others))
        (item.loudness, item.keptLoudness) = (loudness, kept)
        return loudness
    }

    /// Starts to measure the open items whose gain depends on it, and continues measurements that wait for bytes.
    func measureLoudness() {
        for item in items where soundSettings(of: item.item).loudness != nil && item.reader.timeline != nil {
            if item.measurement == nil { measure(item) }
        }
        if items.contains(where: { $0.measurement?.isOver == false }) { measurer.wake() }
    }

    /// Returns true if the first frame of the item waits for its measurement, on which its gain depends.
    func waitsForMeasurement(_ item: OpenItem) -> Bool {
        guard measuresFirst, !item.frames.hasSound, let normalization = soundSettings(of: item.item).loudness,
            !decidingLoudness(of: item, normalization).gain(normalization).isFinal
        else { return false }
        return item.measurement.map { !$0.isOver } ?? true
    }

    private func measure(_ item: OpenItem) {
        let loudness = loudness(of: item)
        let source = item.item.source
        let task = LoudnessMeasurer.Task(
            item.reader.source, from: .time(item.reader.requestedTime), loudness, kept: item.keptLoudness,
            countsParts: item.moves.isEmpty, keep: { source?.keep($0) }, onEnd: onBytes)
        item.measurement = task
        measurer.measure(task)
    }

    /// Measures the new source of an item. The gain stays until all of that is measured.
    func measureAgain(_ item: OpenItem) {
        cancelMeasurements(of: CollectionOfOne(item))
        (item.measurement, item.keptLoudness) = (nil, nil)
    }

    func cancelMeasurements(of closed: some Sequence<OpenItem>) {
        let tasks = closed.compactMap(\.measurement)
        for task in tasks { task.cancel() }
        if !tasks.isEmpty { measurer.wake() }
    }
}
