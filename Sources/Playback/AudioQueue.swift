// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import AudioEngine
import Media

/// Items → PCM → ring: what is read next, and how far reading runs ahead of the device.
///
/// Confined to the playback thread.
final class AudioQueue {
    enum Progress: Equatable {
        /// There is more to do at once.
        case worked
        /// Frames are ready and there is no room for them.
        case ringFull
        /// The next byte has not arrived.
        case edge
        /// Every opened item is read.
        case idle
        /// This item was just read to its end.
        case itemRead(PlaybackItem)
        /// Nothing of this item will be heard.
        case itemFailed(PlaybackItem, MediaFailure)
        /// This item was read as far as it goes, which is not to its end.
        case itemBroke(PlaybackItem, MediaFailure)
    }

    /// Opened items: those being heard, the one being read (at `readingIndex`), those opened ahead.
    private(set) var readers: [ItemReader] = []
    private var readingIndex = 0
    /// Raised by every flush; what the ring holds of older ones is stale.
    private(set) var generation: UInt32 = 0
    private(set) var ring: PCMRing?

    /// Where the item's format is not the ring's.
    private var converter: OutputConverter?
    private var carry = 0.0
    /// How the item being read came to its end, until the ring has taken the rest of it.
    private var ending: Ending?
    /// The item's next frame at the ring's rate; `nil` until its first block tells.
    private var nextFrame: Int64?
    private var owesFirstMark = true
    /// Frames of the item being read that went into the ring.
    private var writtenFrames = 0

    private enum Ending { case atItsEnd, failed(MediaFailure) }

    // MARK: Items

    /// The item being read; `nil` when every opened item is read.
    var reading: ItemReader? { readingIndex < readers.count ? readers[readingIndex] : nil }
    /// How many items are open behind the one being read.
    var openedAhead: Int { max(0, readers.count - readingIndex - 1) }

    func reader(of id: PlaybackItem.ID) -> ItemReader? { readers.first { $0.item.id == id } }

    func open(_ reader: ItemReader) { readers.append(reader) }

    /// Forgets an item that was heard to its end.
    func release(_ id: PlaybackItem.ID) {
        guard let place = readers.firstIndex(where: { $0.item.id == id }), place < readingIndex else { return }
        readers.remove(at: place).source.close()
        readingIndex -= 1
    }

    /// Gives up all items but `id`, which is read next, from `target` on.
    /// - Parameter isAnnounced: the listener has been told that this item is heard.
    func seek(in id: PlaybackItem.ID, to target: TimeTarget, isAnnounced: Bool) {
        keepOnly(id)
        reading?.seek(to: target)
        owesFirstMark = !isAnnounced
    }

    /// Gives up all items; what waits in the ring is stale.
    func closeAll() { keepOnly(nil) }

    private func keepOnly(_ id: PlaybackItem.ID?) {
        generation += 1
        ring?.discard(before: generation)
        for reader in readers where reader.item.id != id { reader.source.close() }
        readers.removeAll { $0.item.id != id }
        readingIndex = 0
        beginItem()
    }

    private func beginItem() {
        owesFirstMark = true
        nextFrame = nil
        writtenFrames = 0
        ending = nil
        if let converter { carry = converter.carry }
        converter = nil
    }

    // MARK: Output

    /// The format of the first frames made; the ring is made after it.
    var firstFormat: AudioFormat? {
        guard let reader = reading, reader.block.frames > 0 else { return nil }
        return reader.block.format
    }

    var bufferedFrames: Int { ring?.bufferedFrames ?? 0 }
    /// Whether what is heard next belongs to an item that is in the ring to its end.
    var holdsEndOfItem: Bool { bufferedFrames > writtenFrames }

    func attach(_ ring: PCMRing) { self.ring = ring }

    /// Does a bounded piece of work: writes what is made, else reads on.
    func step() -> Progress {
        guard let reader = reading else { return .idle }
        guard deliver(reader) else { return .ringFull }
        if let ending { return finish(reader, ending) }
        do throws(DecodingError) {
            if try convert(reader) { return .worked }
            return try readOn(reader)
        } catch {
            ending = .failed(MediaFailure(.badData, "its sound cannot be converted: \(error)"))
            return .worked
        }
    }

    private func readOn(_ reader: ItemReader) throws(DecodingError) -> Progress {
        switch reader.step() {
        case .worked: return .worked
        case .edge: return .edge
        case .ended: ending = .atItsEnd
        case .failed(let failure): ending = .failed(failure)
        }
        try converter?.drain()
        return .worked
    }

    /// Moves what is ready into the ring; false when it has no room.
    private func deliver(_ reader: ItemReader) -> Bool {
        if let converter, converter.made.frames > 0 {
            guard let ring, write(converter.made.samples, from: reader, to: ring) else { return false }
            converter.takeMade()
        }
        guard reader.block.frames > 0 else { return true }
        guard let ring else { return false }
        guard reader.block.format == ring.format, converter == nil else { return true }
        guard write(reader.block.samples, from: reader, to: ring) else { return false }
        reader.takeBlock()
        return true
    }

    /// Converts the reader's block where it has one left; its format is not the ring's, or was not before.
    private func convert(_ reader: ItemReader) throws(DecodingError) -> Bool {
        guard let ring, reader.block.frames > 0 else { return false }
        if let old = converter, old.source != reader.block.format {
            // The format changed within the item: what the old converter holds goes first.
            try old.drain()
            carry = old.carry
            guard old.made.frames == 0 else { return true }
            converter = nil
            return true
        }
        if nextFrame == nil { nextFrame = outputFrame(of: reader, at: ring.format) }
        if converter == nil {
            converter = try OutputConverter(from: reader.block.format, to: ring.format, carry: carry)
        }
        converter?.convert(reader.block.samples)
        reader.takeBlock()
        return true
    }

    private func write(_ samples: UnsafeBufferPointer<Float>, from reader: ItemReader, to ring: PCMRing) -> Bool {
        let start = nextFrame ?? outputFrame(of: reader, at: ring.format)
        let frames = samples.count / ring.format.channels
        let run = FrameRun(
            generation: generation, item: reader.item.id, sourceFrame: start, frames: Int32(clamping: frames),
            mark: owesFirstMark ? .first : [])
        guard ring.write(samples, as: run) else { return false }
        nextFrame = start + Int64(frames)
        writtenFrames += frames
        owesFirstMark = false
        return true
    }

    private func outputFrame(of reader: ItemReader, at format: AudioFormat) -> Int64 {
        format.frames(in: reader.block.format.duration(ofFrames: reader.blockStart))
    }

    /// Moves on to the next item; what was written of this one gets its end mark.
    private func finish(_ reader: ItemReader, _ ending: Ending) -> Progress {
        guard !owesFirstMark else { return drop(reader, ending) }
        guard markEnd(of: reader) else { return .ringFull }
        reader.releaseDecoder()
        readingIndex += 1
        beginItem()
        switch ending {
        case .atItsEnd: return .itemRead(reader.item)
        case .failed(let failure): return .itemBroke(reader.item, failure)
        }
    }

    /// Nothing of the item will be heard, so no mark will come back to tell of it.
    private func drop(_ reader: ItemReader, _ ending: Ending) -> Progress {
        readers.remove(at: readingIndex).source.close()
        beginItem()
        switch ending {
        case .atItsEnd:
            return .itemFailed(reader.item, MediaFailure(.badData, "there is no sound where it was to start"))
        case .failed(let failure): return .itemFailed(reader.item, failure)
        }
    }

    private func markEnd(of reader: ItemReader) -> Bool {
        guard let ring else { return true }
        let end = nextFrame ?? reader.timeline?.duration.value.map(ring.format.frames)
        let run = FrameRun(
            generation: generation, item: reader.item.id, sourceFrame: end ?? 0, frames: 0, mark: .last)
        return ring.write(UnsafeBufferPointer(start: nil, count: 0), as: run)
    }
}
