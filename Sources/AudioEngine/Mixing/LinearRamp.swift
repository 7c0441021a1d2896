// SPDX-License-Identifier: GPL-3.0-or-later

/// A value that moves in a straight line from its current value to a target. The value of a frame does not depend on
/// how the frames are divided into slices.
struct LinearRamp: BitwiseCopyable {
    /// The value of the most recent frame.
    private(set) var value: Float
    private var start: Float
    private(set) var target: Float
    private var length = 0
    private var done = 0

    init(_ value: Float) {
        (self.value, start, target) = (value, value, value)
    }

    var isMoving: Bool { @_noLocks @_noAllocation get { done < length } }

    @_noLocks @_noAllocation
    func hasArrived(at value: Float) -> Bool { !isMoving && self.value == value }

    /// Moves the value from the next frame on, so that the `frames`th frame has `target`; with 0 frames the next
    /// frame has it.
    @_noLocks @_noAllocation
    mutating func move(to target: Float, over frames: Int) {
        start = value
        self.target = target
        length = max(1, frames)
        done = 0
    }

    /// Advances by one frame and returns its value.
    @_noLocks @_noAllocation
    mutating func next() -> Float {
        guard done < length else { return value }
        done &+= 1
        // Exact at the end, however the division rounded.
        value = done == length ? target : start + (target - start) * (Float(done) / Float(length))
        return value
    }
}
