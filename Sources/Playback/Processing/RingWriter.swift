// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioProcessing
import Media

/// The writing end of the ring: it processes the frames of the items and writes them to the ring. It keeps the frames
/// from the one being heard on, so that a change of the settings is heard immediately.
///
/// Confined to the playback thread.
final class RingWriter {
    let ring: PCMRing
    /// Returns the sound of the item whose frames have a generation.
    private let sound: (_ generation: UInt32) -> ItemSound

    private var log: ReplayLog
    private var item: ProcessedItem?
    /// Its chain; `nil` if its sound is not processed. Apart from the item, because each copy of a chain costs time.
    private var chain: ProcessingChain?
    /// The chain of the item whose frames were given up.
    private var former: (item: UInt32, chain: ProcessingChain)?
    /// A chain that knows the pauses of an item, for its next chain.
    var listener: (item: UInt32, chain: ProcessingChain)?
    /// The frames of that item that the ring has not accepted yet.
    private var pending: MappedAudio
    /// The mark that its next frame carries.
    private var pendingMark: FrameRun.Mark = []
    /// The run that ends it.
    private var pendingEnd: FrameRun?
    private var written = WrittenRuns()
    private var fade: SpliceFade
    private var isFading = false
    private var refill: RefillCycle
    /// The frames that are not played.
    private(set) var edits: [FrameNumbering: PlaybackEdits] = [:]
    /// True after the last frames before a hold or a cut.
    private var isInterrupted = false
    /// The number of frames that may still be written to the ring; `nil` for no limit.
    var allowance: Int?
    /// The generation of the last frames that were not left out.
    private var lastPlayed: UInt32?

    /// The most frames that are processed at a time.
    private static let longestPart = 4096

    init(_ ring: PCMRing, sound: @escaping (_ generation: UInt32) -> ItemSound) {
        (self.ring, self.sound) = (ring, sound)
        log = ReplayLog(channels: ring.format.channels)
        pending = MappedAudio(channels: ring.format.channels)
        fade = SpliceFade(channels: ring.format.channels)
        refill = RefillCycle(ring.format)
    }

    // MARK: Levels

    /// The number of frames of an item that were written to the ring.
    func writtenFrames(of generation: UInt32) -> Int { written.frames(of: generation) }

    /// Returns true if the last frames that were not left out are those of an item.
    func hasPlayed(_ generation: UInt32) -> Bool { lastPlayed == generation }

    /// The time of the source that is not rendered yet.
    var bufferedTime: Duration {
        let processed = ring.format.duration(ofFrames: Int64(ring.bufferedFrames + pending.frames))
        return processed * (chain?.settings.speed ?? 1)
            + ring.format.duration(ofFrames: Int64(log.waitingFrames))
    }

    /// The gain in dB that brings the item being processed to its target loudness; `nil` if its loudness stays.
    var loudnessGain: Double? { chain?.loudnessGain }

    /// The number of frames in the ring at which the playback thread must be woken to refill it.
    var refillLevel: Int { chain == nil ? ring.capacity / 2 : refill.wake }

    /// Returns the written runs from `place` on.
    func runs(following place: RenderedTimeline.Position) -> [FrameRun] { written.following(place) }

    // MARK: Writing

    /// Accepts a run and its interleaved samples. They are written as the ring gets space for them.
    /// - Returns: false if earlier ones still wait; this call then has no effect.
    func write(_ samples: UnsafeBufferPointer<Float>, as run: FrameRun) -> Bool {
        guard advance() else { return false }
        log.append(samples, as: run)
        _ = advance()
        return true
    }

    /// Processes and writes what waits.
    /// - Returns: true if nothing waits any more.
    @discardableResult
    func advance() -> Bool {
        while writePending() {
            guard log.takeNext(process) else { return log.isDone }
        }
        return false
    }

    /// Processes the first frames of `run`, which nothing precedes any more.
    /// - Returns: the number of frames processed; `nil` if the ring has no space for them.
    private func process(_ run: FrameRun, _ samples: UnsafeBufferPointer<Float>) -> Int? {
        guard run.frames > 0 else {
            if item?.generation != run.generation { begin(run) }
            chain?.finish(into: &pending)
            // A cut at the end of an item has nothing to fade into.
            if isInterrupted { isFading = false }
            pendingEnd = run
            return 0
        }
        // Frames of two versions are not processed together, because their numbers are unrelated.
        if let item, item.generation == run.generation, item.version != run.version { interrupt() }
        guard pending.pieces.isEmpty else { return 0 }
        let part = edits[run.numbering]?.part(from: run.sourceFrame, count: Int(run.frames))
        switch part ?? .played(Int(run.frames)) {
        case .held:
            interrupt()
            return nil
        case .leftOut(let frames):
            leaveOut(run.part(from: 0, count: frames), samples)
            return frames
        case .played(let frames): return play(run.part(from: 0, count: frames), samples)
        }
    }

    private func play(_ run: FrameRun, _ samples: UnsafeBufferPointer<Float>) -> Int? {
        if item?.generation != run.generation || isInterrupted { begin(run) }
        lastPlayed = run.generation
        guard chain != nil || isFading else { return writeUnprocessed(run, samples) }
        guard refill.isDue(at: ring.bufferedFrames) else { return nil }
        let frames = min(Int(run.frames), Self.longestPart)
        let part = UnsafeBufferPointer(rebasing: samples[..<(frames * ring.format.channels)])
        if chain?.process(part, from: run.sourceFrame, into: &pending) == nil {
            pending.append(part, as: .init(sourceFrame: run.sourceFrame, sourceFrames: frames, frames: frames))
        }
        pendingMark.formUnion(run.mark)
        fadeIn()
        return frames
    }

    private func begin(_ run: FrameRun) {
        let sound = sound(run.generation)
        let former = former.flatMap { $0.item == run.item ? $0.chain : nil }
        chain =
            former.map { $0.changed(to: sound.settings, loudness: sound.loudness, itemFrames: sound.end) }
            ?? ProcessingChain(
                sound.settings, format: ring.format, loudness: sound.loudness, itemFrames: sound.end)
        if let listener = listener.take(), listener.item == run.item { chain?.learnPauses(from: listener.chain) }
        item = ProcessedItem(run)
        self.former = nil
        isInterrupted = false
    }

    /// Lets the chain give the frames that it holds back: other frames follow, or none for now.
    private func interrupt() {
        guard !isInterrupted, item != nil else { return }
        isInterrupted = true
        keepChain()
        chain?.finish(into: &pending)
        chain = nil
    }

    /// Keeps what the chain has learned about the item, whose frames are given up.
    private func keepChain() { if let item, let chain { former = (item.id, chain) } }

    private func leaveOut(_ run: FrameRun, _ samples: UnsafeBufferPointer<Float>) {
        let isFirst = item?.generation != run.generation
        if isFirst { begin(run) }
        let endsSound = !isFirst && !isInterrupted
        interrupt()
        if endsSound {
            let frames = min(Int(run.frames), Int(ring.format.frames(in: SpliceFade.longest)))
            fade.begin(from: Array(samples[..<(frames * ring.format.channels)]))
            isFading = true
        }
        pendingMark.formUnion(run.mark)
    }

    private func writeUnprocessed(_ run: FrameRun, _ samples: UnsafeBufferPointer<Float>) -> Int? {
        // The frames of one packet, converted to a higher rate, may be more than the ring holds.
        let frames = min(Int(run.frames), ring.capacity / 2, allowance ?? .max)
        guard frames > 0 else { return nil }
        let samples = UnsafeBufferPointer(rebasing: samples[..<(frames * ring.format.channels)])
        var run = run.part(from: 0, count: frames)
        run.mark.formUnion(pendingMark)
        guard ring.write(samples, as: run) else { return nil }
        pendingMark = []
        written.append(run)
        allowance = allowance.map { $0 - frames }
        return frames
    }

    /// Moves processed frames and a due end to the ring.
    /// - Returns: false if the ring has no space for all of them.
    private func writePending() -> Bool {
        if let item, !pending.pieces.isEmpty {
            let frames = pending.withSlice { write($0, of: item) }
            pending.removeFirst(frames)
            allowance = allowance.map { $0 - frames }
        }
        return pending.pieces.isEmpty && writeEnd()
    }

    /// Writes the pieces for which the ring has space, the last of them in part.
    /// - Returns: the number of frames written.
    private func write(_ slice: MappedAudio.Slice, of item: ProcessedItem) -> Int {
        let channels = ring.format.channels
        var frames = 0
        for piece in slice.pieces {
            let count = min(piece.frames, ring.writableFrames, (allowance ?? .max) - frames)
            guard count > 0 else { break }
            let run = item.run(piece.part(from: 0, count: count), mark: pendingMark)
            let samples = slice.samples[(frames * channels)..<((frames + count) * channels)]
            guard ring.write(UnsafeBufferPointer(rebasing: samples), as: run) else { break }
            (pendingMark, frames) = ([], frames + count)
            written.append(run)
            // The device may free space meanwhile, but the rest of this piece comes first.
            guard count == piece.frames else { break }
        }
        return frames
    }

    private func writeEnd() -> Bool {
        guard var end = pendingEnd else { return true }
        end.mark.formUnion(pendingMark)
        guard ring.write(UnsafeBufferPointer(start: nil, count: 0), as: end) else { return false }
        (pendingEnd, pendingMark, item, chain) = (nil, [], nil, nil)
        return true
    }

    /// Fades the first frames in after a replay.
    private func fadeIn() {
        let frames = pending.frames
        guard isFading, frames > 0 else { return }
        pending.modifySamples { samples in
            if let start = samples.baseAddress { isFading = fade.apply(to: start, frames: frames) }
        }
    }
}

// MARK: Frames that are not played
extension RingWriter {
    /// Sets the frames that are not played.
    /// - Parameter place: the frame being played; `nil` before the first.
    /// - Returns: true if the edits concern frames after `place` that were processed already; `replay` corrects that.
    func setEdits(_ new: [FrameNumbering: PlaybackEdits], after place: RenderedTimeline.Position?) -> Bool {
        guard new != edits else { return false }
        let old = edits
        edits = new
        return log.next.map { new.differ(from: old, after: place, before: $0) } ?? false
    }

    // MARK: Frames that are given up or played

    /// Processes and writes again the frames from `place` on. The frames in the ring are dropped; nothing may render
    /// meanwhile.
    /// - Parameter old: frames that were to follow, from which the new ones fade in; empty if the sink fades.
    func replay(from place: RenderedTimeline.Position?, fadingFrom old: [Float]) {
        ring.discardAll()
        dropProcessed()
        log.rewind(to: place)
        written.removeAll()
        fade.begin(from: old)
        isFading = !old.isEmpty
    }

    /// Gives up all frames that were not rendered, and those of every generation before `generation`.
    func discard(before generation: UInt32) {
        ring.discard(before: generation)
        dropProcessed()
        log.removeAll()
        written.removeAll()
        isFading = false
    }

    /// Gives up the frames of `first` and later generations, which `stale` contains, and which were written last.
    func discard(from first: UInt32, stale: Range<UInt32>) {
        ring.discardTail(frames: written.frames(from: first), of: stale)
        written.remove(from: first)
        log.remove(from: first)
        if let item, item.generation >= first { dropProcessed() }
    }

    /// Forgets the frames before the one being heard.
    func forget(before place: RenderedTimeline.Position) {
        log.forget(before: place)
        written.forget(before: place)
    }

    /// Forgets the frames of items that were completely played.
    func forget(through generation: UInt32) {
        log.remove(through: generation)
        written.forget(through: generation)
    }

    private func dropProcessed() {
        pending.removeAll()
        keepChain()
        (item, chain, pendingMark, pendingEnd, isInterrupted) = (nil, nil, [], nil, false)
    }
}
