// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media
import Synchronization

/// A ring of the frames of a timeline that are rendered next, each in the slot that its number determines.
///
/// One thread renders. Other threads fill the ring, one at a time, and may take back frames that are not rendered yet
/// (`cut`). Frames never shift in time: a frame that is missing when it is due is silent, and the next one keeps its
/// position.
///
/// Taking back is safe because the two sides check each other: the renderer claims its frames and then reads the
/// window; the filling thread narrows the window and then reads the claim. So either the renderer sees the narrower
/// window, or the filling thread sees the claim and leaves those frames alone.
final class TimelineRing: Sendable {
    private let storage: PCMRingStorage
    /// The frames in the ring, in one atomic pair of words, so that the renderer never sees half of a change.
    private let window = Atomic<WordPair>(WordPair(first: 0, second: 0))
    /// The frame from which the timeline is silent, so that no frame counts as missing.
    private let silentFrom = Atomic<Int>(0)
    // Written by the renderer.
    private let claimed = Atomic<Int>(0)
    private let finished = Atomic<Int>(0)
    private let missed = Atomic<Int>(0)

    /// - Parameter capacity: frames, 1 or more; rounded up to a power of two.
    init(format: AudioFormat, capacity: Int) {
        let frames = 1 << (Int.bitWidth - (capacity - 1).leadingZeroBitCount)
        storage = PCMRingStorage(frames: frames, channels: format.channels)
    }

    // MARK: Any thread

    /// The first frame that the renderer has not begun.
    var claimedFrames: Int64 { Int64(claimed.load(ordering: .sequentiallyConsistent)) }
    /// The first frame that the renderer has not finished.
    var finishedFrames: Int64 { Int64(finished.load(ordering: .acquiring)) }
    /// The first frame that is neither in the ring nor already claimed.
    var preparedFrames: Int64 { max(Int64(storedRange.upperBound), claimedFrames) }
    /// Returns the number of frames that were silent because they were missing, since the last call.
    func removeMissedCount() -> Int { missed.exchange(0, ordering: .relaxed) }

    private var storedRange: Range<Int> {
        let pair = window.load(ordering: .sequentiallyConsistent)
        return Int(bitPattern: pair.first)..<Int(bitPattern: pair.second)
    }

    // MARK: The filling thread

    /// Returns the number of frames that fit from `frame` on.
    func writableFrames(from frame: Int64) -> Int { max(0, Int(finishedFrames) + storage.frames - Int(frame)) }

    /// Stores samples from `frame` on, which must fit. They are not available until `publish`.
    func store(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) {
        storage.copyIn(samples, atSlot: slot(of: Int(frame)))
    }

    /// Makes the frames stored from `frame` up to `end` available.
    func publish(from frame: Int64, to end: Int64) {
        let held = storedRange
        publish(held.upperBound == Int(frame) ? held.lowerBound : Int(frame), Int(end))
    }

    /// Removes the frames from `frame` on that are not claimed.
    func cut(at frame: Int64) {
        let held = storedRange
        guard Int(frame) < held.upperBound else { return }
        publish(min(held.lowerBound, Int(frame)), Int(frame))
    }

    /// Sets the first frame to be rendered. Call this while no thread renders.
    func begin(at frame: Int64) {
        finished.store(Int(frame), ordering: .releasing)
        claimed.store(Int(frame), ordering: .sequentiallyConsistent)
    }

    /// Sets the frame from which the timeline is silent.
    func fallsSilent(at frame: Int64) { silentFrom.store(Int(frame), ordering: .relaxed) }

    private func publish(_ start: Int, _ end: Int) {
        let pair = WordPair(first: UInt(bitPattern: start), second: UInt(bitPattern: end))
        window.store(pair, ordering: .sequentiallyConsistent)
    }

    // MARK: The renderer

    /// Writes the frames from `first` on, which is 0 or more, with silence for missing frames. Frames that were
    /// rendered before are no longer available.
    @_noLocks @_noAllocation
    func render(into output: UnsafeMutablePointer<Float>, frames: Int, from first: Int) {
        let end = first &+ frames
        let before = finished.load(ordering: .relaxed)
        let furthest = end > before ? end : before
        claimed.store(furthest, ordering: .sequentiallyConsistent)
        let window = window.load(ordering: .sequentiallyConsistent)
        let start = clamp(max(before, Int(bitPattern: window.first)), first, end)
        let stop = clamp(Int(bitPattern: window.second), start, end)
        silence(output, frames: start - first)
        storage.copyOut(
            to: output + (start - first) * storage.channels, frames: stop - start, atSlot: slot(of: start))
        silence(output + (stop - first) * storage.channels, frames: end - stop)
        finished.store(furthest, ordering: .releasing)
        note(from: first, to: end, found: start, stop)
    }

    @_noLocks @_noAllocation
    private func note(from first: Int, to end: Int, found start: Int, _ stop: Int) {
        let silent = silentFrom.load(ordering: .relaxed)
        let owed = clamp(silent, first, end) - first
        let given = clamp(silent, start, stop) - start
        if owed > given { missed.add(owed - given, ordering: .relaxed) }
    }

    @_noLocks @_noAllocation
    private func slot(of frame: Int) -> Int { frame & (storage.frames - 1) }

    @_noLocks @_noAllocation
    private func silence(_ output: UnsafeMutablePointer<Float>, frames: Int) {
        VectorOperations.clear(output, count: frames * storage.channels)
    }

    @_noLocks @_noAllocation
    private func clamp(_ value: Int, _ low: Int, _ high: Int) -> Int {
        value < low ? low : (value > high ? high : value)
    }
}
