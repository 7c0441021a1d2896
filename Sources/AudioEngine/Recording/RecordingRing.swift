// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// PCM from the realtime thread to the one that writes it, and an exact account of what found no room.
struct RecordingRing: ~Copyable, Sendable {
    private let positions: RingPositions
    private let storage: PCMRingStorage
    private let gaps: GapQueue
    private let dropped = Atomic<Int64>(0)
    // The gap that frames are still dropped into: the realtime thread's, until it is shut out.
    private let gapFrame = Atomic<Int64>(0)
    private let gapCount = Atomic<Int64>(0)
    private let isOpen = Atomic<Bool>(true)
    /// Odd while the realtime thread is inside.
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

    /// Appends as many of `frames` interleaved frames as there is room for; the others are dropped and counted.
    /// - Returns: how many there was room for; 0, and none is counted, once it was closed.
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

    /// Frames dropped at the same place are one gap. While there is no room for a further one, later frames are counted
    /// in the one before.
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

    /// Whether so many frames find room, as far as the realtime thread pushes none meanwhile.
    func hasRoom(for frames: Int) -> Bool { positions.capacity - positions.count >= frames }

    /// Whether what is pushed is refused.
    var isClosed: Bool { !isOpen.load(ordering: .sequentiallyConsistent) }

    /// Frames dropped so far.
    var droppedFrames: Int64 { dropped.load(ordering: .relaxed) }

    /// What is pushed from now on is refused.
    func close() { isOpen.store(false, ordering: .sequentiallyConsistent) }

    /// After `close`: the realtime thread is not inside any more, and comes in no more.
    var isShut: Bool { visits.load(ordering: .sequentiallyConsistent).isMultiple(of: 2) }

    // MARK: The writing thread

    /// Copies the oldest frames out, at most `frames`, and gives their places back.
    func take(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let start = positions.readIndex
        let count = min(frames, positions.writeIndex &- start)
        guard count > 0 else { return 0 }
        storage.copyOut(to: target, frames: count, atSlot: positions.slot(of: start))
        positions.didRead(count)
        return count
    }

    /// The oldest gap not yet taken, but for the one that may still grow.
    func takeGap() -> RecordingGap? { gaps.pop() }

    /// Once it is shut: the gap that frames were dropped into last.
    var lastGap: RecordingGap? {
        let count = gapCount.load(ordering: .relaxed)
        return count > 0 ? RecordingGap(frame: gapFrame.load(ordering: .relaxed), count: count) : nil
    }
}
