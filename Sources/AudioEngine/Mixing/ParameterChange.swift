// SPDX-License-Identifier: GPL-3.0-or-later

/// A requested change of the gain or the pan of a mixer input.
struct ParameterChange: BitwiseCopyable, Sendable {
    enum Parameter: BitwiseCopyable, Sendable { case gain, pan }

    let parameter: Parameter
    /// The requested start time.
    let start: StartTime
    /// The length of the change in PCM frames.
    let frames: Int
    /// The gain; for a pan, the gain of the left channel.
    let first: Float
    /// For a pan, the gain of the right channel.
    let second: Float
    /// The frame at which the change begins; the realtime thread sets it when it receives the change.
    var frame: Int64 = 0
}

/// The pending changes, the earliest first; changes at the same frame are in the order of their requests. The
/// capacity is fixed, and the owner provides the memory.
struct ChangeSchedule: BitwiseCopyable {
    private let changes: UnsafeMutablePointer<ParameterChange>
    private let capacity: Int
    private var count = 0

    init(_ changes: UnsafeMutablePointer<ParameterChange>, capacity: Int) {
        self.changes = changes
        self.capacity = capacity
    }

    /// Inserts a change. The caller ensures that there is space.
    @_noLocks @_noAllocation
    mutating func insert(_ change: ParameterChange) {
        guard count < capacity else { return }
        var place = count
        while place > 0, changes[place &- 1].frame > change.frame {
            changes[place] = changes[place &- 1]
            place &-= 1
        }
        changes[place] = change
        count &+= 1
    }

    /// Returns the number of frames from `frame` on, at most `limit`, before the next change begins.
    @_noLocks @_noAllocation
    func framesUntilNext(from frame: Int64, atMost limit: Int) -> Int {
        guard count > 0, changes[0].frame < frame &+ Int64(limit) else { return limit }
        return max(0, Int(changes[0].frame &- frame))
    }

    /// Removes and returns the earliest change if it is due at `frame`.
    @_noLocks @_noAllocation
    mutating func removeDue(at frame: Int64) -> ParameterChange? {
        guard count > 0, changes[0].frame <= frame else { return nil }
        let due = changes[0]
        var place = 1
        while place < count {
            changes[place &- 1] = changes[place]
            place &+= 1
        }
        count &-= 1
        return due
    }
}
