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
    /// Returns the settings of the item whose frames have a generation.
    private let settings: (_ generation: UInt32) -> SoundSettings

    private var log: ReplayLog
    /// The item being processed; its chain is `nil` if its sound is not processed.
    private var item: (generation: UInt32, id: UInt32, chain: ProcessingChain?)?
    /// The chain of the item whose frames were given up.
    private var former: (item: UInt32, chain: ProcessingChain)?
    /// The frames of that item that the ring has not accepted yet.
    private var pending: MappedAudio
    /// The mark that its next frame carries.
    private var pendingMark: FrameRun.Mark = []
    /// The run that ends it.
    private var pendingEnd: FrameRun?
    /// The numbers of frames written to the ring, by generation, ascending.
    private var written: [(generation: UInt32, frames: Int)] = []
    private var fade: SpliceFade
    private var isFading = false

    /// The most sound in the ring while it is processed. The rest of what the ring could hold is in the log.
    private static let mostProcessed = Duration.milliseconds(600)
    /// The most frames that are processed at a time.
    private static let longestPart = 4096

    init(_ ring: PCMRing, settings: @escaping (_ generation: UInt32) -> SoundSettings) {
        self.ring = ring
        self.settings = settings
        log = ReplayLog(channels: ring.format.channels)
        pending = MappedAudio(channels: ring.format.channels)
        fade = SpliceFade(channels: ring.format.channels)
    }

    // MARK: Levels

    /// The number of frames of an item that were written to the ring.
    func writtenFrames(of generation: UInt32) -> Int { written.last { $0.generation == generation }?.frames ?? 0 }

    /// The time of the source that is not rendered yet.
    var bufferedTime: Duration {
        let processed = ring.format.duration(ofFrames: Int64(ring.bufferedFrames + pending.frames))
        return processed * (item?.chain?.settings.speed ?? 1)
            + ring.format.duration(ofFrames: Int64(log.waitingFrames))
    }

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
        if item?.generation != run.generation { begin(run) }
        guard run.frames > 0 else {
            item?.chain?.finish(into: &pending)
            pendingEnd = run
            return 0
        }
        guard item?.chain != nil || isFading else { return writeUnprocessed(run, samples) }
        guard ring.bufferedFrames < Int(ring.format.frames(in: Self.mostProcessed)) else { return nil }
        let frames = min(Int(run.frames), Self.longestPart)
        let part = UnsafeBufferPointer(rebasing: samples[..<(frames * ring.format.channels)])
        if item?.chain?.process(part, from: run.sourceFrame, into: &pending) == nil {
            pending.append(part, as: .init(sourceFrame: run.sourceFrame, sourceFrames: frames, frames: frames))
        }
        pendingMark.formUnion(run.mark)
        fadeIn()
        return frames
    }

    private func begin(_ run: FrameRun) {
        let settings = settings(run.generation)
        let former = former.flatMap { $0.item == run.item ? $0.chain : nil }
        let chain = former.map { $0.changed(to: settings) } ?? ProcessingChain(settings, format: ring.format)
        item = (run.generation, run.item, chain)
        self.former = nil
    }

    private func writeUnprocessed(_ run: FrameRun, _ samples: UnsafeBufferPointer<Float>) -> Int? {
        guard ring.write(samples, as: run) else { return nil }
        count(Int(run.frames), of: run.generation)
        return Int(run.frames)
    }

    /// Moves processed frames and a due end to the ring.
    /// - Returns: false if the ring has no space for all of them.
    private func writePending() -> Bool {
        while let piece = pending.pieces.first, let item {
            let part = piece.part(from: 0, count: min(piece.frames, ring.writableFrames))
            let run = FrameRun(
                generation: item.generation, item: item.id, sourceFrame: part.sourceFrame,
                frames: Int32(clamping: part.frames), sourceFrames: Int32(clamping: part.sourceFrames),
                mark: pendingMark)
            let samples = part.frames * ring.format.channels
            guard part.frames > 0,
                pending.withSamples({ ring.write(UnsafeBufferPointer(rebasing: $0[..<samples]), as: run) })
            else { return false }
            pending.removeFirst(part.frames)
            pendingMark = []
            count(part.frames, of: item.generation)
        }
        return writeEnd()
    }

    private func writeEnd() -> Bool {
        guard var end = pendingEnd else { return true }
        end.mark.formUnion(pendingMark)
        guard ring.write(UnsafeBufferPointer(start: nil, count: 0), as: end) else { return false }
        (pendingEnd, pendingMark, item) = (nil, [], nil)
        return true
    }

    private func count(_ frames: Int, of generation: UInt32) {
        if let last = written.indices.last, written[last].generation == generation {
            written[last].frames += frames
        } else {
            written.append((generation, frames))
        }
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

// MARK: Frames that are given up or played
extension RingWriter {
    /// Processes and writes again the frames from `place` on. The frames in the ring become stale.
    /// - Parameter old: frames that were to follow, from which the new ones fade in; empty if the sink fades.
    func replay(from place: RenderedTimeline.Position?, fadingFrom old: [Float]) {
        ring.discardAll()
        dropProcessed()
        log.rewind(to: place)
        written = []
        fade.begin(from: old)
        isFading = !old.isEmpty
    }

    /// Gives up all frames that were not rendered, and those of every generation before `generation`.
    func discard(before generation: UInt32) {
        ring.discard(before: generation)
        dropProcessed()
        log.removeAll()
        written = []
        isFading = false
    }

    /// Gives up the frames of `first` and later generations, which `stale` contains, and which were written last.
    func discard(from first: UInt32, stale: Range<UInt32>) {
        let frames = written.reduce(0) { $0 + ($1.generation >= first ? $1.frames : 0) }
        ring.discardTail(frames: frames, of: stale)
        written.removeAll { $0.generation >= first }
        log.remove(from: first)
        if let item, item.generation >= first { dropProcessed() }
    }

    /// Forgets the frames before the one being heard.
    func forget(before place: RenderedTimeline.Position) { log.forget(before: place) }

    /// Forgets the frames of items that were completely played.
    func forget(through generation: UInt32) {
        log.remove(through: generation)
        written.removeAll { $0.generation <= generation }
    }

    private func dropProcessed() {
        pending.removeAll()
        if let item, let chain = item.chain { former = (item.id, chain) }
        (item, pendingMark, pendingEnd) = (nil, [], nil)
    }
}
