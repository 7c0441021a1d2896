// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// A ring of PCM from the decoding thread to the device; a `FrameRun` describes each run of frames in it.
///
/// One thread writes and discards, one renders, one takes the rendered runs; any thread may read the counts. The ring
/// never locks, and allocates only in `init`.
public final class PCMRing: RenderSource {
    public let format: AudioFormat
    /// The maximum number of PCM frames in the ring.
    public var capacity: Int { positions.capacity }

    private let positions: RingPositions
    private let storage: PCMRingStorage
    /// The runs of the samples. A run is pushed after its samples, so that they are in the ring when the run is.
    private let runs: SPSCQueue<FrameRun>
    private let rendered: SPSCQueue<RenderedRun>
    /// The generations whose runs are stale, in one word, so that the consumer never sees half of a change.
    private let stale = Atomic<StaleGenerations>(StaleGenerations(0..<0))
    /// The indexes between which stale frames are, or were, stored. Written by the producer.
    private let staleStart = Atomic<Int>(0)
    private let staleEnd = Atomic<Int>(0)
    /// The number of frames of the front run that the consumer has rendered. Only the consumer uses it; it is atomic
    /// to avoid the exclusivity checks of a `var` in the render path.
    private let taken = Atomic<Int>(0)

    /// - Parameters:
    ///   - capacity: PCM frames, rounded up to a power of two.
    ///   - runs: the maximum number of runs, rounded up to a power of two.
    ///   - renderedRuns: the maximum number of rendered runs that wait for `nextRendered`.
    public init(format: AudioFormat, capacity: Int, runs: Int = 1024, renderedRuns: Int = 4096) {
        self.format = format
        positions = RingPositions(capacity: capacity)
        storage = PCMRingStorage(frames: positions.capacity, channels: format.channels)
        self.runs = SPSCQueue(capacity: runs)
        rendered = SPSCQueue(capacity: renderedRuns)
    }

    // MARK: Any thread

    /// The number of frames in the ring, of any generation.
    public var readableFrames: Int { positions.count }
    /// The number of frames that can be written.
    public var writableFrames: Int { capacity - positions.count }

    /// The number of frames in the ring that are not stale.
    public var bufferedFrames: Int {
        let start = positions.readIndex
        let (first, end) = (staleStart.load(ordering: .acquiring), staleEnd.load(ordering: .acquiring))
        let stale = max(0, end &- max(start, first))
        return min(capacity, max(0, positions.writeIndex &- start &- stale))
    }

    /// True if the ring holds stale frames that the consumer has not yet skipped.
    public var holdsStaleFrames: Bool { positions.readIndex < staleEnd.load(ordering: .acquiring) }

    // MARK: Producer

    /// Makes all frames written so far stale, and every run of an older generation that is written later. The
    /// consumer drops them the next time it renders, even with 0 frames. Generations only rise: discarding a
    /// generation again has no effect.
    public func discard(before generation: UInt32) {
        guard generation > stale.load(ordering: .relaxed).range.upperBound else { return }
        discard(0..<generation, from: positions.readIndex)
    }

    /// Makes the last `frames` frames written, which are of `generations`, stale. Earlier frames stay, and the frames
    /// written next will follow them. The consumer skips the stale frames when it reaches them.
    ///
    /// If stale frames of an earlier call are still in the ring, they must lie directly before these, and
    /// `generations` must include their generations.
    public func discardTail(frames: Int, of generations: Range<UInt32>) {
        let start = positions.writeIndex &- frames
        discard(generations, from: holdsStaleFrames ? min(start, staleStart.load(ordering: .relaxed)) : start)
    }

    /// Drops all frames written so far, and makes no generation stale: frames of the same items may be written again.
    /// Nothing may render meanwhile.
    public func discardAll() {
        // A device that is stopped drops nothing itself, so stale frames would leave no space for the new ones.
        while let run = runs.front { finish(run, after: Int(run.frames) - taken.load(ordering: .relaxed)) }
    }

    /// Returns a copy of the frames that are rendered next, at most `count`; none if the next frames are stale. Nothing
    /// may render meanwhile.
    public func nextSamples(_ count: Int) -> [Float] {
        guard !holdsStaleFrames else { return [] }
        let frames = min(count, readableFrames)
        return [Float](unsafeUninitializedCapacity: frames * format.channels) { samples, filled in
            if let start = samples.baseAddress {
                storage.copyOut(to: start, frames: frames, atSlot: positions.slot(of: positions.readIndex))
            }
            filled = frames * format.channels
        }
    }

    private func discard(_ generations: Range<UInt32>, from start: Int) {
        staleStart.store(start, ordering: .releasing)
        staleEnd.store(positions.writeIndex, ordering: .releasing)
        stale.store(StaleGenerations(generations), ordering: .releasing)
    }

    /// Appends interleaved `samples` as `run`, completely or not at all. A run of 0 frames only carries its mark. A
    /// stale run is accepted and dropped.
    /// - Parameter samples: `run.frames × channels`; at most `capacity` frames.
    /// - Returns: false if the ring is full.
    public func write(_ samples: UnsafeBufferPointer<Float>, as run: FrameRun) -> Bool {
        let frames = Int(run.frames)
        precondition(samples.count == frames * format.channels, "samples and run differ in length")
        precondition(frames <= capacity, "a run longer than the ring")
        guard !stale.load(ordering: .relaxed).contains(run.generation) else { return true }
        guard positions.hasRoom(for: frames), runs.hasSpace else { return false }
        storage.copyIn(samples, atSlot: positions.slot(of: positions.writeIndex))
        positions.didWrite(frames)
        return runs.push(run)
    }

    // MARK: Consumer

    /// Renders fewer frames than requested if the ring is empty, or if the rendered runs are not taken
    /// (`nextRendered`).
    @_noLocks @_noAllocation
    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let stale = stale.load(ordering: .acquiring)
        var done = 0
        while let run = runs.front {
            if stale.contains(run.generation) {
                finish(run, after: Int(run.frames) - taken.load(ordering: .relaxed))
                continue
            }
            let part = min(Int(run.frames) - taken.load(ordering: .relaxed), frames - done)
            guard part > 0 || run.frames == 0, rendered.hasSpace else { break }
            storage.copyOut(
                to: output + done * storage.channels, frames: part, atSlot: positions.slot(of: positions.readIndex))
            advance(part, of: run, at: outputFrame + Int64(done))
            done += part
        }
        return done
    }

    // MARK: The thread that follows playback

    /// Removes and returns the oldest rendered run, in the order of rendering.
    public func nextRendered() -> RenderedRun? {
        guard let run = rendered.front else { return nil }
        rendered.removeFront()
        return run
    }
}

extension PCMRing {
    /// Reports `frames` frames of the front run as rendered and moves past them.
    @_noLocks @_noAllocation
    private func advance(_ frames: Int, of run: FrameRun, at outputFrame: Int64) {
        let before = taken.load(ordering: .relaxed)
        _ = rendered.push(RenderedRun(run: run.part(from: before, count: frames), outputFrame: outputFrame))
        if before + frames == Int(run.frames) {
            finish(run, after: frames)
        } else {
            positions.didRead(frames)
            taken.store(before + frames, ordering: .relaxed)
        }
    }

    /// Removes the front run, of which `frames` frames are left.
    @_noLocks @_noAllocation
    private func finish(_ run: FrameRun, after frames: Int) {
        positions.didRead(frames)
        taken.store(0, ordering: .relaxed)
        runs.removeFront()
    }
}

/// A range of generations in one atomic word.
struct StaleGenerations: AtomicRepresentable, Sendable {
    private let first: UInt32
    private let end: UInt32

    init(_ generations: Range<UInt32>) { (first, end) = (generations.lowerBound, generations.upperBound) }

    private init(word: UInt64) {
        (first, end) = (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
    }

    var range: Range<UInt32> { first..<end }

    @_noLocks @_noAllocation
    func contains(_ generation: UInt32) -> Bool { generation >= first && generation < end }

    typealias AtomicRepresentation = UInt64.AtomicRepresentation

    static func encodeAtomicRepresentation(_ value: consuming StaleGenerations) -> AtomicRepresentation {
        UInt64.encodeAtomicRepresentation(UInt64(value.end) << 32 | UInt64(value.first))
    }

    static func decodeAtomicRepresentation(_ word: consuming AtomicRepresentation) -> StaleGenerations {
        StaleGenerations(word: UInt64.decodeAtomicRepresentation(word))
    }
}

/// A bounded queue between one producer thread and one consumer thread that neither locks nor allocates.
///
/// `@unchecked Sendable`: one thread at a time accesses a slot; the release and acquire of `RingPositions` hand it
/// over.
///
/// The type is in the ring's file, because the `@_noLocks` checker must see its body to specialize it, and a debug
/// build compiles each file separately.
struct SPSCQueue<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private let positions: RingPositions
    private let slots: UnsafeMutablePointer<Element>

    /// - Parameter capacity: elements, rounded up to a power of two.
    init(capacity: Int) {
        positions = RingPositions(capacity: capacity)
        slots = .allocate(capacity: positions.capacity)
        // The runtime creates the type metadata of `Element?` at its first use, under a lock: do that now.
        _ = front
    }

    deinit { slots.deallocate() }

    /// True if one more element fits. Only the producer may read it.
    var hasSpace: Bool { positions.hasRoom(for: 1) }

    /// Appends `element`, or returns false if the queue is full. Only the producer may call this.
    func push(_ element: Element) -> Bool {
        guard positions.hasRoom(for: 1) else { return false }
        slots[positions.slot(of: positions.writeIndex)] = element
        positions.didWrite(1)
        return true
    }

    /// The oldest element, which stays in the queue. Only the consumer may read it.
    var front: Element? {
        positions.hasElement() ? slots[positions.slot(of: positions.readIndex)] : nil
    }

    /// Removes the oldest element, which must exist. Only the consumer may call this.
    func removeFront() { positions.didRead(1) }
}
