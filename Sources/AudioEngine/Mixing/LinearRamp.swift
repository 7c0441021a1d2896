// SPDX-License-Identifier: GPL-3.0-or-later

/// A value that moves in a straight line from what it is to what it shall be. Which value a frame gets does not depend
/// on how the frames are cut into slices.
struct LinearRamp: BitwiseCopyable {
    /// What the frame before the next one had.
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

    /// From the next frame on it moves, and the `frames`th frame has `target`; over no frame at all the next one has.
    @_noLocks @_noAllocation
    mutating func move(to target: Float, over frames: Int) {
        start = value
        self.target = target
        length = max(1, frames)
        done = 0
    }

    /// The value of the next frame.
    @_noLocks @_noAllocation
    mutating func next() -> Float {
        guard done < length else { return value }
        done &+= 1
        // Exact at its end, whatever the division rounded.
        value = done == length ? target : start + (target - start) * (Float(done) / Float(length))
        return value
    }
}
