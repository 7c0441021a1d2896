// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

extension PlaybackLoop {
    /// The maximum number of following items whose format is examined for a device.
    private static let mostLookedAt = 12

    /// The format of the output; `nil` before the first block, and while the data that determines the format of a file
    /// is missing.
    var outputFormat: AudioFormat? {
        guard let first = audio.firstFormat, let reader = audio.reading else { return nil }
        guard options.outputRate != .firstItem else { return first }
        // Another item may still follow, with more channels or a higher rate.
        if options.outputRate == .file, !queue.isClosed { return nil }
        if reader.source.downloadProgress.condition == .complete {
            reader.track?.findFormats(isSoundDue: options.outputRate == .device)
        }
        let runs = reader.timeline?.maximumFormat ?? first
        let keepsRate = options.outputRate == .file && runs.sampleRate < OutputRate.usualRate && queue.count == 1
        if keepsRate, mayChangeFormat(reader) { return nil }
        let isAll = keepsRate && reader.isWholeIndexed
        return options.outputRate.format([first, runs] + othersKnown(beside: runs), isAll: isAll)
    }

    /// Returns true if a later part of the item may turn out to have another format.
    private func mayChangeFormat(_ reader: ItemReader) -> Bool {
        while reader.track?.indexMore() == true {}
        let downloadProgress = reader.source.downloadProgress
        return !reader.isWholeIndexed && downloadProgress.total != nil && !downloadProgress.isStalled
    }

    /// Returns the formats of the other items that may come next. An unknown one counts as stereo: a mono file would
    /// lose one of its channels.
    private func othersKnown(beside format: AudioFormat) -> [AudioFormat] {
        guard format.sampleRate < OutputRate.highestRate || format.channels < 2 else { return [] }
        let stereo = AudioFormat(sampleRate: format.sampleRate, channels: 2)
        // A file depends on all items, and not on how far they were read ahead.
        let isFile = options.outputRate == .file
        return queue.items.dropFirst().prefix(isFile ? .max : Self.mostLookedAt).map { item in
            let open = isFile ? nil : audio.openedAhead.first { $0.item.id == item.id }
            return open?.reader.timeline?.maximumFormat ?? knownFormat(of: item) ?? stereo
        }
    }

    private func knownFormat(of item: PlaybackItem) -> AudioFormat? {
        if let format = knownFormats[item.id] { return format }
        let format = item.source?.knownFormat(isSoundDue: options.outputRate != .file)
        knownFormats[item.id] = format
        return format
    }
}
