// SPDX-License-Identifier: GPL-3.0-or-later

/// Two versions that are compared packet by packet.
struct PacketPair {
    let old: UnsafeBufferPointer<UInt16>
    let new: UnsafeBufferPointer<UInt16>

    /// Returns the run extended by all equal packets after it.
    func extendedRight(_ run: VersionAlignment.Run) -> VersionAlignment.Run {
        var oldEnd = Int(run.old.upperBound)
        var newEnd = Int(run.new.upperBound)
        while oldEnd < old.count, newEnd < new.count, old[oldEnd] == new[newEnd] {
            oldEnd += 1
            newEnd += 1
        }
        return VersionAlignment.Run(
            oldStart: run.oldStart, newStart: run.newStart, count: Int64(oldEnd) - run.oldStart)
    }

    /// Returns the run extended by all equal packets before it, up to the end of the previous run.
    func extendedLeft(_ run: VersionAlignment.Run, behind previous: VersionAlignment.Run) -> VersionAlignment.Run {
        var count = 0
        let room = min(run.oldStart - previous.old.upperBound, run.newStart - previous.new.upperBound)
        while count < room, old[Int(run.oldStart) - count - 1] == new[Int(run.newStart) - count - 1] { count += 1 }
        return VersionAlignment.Run(
            oldStart: run.oldStart - Int64(count), newStart: run.newStart - Int64(count),
            count: run.count + Int64(count))
    }
}
