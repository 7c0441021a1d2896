// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MPEGAudio

/// Aligns two versions of an episode, composed of the same few pieces in any order: the common runs are equal and
/// independent of the arrival of the new version, and continuations ascend.
@Sendable
func fuzzAlignment(_ input: UnsafeRawBufferPointer) throws {
    var choices = Choices(input)
    let versions = VersionPair(input.prefix(60))
    let (old, new) = (PacketHashes(versions.old), PacketHashes(versions.new))
    let alignment = VersionAlignment(old: old, new: new)
    try versions.holdRuns(alignment)

    var finder = RunFinder(old: old)
    var arrived = 0
    repeat {
        arrived = min(versions.new.count, arrived + choices.pieceLength() % 300 + 1)
        let runs = finder.extend(with: PacketHashes(Array(versions.new[..<arrived])))
        if arrived == versions.new.count {
            try hold(runs == alignment.runs, "the chunk sizes do not change the result")
        }
    } while arrived < versions.new.count

    var last: Int64 = 0
    for packet in stride(from: 0, through: alignment.oldCount, by: 1 + Int(alignment.oldCount / 100)) {
        switch alignment.continuation(from: packet, newIsWhole: true) {
        case .at(let next):
            try hold(last...alignment.newCount ~= next, "later packets continue later: \(next) after \(last)")
            last = next
        case .notYet: try hold(false, "a complete new version always gives a decision")
        case .unrelated: break
        }
    }
}

private struct VersionPair {
    private(set) var old: [UInt16] = []
    private(set) var new: [UInt16] = []

    /// Each byte selects a piece: four bits its number, two bits the versions that contain it, two bits its length.
    init(_ script: Slice<UnsafeRawBufferPointer>) {
        for byte in script {
            let piece = Self.piece(byte & 15).prefix([3, 8, 20, 70][Int(byte >> 6)])
            if byte & 0x10 == 0 { old += piece }
            if byte & 0x20 == 0 { new += piece }
        }
    }

    /// Returns a piece. The first pieces are silence, and content that repeats after a few packets.
    private static func piece(_ number: UInt8) -> [UInt16] {
        let period = [1, 2, 7, 8].dropFirst(Int(number)).first ?? 70
        return (0..<70).map { UInt16($0 % period) &* 631 &+ UInt16(number) &* 4099 }
    }

    func holdRuns(_ alignment: VersionAlignment) throws {
        var end = VersionAlignment.Run.beginning
        for run in alignment.runs {
            try hold(run.count > 0, "a run has packets")
            let ascends = run.oldStart >= end.old.upperBound && run.newStart >= end.new.upperBound
            try hold(ascends, "runs ascend in both versions")
            let isWithin = run.old.upperBound <= old.count && run.new.upperBound <= new.count
            try hold(isWithin, "a run is within both versions")
            let (first, second) = (old[Int(run.oldStart)...], new[Int(run.newStart)...])
            try hold(
                first.prefix(Int(run.count)).elementsEqual(second.prefix(Int(run.count))),
                "a run is equal in both versions")
            try hold(
                alignment.position(ofOld: run.oldStart) == .same(run.newStart),
                "the first packet of a run is found in the run")
            end = run
        }
        let covered = alignment.runs.reduce(0) { $0 + $1.count }
        let inserted = alignment.insertedInOld.reduce(0) { $0 + Int64($1.count) }
        try hold(covered + inserted == alignment.oldCount, "each packet is in a run or in an insertion")
    }
}
