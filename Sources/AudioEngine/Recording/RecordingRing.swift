// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A ring of PCM from the realtime thread to the writing thread, with an exact account of the frames that did not
/// fit.
struct RecordingRing: ~Copyable, Sendable {
    private let positions: RingPositions
    private let storage: PCMRingStorage
    private let gaps: GapQueue
    private let dropped = Atomic<Int64>(0)
    // The gap that still grows; the realtime thread owns it until the ring is shut.
    private let gapFrame = Atomic<Int64>(0)
    private let gapCount = Atomic<Int64>(0)
    private let isOpen = Atomic<Bool>(true)
    /// Odd while the realtime thread pushes.
    private let visits = Atomic<Int>(0)

    /// - Parameter capacity: PCM frames, rounded up to a power of two.
    init(capacity: Int, channels: Int) {
        positions = RingPositions(capacity: capacity)
        storage = PCMRingStorage(frames: positions.capacity, channels: channels)
        gaps = GapQueue(capacity: 256)
    }

    var capacity: Int { positions.capacity }
    var channels: Int { @_noLocks @_noAllocation get { storage.channels } }

    // MARK: The realtime thread

    /// Appends as many of `frames` interleaved frames as fit; the others are dropped and counted.
    /// - Returns: the number of frames appended; 0 after `close`, when none is counted.
    @_noLocks @_noAllocation
    func push(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        visits.add(1, ordering: .sequentiallyConsistent)
        let taken = isOpen.load(ordering: .sequentiallyConsistent) ? append(samples, frames: frames) : 0
        visits.add(1, ordering: .sequentiallyConsistent)
        return taken
    }

    @_noLocks @_noAllocation
    private func append(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        let end = positions.writeIndex
        let taken = min(frames, positions.capacity &- (end &- positions.readIndex))
        guard frames > 0 else { return 0 }
        if taken > 0 {
            storage.copyIn(
                UnsafeBufferPointer(start: samples, count: taken &* storage.channels), atSlot: positions.slot(of: end))
            positions.didWrite(taken)
        }
        if taken < frames { drop(Int64(frames &- taken), before: Int64(end &+ taken)) }
        return taken
    }

    /// Counts dropped frames. Frames dropped at the same position form one gap. While the queue of gaps is full,
    /// later frames are counted in the previous gap.
    @_noLocks @_noAllocation
    private func drop(_ count: Int64, before frame: Int64) {
        let sum = gapCount.load(ordering: .relaxed)
        let place = gapFrame.load(ordering: .relaxed)
        let isNew = sum == 0 || place != frame && gaps.push(RecordingGap(frame: place, count: sum))
        if isNew { gapFrame.store(frame, ordering: .relaxed) }
        gapCount.store(isNew ? count : sum &+ count, ordering: .relaxed)
        dropped.add(count, ordering: .relaxed)
    }

    // MARK: Any thread

    /// Returns true if `frames` frames fit, provided that the realtime thread pushes none in between.
    func hasSpace(for frames: Int) -> Bool { positions.capacity - positions.count >= frames }

    /// True if pushed frames are refused.
    var isClosed: Bool { !isOpen.load(ordering: .sequentiallyConsistent) }

    /// The number of frames dropped so far.
    var droppedFrames: Int64 { dropped.load(ordering: .relaxed) }

    /// Refuses frames that are pushed from now on.
    func close() { isOpen.store(false, ordering: .sequentiallyConsistent) }

    /// True if no push is in progress. After `close`, later pushes append nothing.
    var isIdle: Bool { visits.load(ordering: .sequentiallyConsistent).isMultiple(of: 2) }

    // MARK: The writing thread

    /// Copies out the oldest frames, at most `frames`, and frees their slots.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let start = positions.readIndex
        let count = min(frames, positions.writeIndex &- start)
        guard count > 0 else { return 0 }
        storage.copyOut(to: target, frames: count, atSlot: positions.slot(of: start))
        positions.didRead(count)
        return count
    }

    /// Removes and returns the oldest gap, except the one that may still grow.
    func removeGap() -> RecordingGap? { gaps.pop() }

    /// The last gap. Valid once the ring is shut.
    var lastGap: RecordingGap? {
        let count = gapCount.load(ordering: .relaxed)
        return count > 0 ? RecordingGap(frame: gapFrame.load(ordering: .relaxed), count: count) : nil
    }
}
