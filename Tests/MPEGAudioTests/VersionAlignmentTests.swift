// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MPEGAudio
import EarshotTestSupport
import Testing

@Suite("Version alignment")
struct VersionAlignmentTests {
    struct Row: CustomTestStringConvertible {
        let old: String
        let new: String
        let common: [String]

        init(_ old: String, _ new: String, _ common: [String]) {
            (self.old, self.new, self.common) = (old, new, common)
        }

        var testDescription: String { "\(old) and \(new)" }
    }

    static let rows: [Row] = [
        // Equal versions, or a part of one.
        Row("abcd", "abcd", ["abcd"]),
        Row("abcd", "ab", ["ab"]),
        Row("ab", "abcd", ["ab"]),
        Row("abcd", "cd", ["cd"]),
        // Insertions before, within and after.
        Row("Aabc", "Babc", ["abc"]),
        Row("abAcd", "abBcd", ["ab", "cd"]),
        Row("abAcd", "abBCDcd", ["ab", "cd"]),
        Row("abABCcd", "abDcd", ["ab", "cd"]),
        Row("abcA", "abcBC", ["abc"]),
        Row("AaBbC", "DaEbF", ["a", "b"]),
        Row("abAcd", "abcd", ["ab", "cd"]),
        Row("abcd", "abAcd", ["ab", "cd"]),
        // The same piece at several positions.
        Row("aAbcd", "abcAd", ["a", "bc", "d"]),
        Row("AaAbA", "AaBbA", ["Aa", "bA"]),
        Row("AAAab", "Aab", ["A", "ab"]),
        Row("jajbjc", "jaBjbCjc", ["ja", "jb", "jc"]),
        Row("aAjbAjcAjd", "aBjbCjcDjd", ["a", "jb", "jc", "jd"]),
        // Silence belongs to the run beside it; between two runs, to the first.
        Row("a.b", "a.b", ["a.b"]),
        Row("a.b", "aA.b", ["a", ".b"]),
        Row("a.b", "a.Ab", ["a.", "b"]),
        Row("a...Ab", "a.Bb", ["a.", "b"]),
        Row(".a..b.", "....a.b", [".a.", "b"]),
        Row("....", "....", []),
        Row("..A..", "..B..", []),
        // No common run.
        Row("abc", "ABC", []),
        Row("", "abc", []),
        Row("abc", "", []),
        Row("", "", []),
    ]

    @Test("The runs are the common parts of both versions, in order", arguments: rows)
    func runs(row: Row) {
        let (old, new) = (LetteredVersion(row.old), LetteredVersion(row.new))
        let alignment = VersionAlignment(old: old.hashes, new: new.hashes)
        #expect(alignment.runs.map { old.text(of: $0.old) } == row.common)
        #expect(alignment.runs.map { new.text(of: $0.new) } == row.common)
    }

    @Test("Packets outside the runs count as inserted", arguments: rows)
    func inserted(row: Row) {
        let (old, new) = (LetteredVersion(row.old), LetteredVersion(row.new))
        let alignment = VersionAlignment(old: old.hashes, new: new.hashes)
        #expect((alignment.runs.map(\.old) + alignment.insertedInOld).covers(old.hashes.count))
        #expect((alignment.runs.map(\.new) + alignment.insertedInNew).covers(new.hashes.count))
    }

    @Test("A run ends at the exact packet, wherever it begins", arguments: [15, 16, 17, 23, 100])
    func exact(length: Int) {
        for before in 0..<9 {
            let lengths: (Character) -> Int = { $0 == "a" ? length : before + ($0 == "A" ? 0 : 5) }
            let old = LetteredVersion("AaB", length: lengths)
            let new = LetteredVersion("CaD", length: lengths)
            let runs = VersionAlignment(old: old.hashes, new: new.hashes).runs
            #expect(
                runs == [.init(oldStart: Int64(before), newStart: Int64(before) + 5, count: Int64(length))],
                "\(before) packets before")
        }
    }

    @Test("A packet is either the same in a run or between two runs")
    func places() {
        let alignment = VersionAlignment(
            runs: [.init(oldStart: 10, newStart: 30, count: 100), .init(oldStart: 120, newStart: 130, count: 10)],
            oldCount: 150, newCount: 200)
        let expected: [Int64: VersionAlignment.Position] = [
            -1: .unknown, 0: .between(next: 0), 9: .between(next: 0), 10: .same(30), 109: .same(129),
            110: .between(next: 130), 119: .between(next: 130), 120: .same(130), 129: .same(139),
            130: .between(next: 140), 150: .between(next: 140), 151: .unknown, .max: .unknown, .min: .unknown,
        ]
        for (packet, place) in expected { #expect(alignment.position(ofOld: packet) == place, "packet \(packet)") }
        #expect(alignment.insertedInOld == [0..<10, 110..<120, 130..<150])
        #expect(alignment.insertedInNew == [0..<30, 140..<200])
        #expect(VersionAlignment(runs: [], oldCount: 9, newCount: 9).position(ofOld: 3) == .unknown)
    }

    @Test("A thousand spans are distinguished")
    func manySpans() {
        let version = { (seed: UInt64) in
            var content = SeededGenerator(seed: 1)
            var inserted = SeededGenerator(seed: seed)
            var hashes: [UInt16] = []
            for _ in 0..<1000 {
                hashes += (0..<40).map { _ in .random(in: 0 ... .max, using: &content) }
                hashes += (0..<Int.random(in: 1...60, using: &inserted)).map { _ in
                    .random(in: 0 ... .max, using: &inserted)
                }
            }
            return PacketHashes(hashes)
        }
        let runs = VersionAlignment(old: version(2), new: version(3)).runs
        #expect(runs.count == 1000)
        #expect((40_000..<40_010).contains(runs.map(\.count).reduce(0, +)))
    }
}

extension [Range<Int64>] {
    /// Returns true if the ranges, in some order, are adjacent from 0 to `count`.
    fileprivate func covers(_ count: Int64) -> Bool {
        let end = sorted { $0.lowerBound < $1.lowerBound }.reduce(0 as Int64?) { end, range in
            range.lowerBound == end && !range.isEmpty ? range.upperBound : nil
        }
        return end == count
    }
}
