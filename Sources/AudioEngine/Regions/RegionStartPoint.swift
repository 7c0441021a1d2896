// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// The position of the player's frame 0 on the graph's timeline: set once by the thread that controls the player,
/// made final once by the rendering thread.
final class RegionStartPoint: Sendable {
    private let playsLate: Bool
    private let state = Atomic<Int>(unset)
    private let frame = Atomic<Int64>(0)
    private let delay = Atomic<Int64>(0)

    private let clock: GraphClock?

    init(late: LateStart, clock: GraphClock?) {
        playsLate = late == .playLate
        self.clock = clock
    }

    // MARK: The controlling thread, one at a time

    var isSet: Bool { state.load(ordering: .acquiring) != unset }

    /// Sets the start time.
    /// - Parameter graphFrame: `nil` is the first frame of the next slice.
    func set(_ graphFrame: Int64?) {
        if let graphFrame { frame.store(graphFrame, ordering: .relaxed) }
        state.store(graphFrame == nil ? nextRender : wanted, ordering: .releasing)
    }

    /// Sets the start time to a moment, which the next slice converts to a frame.
    func set(_ moment: HostTime) {
        frame.store(moment.nanoseconds, ordering: .relaxed)
        state.store(awaitsSlice, ordering: .releasing)
    }

    // MARK: Any thread

    /// The graph's frame that is the player's frame 0; `nil` until it is known.
    var graphFrame: Int64? {
        let state = state.load(ordering: .acquiring)
        return state == wanted || state == settled ? frame.load(ordering: .relaxed) : nil
    }

    /// Returns the number of frames by which the start was late, once.
    func removeDelay() -> Int64? {
        let frames = delay.exchange(0, ordering: .relaxed)
        return frames > 0 ? frames : nil
    }

    // MARK: The rendering thread

    /// Returns the player's frame that corresponds to `graphFrame`, the first frame of a slice; negative before the
    /// start, `nil` if no start is set.
    func playerFrame(at graphFrame: Int64, frames: Int) -> Int64? {
        var state = state.load(ordering: .acquiring)
        if state == unset { return nil }
        if state == nextRender { fixStart(at: graphFrame) }
        if state == awaitsSlice {
            convert(next: graphFrame)
            state = wanted
        }
        let start = frame.load(ordering: .relaxed)
        if state == wanted, start < graphFrame.addingClamped(Int64(frames)) {
            if start < graphFrame { delay.store(graphFrame.subtractingClamped(start), ordering: .relaxed) }
            fixStart(at: start < graphFrame ? lateStart(start, graphFrame) : start)
        }
        return graphFrame.subtractingClamped(frame.load(ordering: .relaxed))
    }

    private func convert(next: Int64) {
        let moment = HostTime(nanoseconds: frame.load(ordering: .relaxed))
        frame.store(StartTime.hostTime(moment).frame(by: clock, next: next), ordering: .relaxed)
        state.store(wanted, ordering: .releasing)
    }

    @_noLocks @_noAllocation
    private func lateStart(_ wanted: Int64, _ next: Int64) -> Int64 { playsLate ? next : wanted }

    @_noLocks @_noAllocation
    private func fixStart(at graphFrame: Int64) {
        frame.store(graphFrame, ordering: .relaxed)
        state.store(settled, ordering: .releasing)
    }
}

// The values of `state`. They are global words, because an atomic enum would be converted by calls that the checker
// cannot analyze.
private var unset: Int { @_noLocks @_noAllocation get { 0 } }
private var nextRender: Int { @_noLocks @_noAllocation get { 1 } }
private var wanted: Int { @_noLocks @_noAllocation get { 2 } }
private var settled: Int { @_noLocks @_noAllocation get { 3 } }
private var awaitsSlice: Int { @_noLocks @_noAllocation get { 4 } }
