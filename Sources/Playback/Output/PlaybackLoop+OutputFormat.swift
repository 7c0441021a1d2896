// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

extension PlaybackLoop {
    /// The maximum number of following items whose format is examined.
    private static let mostLookedAt = 12

    /// The format of the output; `nil` before the first block, and while the data that determines the rate of a file
    /// is missing.
    var outputFormat: AudioFormat? {
        guard let first = audio.firstFormat, let reader = audio.reading else { return nil }
        guard options.outputRate != .firstItem else { return first }
        if reader.source.downloadProgress.condition == .complete { reader.track?.findFormats() }
        let runs = reader.timeline?.maximumFormat ?? first
        let isLow = options.outputRate == .file && runs.sampleRate < OutputRate.usualRate
        if isLow, mayBeOnlyItem(of: reader) { return nil }
        let isAll = isLow && queue.isClosed && queue.count == 1 && reader.isWholeIndexed
        return options.outputRate.format([first, runs] + othersKnown(beside: runs), isAll: isAll)
    }

    /// Returns true if this item, at one rate, may still turn out to be all that is played.
    private func mayBeOnlyItem(of reader: ItemReader) -> Bool {
        guard queue.count == 1, queue.isClosed else { return queue.count < 2 && !queue.isClosed }
        reader.track?.findFormats()
        let downloadProgress = reader.source.downloadProgress
        return !reader.isWholeIndexed && downloadProgress.total != nil && !downloadProgress.isStalled
    }

    /// Returns the formats of the other items that may come next. An unknown one counts as stereo: a mono file would
    /// lose one of its channels.
    private func othersKnown(beside format: AudioFormat) -> [AudioFormat] {
        guard format.sampleRate < OutputRate.highestRate || format.channels < 2 else { return [] }
        let stereo = AudioFormat(sampleRate: format.sampleRate, channels: 2)
        return queue.items.dropFirst().prefix(Self.mostLookedAt).map { item in
            let open = audio.openedAhead.first { $0.item.id == item.id }
            return open?.reader.timeline?.maximumFormat ?? item.source?.knownFormat() ?? stereo
        }
    }
}
