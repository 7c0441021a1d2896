// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MPEGAudio
import EarshotTestSupport
import Testing

@Suite("Versions designed to cost time")
struct HostileVersionTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let old: [UInt16]
        let new: [UInt16]

        init(_ name: String, _ old: [UInt16], _ new: [UInt16]) {
            (testDescription, self.old, self.new) = (name, old, new)
        }
    }

    static let length = 40_000

    static let rows: [Row] =
        [1, 2, 7, 8, 9, 64, 1000, 20_000].map { period in
            let hashes = (0..<length).map { UInt16($0 % period) }
            return Row("a period of \(period)", hashes, hashes.reversed() + hashes)
        }
        + [2, 3, 9, 20].map { words in
            Row("\(words) different packets", random(words, seed: 1), random(words, seed: 2))
        }
        + [
            Row("one piece repeated in the new version", Array(0..<50), repeated(0..<50)),
            Row("one piece repeated in the old version", repeated(0..<50), Array(0..<50)),
            Row("random pieces", Array(0..<400), random(20, seed: 4).flatMap { Array(20 * $0..<20 * $0 + 20) }),
            Row("reversed order", Array(0..<UInt16(length)), Array((0..<UInt16(length)).reversed())),
            Row(
                "all pieces in another order", Array(0..<UInt16(length)),
                stride(from: UInt16(length), to: 0, by: -100).flatMap { Array($0 - 100..<$0) }),
        ]

    private static func repeated(_ piece: Range<UInt16>) -> [UInt16] {
        (0..<length).map { piece.lowerBound + UInt16($0 % piece.count) }
    }

    private static func random(_ words: Int, seed: UInt64) -> [UInt16] {
        var chance = SeededGenerator(seed: seed)
        return (0..<length).map { _ in UInt16.random(in: 0..<UInt16(words), using: &chance) }
    }

    @Test("There are at most eight anchors per shingle of the old version", arguments: rows)
    func bounded(row: Row) {
        var finder = RunFinder(old: PacketHashes(row.old))
        _ = finder.extend(with: PacketHashes(row.new))
        #expect(finder.chain.anchors.count <= ShingleIndex.limit * (row.old.count / ShingleIndex.stride + 1))
    }

    @Test("Common runs are equal in both versions and ascend", arguments: rows)
    func right(row: Row) {
        var finder = RunFinder(old: PacketHashes(row.old))
        var end = VersionAlignment.Run.beginning
        PacketHashes(row.new).arriving(seed: 3) { new, isLast in
            let runs = finder.extend(with: new)
            guard isLast else { return true }
            for run in runs {
                #expect(run.count > 0 && run.oldStart >= end.old.upperBound && run.newStart >= end.new.upperBound)
                #expect(row.old[Range(run.old)] == row.new[Range(run.new)])
                end = run
            }
            return true
        }
    }

    @Test("Packets that recur within a few packets yield no anchor", arguments: [1, 2, 4, 7])
    func silence(period: Int) {
        let hashes = PacketHashes((0..<Self.length).map { UInt16($0 % period) })
        #expect(VersionAlignment(old: hashes, new: hashes).runs == [])
    }

    @Test("A shingle with up to eight occurrences is found, and a more frequent one is not")
    func recurring() {
        for (times, found) in [(8, 8), (9, 0)] {
            let piece = (0..<8).map { UInt16($0) }
            let hashes = (0..<times).flatMap { _ in piece }
            hashes.withUnsafeBufferPointer { hashes in
                var index = ShingleIndex(hashes)
                #expect(index.positions(of: PacketShingle(hashes, at: 0)).count == found)
            }
        }
    }
}

extension Range<Int> {
    /// Converts a range of packet numbers to array indices.
    init(_ packets: Range<Int64>) { self = Int(packets.lowerBound)..<Int(packets.upperBound) }
}
