// SPDX-License-Identifier: GPL-3.0-or-later

/// A gain or a place between the loudspeakers that an input of a mixer shall move to.
struct ParameterChange: BitwiseCopyable, Sendable {
    enum Parameter: BitwiseCopyable, Sendable { case gain, pan }

    let parameter: Parameter
    /// When it begins, as it was asked for.
    let start: StartTime
    /// PCM frames it takes.
    let frames: Int
    /// The gain; of a pan, that of the left channel.
    let first: Float
    /// Of a pan, the gain of the right channel.
    let second: Float
    /// The frame it begins with, from when the realtime thread knows of it.
    var frame: Int64 = 0
}

/// Changes that are still to come, the earliest first; of those at the same frame, the one asked for first. A fixed
/// number of them, in memory of its owner's.
struct ChangeSchedule: BitwiseCopyable {
    private let changes: UnsafeMutablePointer<ParameterChange>
    private let capacity: Int
    private var count = 0

    init(_ changes: UnsafeMutablePointer<ParameterChange>, capacity: Int) {
        self.changes = changes
        self.capacity = capacity
    }

    /// There must be room, which whoever asks for changes sees to.
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

    /// The frames from `frame` on, at most `limit`, that no change begins in.
    @_noLocks @_noAllocation
    func framesUntilNext(from frame: Int64, atMost limit: Int) -> Int {
        guard count > 0, changes[0].frame < frame &+ Int64(limit) else { return limit }
        return max(0, Int(changes[0].frame &- frame))
    }

    /// Takes the earliest change if it is due at `frame`.
    @_noLocks @_noAllocation
    mutating func takeDue(at frame: Int64) -> ParameterChange? {
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
