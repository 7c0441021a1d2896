// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// PCM on its way from the thread that decodes to the device that plays, each stretch with the `FrameRun` that says
/// what it is.
///
/// One thread writes, one renders, one takes what was rendered; `discard` and the counts are for any thread. Nothing
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
    /// Runs of an older generation are stale.
    private let oldestGeneration = Atomic<UInt32>(0)
    /// The generation last written, and the index of its first frame. Written by the producer, the index first.
    private let newestGeneration = Atomic<UInt32>(0)
    private let newestStart = Atomic<Int>(0)
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

    /// Frames held of the generation last written; none where that one was discarded.
    public var bufferedFrames: Int {
        guard newestGeneration.load(ordering: .acquiring) >= oldestGeneration.load(ordering: .acquiring) else {
            return 0
        }
        let start = max(positions.readIndex, newestStart.load(ordering: .acquiring))
        return min(capacity, max(0, positions.writeIndex &- start))
    }

    /// Makes every run of an older generation stale, those still to be written too. The consumer lets go of them the
    /// next time it renders, be it 0 frames; generations only rise.
    public func discard(before generation: UInt32) {
        oldestGeneration.max(generation, ordering: .acquiringAndReleasing)
    }

    // MARK: Producer

    /// Appends `samples`, interleaved, as `run`, all or nothing. A run of 0 frames only carries its mark. A stale run
    /// is taken and dropped.
    /// - Parameter samples: `run.frames × channels`; at most `capacity` frames.
    /// - Returns: false when there is no room now.
    public func write(_ samples: UnsafeBufferPointer<Float>, as run: FrameRun) -> Bool {
        let frames = Int(run.frames)
        precondition(samples.count == frames * format.channels, "samples and run differ in length")
        precondition(frames <= capacity, "a run longer than the ring")
        guard run.generation >= oldestGeneration.load(ordering: .acquiring) else { return true }
        guard positions.hasRoom(for: frames), runs.hasRoom else { return false }
        if run.generation != newestGeneration.load(ordering: .relaxed) {
            newestStart.store(positions.writeIndex, ordering: .releasing)
            newestGeneration.store(run.generation, ordering: .releasing)
        }
        storage.copyIn(samples, atSlot: positions.slot(of: positions.writeIndex))
        positions.didWrite(frames)
        return runs.push(run)
    }

    // MARK: Consumer

    /// Comes back short when the ring is dry, or when nobody takes what was rendered (`nextRendered`).
    @_noLocks @_noAllocation
    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let oldest = oldestGeneration.load(ordering: .acquiring)
        var done = 0
        while let run = runs.front {
            if run.generation < oldest {
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
