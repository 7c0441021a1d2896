// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// PCM between one writing and one rendering thread, of which the writer can take back whatever was not yet claimed.
///
/// Both ends are in one atomic pair of words, so there is no instant at which a frame is both claimed and taken back:
/// after `retract` the writer knows to the frame what will be heard. Indexes count all frames since the beginning and
/// never wrap; what an index means (`StreamTimeline`) is no business of the renderer's.
struct RetractableRing: ~Copyable, Sendable {
    /// The most PCM frames it can hold, a power of two.
    let capacity: Int
    var channels: Int { @_noLocks @_noAllocation get { storage.channels } }
    private let storage: PCMRingStorage
    /// First the frames claimed, second the frames written.
    private let ends = Atomic<WordPair>(WordPair(first: 0, second: 0))
    /// Up to here the renderer has copied what it claimed.
    private let released = Atomic<Int>(0)

    /// - Parameter capacity: PCM frames, rounded up to a power of two.
    init(capacity: Int, channels: Int) {
        let positions = RingPositions(capacity: capacity)
        self.capacity = positions.capacity
        storage = PCMRingStorage(frames: positions.capacity, channels: channels)
    }

    // MARK: Any thread

    /// The index of the frame that is rendered next.
    var claimed: Int { Int(bitPattern: ends.load(ordering: .acquiring).first) }
    /// Frames that can be rendered now.
    var held: Int {
        let ends = ends.load(ordering: .acquiring)
        return Int(bitPattern: ends.second &- ends.first)
    }

    // MARK: Renderer

    /// Copies the next frames out, as many as there are up to `frames`.
    @_noLocks @_noAllocation
    func take(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        var seen = ends.load(ordering: .acquiring)
        // Each further turn is one of the writer's, which comes once for many slices.
        while true {
            let start = Int(bitPattern: seen.first)
            let count = min(frames, Int(bitPattern: seen.second) &- start)
            guard count > 0 else { return 0 }
            let next = WordPair(first: UInt(bitPattern: start &+ count), second: seen.second)
            let (isClaimed, found) = ends.weakCompareExchange(
                expected: seen, desired: next, ordering: .acquiringAndReleasing)
            if isClaimed {
                storage.copyOut(to: output, frames: count, atSlot: start & (capacity &- 1))
                released.store(start &+ count, ordering: .releasing)
                return count
            }
            seen = found
        }
    }

    // MARK: Writer

    /// The index of the frame that is written next.
    var written: Int { Int(bitPattern: ends.load(ordering: .relaxed).second) }
    /// Frames there is room for.
    var room: Int { capacity - (written - released.load(ordering: .acquiring)) }

    /// Appends interleaved samples, for which there must be room.
    func write(_ samples: UnsafeBufferPointer<Float>) {
        let end = written
        storage.copyIn(samples, atSlot: end & (capacity - 1))
        moveEnd { _ in end + samples.count / storage.channels }
    }

    /// Takes back all but the next `lead` frames to be rendered.
    /// - Returns: the index of the frame that is written next.
    func retract(keeping lead: Int) -> Int {
        let end = written
        return moveEnd { claimed in min(end, claimed + lead) }
    }

    /// Copies out what was written from an index on and taken back, before anything else is written.
    func copyRetracted(from index: Int, frames: Int, to target: UnsafeMutablePointer<Float>) {
        storage.copyOut(to: target, frames: frames, atSlot: index & (capacity - 1))
    }

    @discardableResult
    private func moveEnd(_ place: (_ claimed: Int) -> Int) -> Int {
        var seen = ends.load(ordering: .acquiring)
        while true {
            let end = place(Int(bitPattern: seen.first))
            let next = WordPair(first: seen.first, second: UInt(bitPattern: end))
            let (isMoved, found) = ends.weakCompareExchange(
                expected: seen, desired: next, ordering: .acquiringAndReleasing)
            if isMoved { return end }
            seen = found
        }
    }
}
