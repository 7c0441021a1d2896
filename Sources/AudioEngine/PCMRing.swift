// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// PCM on its way from the thread that decodes to the device that plays, each stretch with the `FrameRun` that says
/// what it is.
///
/// One thread writes and discards, one renders, one takes what was rendered; the counts are for any thread. Nothing
/// here locks; nothing allocates after `init`.
public final class PCMRing: RenderSource {
    public let format: AudioFormat
    /// The most PCM frames it can hold.
    public var capacity: Int { positions.capacity }

    private let positions: RingPositions
    private let storage: PCMRingStorage
    /// Beside the samples: pushed after them, so that a run's samples are there when the run is.
    private let runs: SPSCQueue<FrameRun>
    private let rendered: SPSCQueue<RenderedRun>
    /// Runs of these generations are stale. One word, so that the consumer never sees half a change.
    private let stale = Atomic<StaleGenerations>(StaleGenerations(0..<0))
    /// The indexes between which stale frames lie, or lay. Written by the producer.
    private let staleStart = Atomic<Int>(0)
    private let staleEnd = Atomic<Int>(0)
    /// How much of the front run the consumer has taken. Its own; atomic to spare the exclusivity bookkeeping of a
    /// `var` in the render path.
    private let taken = Atomic<Int>(0)

    /// - Parameters:
    ///   - capacity: PCM frames, rounded up to a power of two.
    ///   - runs: how many runs it can hold, rounded up to a power of two.
    ///   - renderedRuns: how many rendered runs may wait for `nextRendered`.
    public init(format: AudioFormat, capacity: Int, runs: Int = 1024, renderedRuns: Int = 4096) {
        self.format = format
        positions = RingPositions(capacity: capacity)
        storage = PCMRingStorage(frames: positions.capacity, channels: format.channels)
        self.runs = SPSCQueue(capacity: runs)
        rendered = SPSCQueue(capacity: renderedRuns)
    }

    // MARK: Any thread

    /// Frames held, of whatever generation.
    public var readableFrames: Int { positions.count }
    /// Frames there is room for.
    public var writableFrames: Int { capacity - positions.count }

    /// Frames held that are not stale.
    public var bufferedFrames: Int {
        let start = positions.readIndex
        let (first, end) = (staleStart.load(ordering: .acquiring), staleEnd.load(ordering: .acquiring))
        let stale = max(0, end &- max(start, first))
        return min(capacity, max(0, positions.writeIndex &- start &- stale))
    }

    /// Stale frames lie there that the consumer has yet to pass.
    public var holdsStaleFrames: Bool { positions.readIndex < staleEnd.load(ordering: .acquiring) }

    // MARK: Producer

    /// Makes stale all that was written, and every run of an older generation still to be written. The consumer lets go
    /// of them the next time it renders, be it 0 frames. Generations only rise: for one that was discarded already
    /// nothing changes.
    public func discard(before generation: UInt32) {
        guard generation > stale.load(ordering: .relaxed).range.upperBound else { return }
        discard(0..<generation, from: positions.readIndex)
    }

    /// Makes the `frames` frames last written stale, which are of `generations`; what was written before them stays
    /// and will be followed by what is written next. The consumer passes over them when it comes to them.
    ///
    /// Where stale frames of an earlier call are still held, they must lie directly before these, and their generations
    /// among `generations`.
    public func discardTail(frames: Int, of generations: Range<UInt32>) {
        let start = positions.writeIndex &- frames
        discard(generations, from: holdsStaleFrames ? min(start, staleStart.load(ordering: .relaxed)) : start)
    }

    private func discard(_ generations: Range<UInt32>, from start: Int) {
        staleStart.store(start, ordering: .releasing)
        staleEnd.store(positions.writeIndex, ordering: .releasing)
        stale.store(StaleGenerations(generations), ordering: .releasing)
    }

    /// Appends `samples`, interleaved, as `run`, all or nothing. A run of 0 frames only carries its mark. A stale run
    /// is taken and dropped.
    /// - Parameter samples: `run.frames × channels`; at most `capacity` frames.
    /// - Returns: false when there is no room now.
    public func write(_ samples: UnsafeBufferPointer<Float>, as run: FrameRun) -> Bool {
        let frames = Int(run.frames)
        precondition(samples.count == frames * format.channels, "samples and run differ in length")
        precondition(frames <= capacity, "a run longer than the ring")
        guard !stale.load(ordering: .relaxed).contains(run.generation) else { return true }
        guard positions.hasRoom(for: frames), runs.hasRoom else { return false }
        storage.copyIn(samples, atSlot: positions.slot(of: positions.writeIndex))
        positions.didWrite(frames)
        return runs.push(run)
    }

    // MARK: Consumer

    /// Comes back short when the ring is dry, or when nobody takes what was rendered (`nextRendered`).
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
            guard part > 0 || run.frames == 0, rendered.hasRoom else { break }
            storage.copyOut(
                to: output + done * storage.channels, frames: part, atSlot: positions.slot(of: positions.readIndex))
            take(part, of: run, at: outputFrame + Int64(done))
            done += part
        }
        return done
    }

    // MARK: Who follows what is heard

    /// The oldest rendered run not yet taken, in the order of rendering.
    public func nextRendered() -> RenderedRun? {
        guard let run = rendered.front else { return nil }
        rendered.removeFront()
        return run
    }
}

extension PCMRing {
    /// Reports `frames` of the front run as rendered and moves past them.
    @_noLocks @_noAllocation
    private func take(_ frames: Int, of run: FrameRun, at outputFrame: Int64) {
        let before = taken.load(ordering: .relaxed)
        _ = rendered.push(RenderedRun(run: run.part(from: before, count: frames), outputFrame: outputFrame))
        if before + frames == Int(run.frames) {
            finish(run, after: frames)
        } else {
            positions.didRead(frames)
            taken.store(before + frames, ordering: .relaxed)
        }
    }

    /// Moves past the front run, of which `frames` are left.
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

/// A bounded queue between one producing and one consuming thread that neither locks nor allocates.
///
/// `@unchecked Sendable`: a slot is touched by one thread at a time, handed over by the release and acquire of
/// `RingPositions`.
///
/// In the ring's file: the checker of `@_noLocks` must see its body to specialise it, and a debug build compiles
/// file by file.
struct SPSCQueue<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private let positions: RingPositions
    private let slots: UnsafeMutablePointer<Element>

    /// - Parameter capacity: elements, rounded up to a power of two.
    init(capacity: Int) {
        positions = RingPositions(capacity: capacity)
        slots = .allocate(capacity: positions.capacity)
        // What the type "nothing or an element" is is worked out at its first use, under a lock: now.
        _ = front
    }

    deinit { slots.deallocate() }

    /// Producer.
    var hasRoom: Bool { positions.hasRoom(for: 1) }

    /// Producer: appends `element`, or answers false when the queue is full.
    func push(_ element: Element) -> Bool {
        guard positions.hasRoom(for: 1) else { return false }
        slots[positions.slot(of: positions.writeIndex)] = element
        positions.didWrite(1)
        return true
    }

    /// Consumer: the oldest element; it stays.
    var front: Element? {
        positions.hasElement() ? slots[positions.slot(of: positions.readIndex)] : nil
    }

    /// Consumer: takes the oldest element away, which must be there.
    func removeFront() { positions.didRead(1) }
}
