// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@Suite("ByteRangeSet")
struct ByteRangeSetTests {
    @Test("The set agrees with a bitmap after any insertions and removals", arguments: 0..<40)
    func agreesWithBitmap(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var set = ByteRangeSet()
        var bitmap = [Bool](repeating: false, count: 64)
        for _ in 0..<150 {
            let bounds = [Int.random(in: 0...64, using: &generator), Int.random(in: 0...64, using: &generator)].sorted()
            let isInsertion = Bool.random(using: &generator)
            let range = Int64(bounds[0])..<Int64(bounds[1])
            if isInsertion { set.insert(range) } else { set.subtract(range) }
            for index in bounds[0]..<bounds[1] { bitmap[index] = isInsertion }
            #expect(set.ranges == ranges(of: bitmap))
            #expect(set.count == Int64(bitmap.count { $0 }))
            let probe = Int.random(in: 0..<64, using: &generator)
            #expect(set.contiguousEnd(from: Int64(probe)) == contiguousEnd(bitmap, probe))
            #expect(set.firstGap(in: range) == firstGap(bitmap, bounds[0]..<bounds[1]))
            #expect(set.contains(range) == bitmap[bounds[0]..<bounds[1]].allSatisfy { $0 })
        }
    }

    @Test("An intersection has exactly the bytes of both sets", arguments: 0..<40)
    func intersection(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bitmaps = (0..<2).map { _ in (0..<64).map { _ in Int.random(in: 0..<3, using: &generator) > 0 } }
        var set = ByteRangeSet(ranges(of: bitmaps[0]))
        set.formIntersection(ByteRangeSet(ranges(of: bitmaps[1])))
        #expect(set.ranges == ranges(of: zip(bitmaps[0], bitmaps[1]).map { $0 && $1 }))
    }

    @Test("Adjacent ranges are merged")
    func touchingRangesJoin() {
        #expect(ByteRangeSet([0..<5, 10..<15, 5..<10]).ranges == [0..<15])
    }

    @Test("The order of insertion does not matter")
    func orderDoesNotMatter() {
        #expect(ByteRangeSet([20..<30, 0..<10]) == ByteRangeSet([0..<10, 20..<30]))
    }

    private func ranges(of bitmap: [Bool]) -> [ByteRange] {
        var ranges: [ByteRange] = []
        for (index, isSet) in bitmap.enumerated() where isSet {
            if let last = ranges.last, last.upperBound == index {
                ranges[ranges.count - 1] = last.lowerBound..<Int64(index + 1)
            } else {
                ranges.append(Int64(index)..<Int64(index + 1))
            }
        }
        return ranges
    }

    private func contiguousEnd(_ bitmap: [Bool], _ start: Int) -> Int64 {
        Int64(bitmap[start...].firstIndex(of: false) ?? bitmap.count)
    }

    private func firstGap(_ bitmap: [Bool], _ bounds: Range<Int>) -> ByteRange? {
        guard let start = bitmap[bounds].firstIndex(of: false) else { return nil }
        return Int64(start)..<Int64(bitmap[start..<bounds.upperBound].firstIndex(of: true) ?? bounds.upperBound)
    }
}
