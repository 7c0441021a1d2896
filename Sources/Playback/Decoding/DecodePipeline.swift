// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import AudioEngine
import AudioProcessing
import Media
import TrackReading

/// The decoding pipeline from items to PCM in the ring. It determines the next item to read and how far reading runs
/// ahead of the device.
///
/// Confined to the playback thread.
final class DecodePipeline {
    /// The maximum number of items that are completely in the ring: each has an open file until it is played.
    private static let maxItemsInRing = 128
    /// More than rounding and the frames in a converter amount to, and less than any loss that no silence replaces.
    private static let longestRounding = Duration.milliseconds(100)

    private var list = OpenItemList()
    private(set) var generations = Generations()
    private(set) var writer: RingWriter?
    /// The settings that replace those of the items.
    var soundChanges = SoundChanges()
    let measurer = LoudnessMeasurer()
    /// True if an item is measured before its first frame: the output does not wait for a listener.
    var measuresFirst = false
    /// The loudness that last decided on the one gain of a podcast, by its feed, or by its title without a feed.
    var podcastLoudness: [String: ItemLoudness] = [:]
    /// Present only while the written frames do not have the ring's format.
    private var converter: OutputConverter?
    /// The rounding error of the converters so far.
    private var carry = 0.0
    /// Called when bytes of a replacement version arrive, and when an item is measured.
    let onBytes: @Sendable () -> Void

    init(onBytes: @escaping @Sendable () -> Void = {}) { self.onBytes = onBytes }

    // MARK: Items

    /// All opened items in the order of their frames.
    var items: [OpenItem] { list.all }
    var readers: [ItemReader] { items.map(\.reader) }
    /// The item being read; `nil` if all opened items are read.
    var readingItem: OpenItem? { list.reading }
    var reading: ItemReader? { readingItem?.reader }
    var openedAhead: ArraySlice<OpenItem> { list.openedAhead }

    /// Returns the reader of an item; if it is open twice, that of the instance played first.
    func reader(of id: PlaybackItem.ID) -> ItemReader? { item(of: id)?.reader }
    func item(of id: PlaybackItem.ID) -> OpenItem? { items.first { $0.item.id == id } }
    func item(generation: UInt32) -> OpenItem? { items.first { $0.generation == generation } }

    /// Returns true if the item is open and no frame of it is decoded yet.
    func isUntried(_ id: PlaybackItem.ID) -> Bool {
        items.contains { $0.item.id == id && !$0.frames.hasSound && $0.reader.block.frames == 0 }
    }

    /// Appends an item.
    /// - Returns: the generation of its frames.
    @discardableResult
    func open(_ reader: ItemReader) -> UInt32 {
        let generation = generations.make()
        list.append(OpenItem(reader, generation: generation, onBytes: onBytes))
        return generation
    }

    /// Removes an item that was completely played.
    func release(_ generation: UInt32) {
        writer?.forget(through: generation)
        if let item = list.removeWritten(generation) { close(CollectionOfOne(item)) }
    }

    /// Closes all items except that of `generation`, which is read next, from `target` on.
    /// The output fades in within `fade`.
    /// - Parameter isAnnounced: true if the start of this item was already announced to the listener.
    /// - Returns: the new generation of its frames.
    @discardableResult
    func seek(in generation: UInt32, to target: TimeTarget, fadingIn fade: Duration, isAnnounced: Bool) -> UInt32 {
        readOnly(generation) { $0?.seek(to: target, fadingIn: fade, as: $1, isAnnounced: isAnnounced) }
    }

    /// Closes all items except that of generation `old`, which is read next, from the start of `item` on.
    /// - Returns: the new generation of its frames.
    func restart(_ old: UInt32, as item: PlaybackItem) -> UInt32 { readOnly(old) { $0?.restart(item, as: $1) } }

    private func readOnly(_ generation: UInt32, begin: (OpenItem?, UInt32) -> Void) -> UInt32 {
        let new = generations.make()
        let item = item(generation: generation)
        keepOnly(item, from: new)
        begin(item, new)
        return new
    }

    /// Closes all items; the frames in the ring become stale.
    func closeAll() { keepOnly(nil, from: generations.make()) }

    private func keepOnly(_ kept: OpenItem?, from generation: UInt32) {
        generations.discard(before: generation)
        writer?.discard(before: generation)
        converter = nil
        close(list.removeAll(except: kept))
    }

    /// Closes the sources that no other open item uses: the same item open twice has one source.
    private func close(_ closed: some Sequence<OpenItem>) {
        cancelMeasurements(of: closed)
        for source in closed.flatMap(\.sources) { close(source) }
    }

    /// Closes a source if no open item uses it.
    func close(_ source: any ByteSource) {
        if !items.contains(where: { $0.sources.contains { $0 === source } }) { source.close() }
    }

    // MARK: Splicing

    /// Removes the items of `generation` and later ones, and makes their frames in the ring stale. Frames of earlier
    /// items stay; the items opened next follow them.
    /// - Returns: the first generation removed; an earlier one if the ring still contains frames that another splice
    ///   made stale.
    func splice(from generation: UInt32) -> UInt32 {
        let isSpliced = !generations.splicedAway.isEmpty && ring?.holdsStaleFrames == true
        let first = isSpliced ? min(generation, generations.splicedAway.lowerBound) : generation
        let (removed, unwritten) = list.removeAll(from: first)
        if removed.contains(where: { !$0.frames.needsFirstMark }) {
            generations.splice(from: first)
            writer?.discard(from: first, stale: generations.splicedAway)
        }
        if let unwritten { converter?.cut(keeping: unwritten) }
        if let converter, converter.isExhausted { self.converter = nil }
        close(removed)
        return first
    }

    // MARK: Output

    /// The format of the first decoded frames, which determines that of the ring.
    var firstFormat: AudioFormat? {
        guard let reader = reading, reader.block.frames > 0 else { return nil }
        return reader.block.format
    }

    var bufferedFrames: Int { ring?.bufferedFrames ?? 0 }
    private var writtenFrames: Int { list.writing.map { writer?.writtenFrames(of: $0.generation) ?? 0 } ?? 0 }
    /// The sound that the device has not taken yet, in time of the source.
    var bufferedTime: Duration { writer?.bufferedTime ?? .zero }
    /// True if the next frame to be played belongs to an item that is completely in the ring.
    var holdsEndOfItem: Bool { bufferedFrames > writtenFrames }
    /// True if the ring ends with a complete item and contains no frame of the next one.
    var isBetweenItems: Bool { list.writing.map { !$0.frames.isWritten } ?? true }

    func attach(_ ring: PCMRing) {
        writer = RingWriter(ring) { [unowned self] generation in
            item(generation: generation).map { sound(of: $0, in: ring.format) } ?? ItemSound(settings: SoundSettings())
        }
    }

    var ring: PCMRing? { writer?.ring }

    /// Returns the settings with which an item is played.
    func soundSettings(of item: PlaybackItem) -> SoundSettings { soundChanges.applied(to: item.sound) }

    /// Does a bounded amount of work: writes decoded frames, otherwise reads on, otherwise starts to read the next
    /// items.
    func step() -> Progress {
        let progress = writer?.advance() == false ? .ringFull : deliver() ?? read()
        guard progress.isWaiting else { return progress }
        return openedAhead.contains { $0.step() } ? .progressed : progress
    }

    private func read() -> Progress {
        guard list.writtenCount < Self.maxItemsInRing else { return .ringFull }
        guard let item = readingItem else { return drainTail() ?? .idle }
        if item.reader.block.frames > 0 { return moveBlock(item) }
        if item.step() { return .progressed }
        guard !item.isOver else { return finishReading(item) }
        return drainTail() ?? (item.loss == nil ? .notYetAvailable : .lost)
    }

    /// Drains the end of an item out of the converter, where it waits for the next item while the ring is more than
    /// half full.
    private func drainTail() -> Progress? {
        guard list.unwritten != nil, let converter, let ring else { return nil }
        guard ring.bufferedFrames <= ring.capacity / 2 else { return readingItem == nil ? .ringFull : .notYetAvailable }
        converter.drain()
        return .progressed
    }
}

// MARK: Reading → ring
extension DecodePipeline {
    /// Moves a decoded block into the ring or the converter.
    private func moveBlock(_ item: OpenItem) -> Progress {
        guard let ring else { return .ringFull }
        guard !waitsForMeasurement(item) else { return .notYetAvailable }
        let format = item.reader.block.format
        if let converter, converter.source != format {
            converter.drain()
            return .progressed
        }
        item.frames.beginBlock(
            at: ring.format.frames(in: item.reader.block.time),
            tolerance: ring.format.frames(in: Self.longestRounding))
        if format == ring.format {
            guard write(item.reader.block.samples, of: item) else { return .ringFull }
        } else {
            guard convert(item, to: ring.format) else { return .progressed }
        }
        item.frames.endBlock()
        item.reader.clearBlock()
        return .progressed
    }

    private func convert(_ item: OpenItem, to format: AudioFormat) -> Bool {
        do throws(DecodingError) {
            let block = item.reader.block.format
            if converter == nil { converter = try OutputConverter(from: block, to: format, carry: carry) }
            converter?.convert(item.reader.block.samples)
            return true
        } catch {
            item.fail(MediaFailure(.badData, "cannot convert the audio: \(error)"))
            return false
        }
    }

    /// Continues with the next item.
    private func finishReading(_ item: OpenItem) -> Progress {
        if !item.frames.hasSound, item.reader.isBeyondEnd, case .ended = item.phase {
            return .beyondEnd(item.item, generation: item.generation)
        }
        guard item.frames.hasBegun else { return removeUnplayable(item) }
        item.reader.releaseDecoder()
        converter?.endItem()
        list.finishReading()
        return .progressed
    }

    /// Removes the item being read.
    func dropReading() { close(CollectionOfOne(list.removeReading())) }

    /// Removes an item of which no frame will be played, so that no mark would report it.
    private func removeUnplayable(_ item: OpenItem) -> Progress {
        dropReading()
        if case .failed(let failure) = item.phase {
            return .itemFailed(item.item, generation: item.generation, failure)
        }
        if item.isStartChosen { return .itemPassed(item.item) }
        let failure =
            item.item.emptySection ?? item.reader.timeline?.shortfall
            ?? MediaFailure(.badData, "the file contains no audio")
        return .itemFailed(item.item, generation: item.generation, failure)
    }

    /// Moves converted frames and due marks into the ring; returns `nil` if none are pending.
    private func deliver() -> Progress? {
        if let converter, !converter.ready.isEmpty, let item = list.writing {
            guard write(converter.ready, of: item) else { return .ringFull }
            converter.removeReady()
            return .progressed
        }
        if let item = list.unwritten, converter?.isAtBorder ?? true { return finishWriting(item) }
        guard let converter else { return nil }
        if converter.isCutShort {
            converter.drain()
            return .progressed
        }
        guard converter.isExhausted else { return nil }
        carry = converter.carry
        self.converter = nil
        return .progressed
    }

    private func write(_ samples: UnsafeBufferPointer<Float>, of item: OpenItem) -> Bool {
        guard let writer else { return false }
        let frames = samples.count / writer.ring.format.channels
        guard writer.write(samples, as: item.run(frames: frames)) else { return false }
        item.frames.wrote(frames)
        return true
    }

    /// Writes the end mark of the item.
    private func finishWriting(_ item: OpenItem) -> Progress {
        guard markEnd(of: item) else { return .ringFull }
        converter?.passBoundary()
        list.finishWriting()
        if case .failed(let failure) = item.phase {
            return .itemBroke(item.item, generation: item.generation, failure)
        }
        let isLeftOut = writer?.hasPlayed(item.generation) == false && !item.isStartChosen
        return isLeftOut ? .itemLeftOut(generation: item.generation) : .itemRead(item.item)
    }

    private func markEnd(of item: OpenItem) -> Bool {
        guard let writer else { return true }
        let run = item.endRun(in: writer.ring.format)
        guard writer.write(UnsafeBufferPointer(start: nil, count: 0), as: run) else { return false }
        item.frames.wroteEndMark()
        return true
    }
}
