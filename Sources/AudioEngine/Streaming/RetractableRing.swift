// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A ring of PCM between one writing and one rendering thread, from which the writer can take back frames that are
/// not yet claimed.
///
/// Both ends are in one atomic pair of words, so no frame is ever both claimed and taken back: after `retract` the
/// writer knows exactly which frames will play. Indexes count all frames since the beginning and never wrap; the
/// renderer does not need their meaning (`StreamTimeline`).
struct RetractableRing: ~Copyable, Sendable {
    /// The maximum number of PCM frames, a power of two.
    let capacity: Int
    var channels: Int { @_noLocks @_noAllocation get { storage.channels } }
    private let storage: PCMRingStorage
    /// The number of frames claimed, then the number of frames written.
    private let ends = Atomic<WordPair>(WordPair(first: 0, second: 0))
    /// The index up to which the renderer has copied the frames that it claimed.
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
    /// The number of frames that can be rendered now.
    var renderableFrames: Int {
        let ends = ends.load(ordering: .acquiring)
        return Int(bitPattern: ends.second &- ends.first)
    }

    // MARK: Renderer

    /// Copies out the next frames, at most `frames`, and returns their number.
    @_noLocks @_noAllocation
    func read(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        var seen = ends.load(ordering: .acquiring)
        // Each further iteration follows a change by the writer, which makes one for many slices.
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
    /// The number of frames that fit.
    var writableFrames: Int { capacity - (written - released.load(ordering: .acquiring)) }

    /// Appends interleaved samples, which must fit.
    func write(_ samples: UnsafeBufferPointer<Float>) {
        let end = written
        storage.copyIn(samples, atSlot: end & (capacity - 1))
        moveEnd { _ in end + samples.count / storage.channels }
    }

    /// Takes back all frames except the next `lead` frames to be rendered.
    /// - Returns: the index of the frame that is written next.
    func retract(keeping lead: Int) -> Int {
        let end = written
        return moveEnd { claimed in min(end, claimed + lead) }
    }

    /// Copies out frames from `index` on that were taken back. They are valid until the next write.
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
