// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@Suite("Search in ascending collections")
struct SortedSearchTests {
    struct Row: CustomTestStringConvertible {
        let list: ArraySlice<Int>
        /// The first index with an element above 20, and the last element up to 20.
        let index: Int
        let last: Int?

        init(_ list: ArraySlice<Int>, _ index: Int, _ last: Int?) {
            (self.list, self.index, self.last) = (list, index, last)
        }

        var testDescription: String { "\(list) from \(list.startIndex)" }
    }

    static let tens = [0, 10, 20, 30, 40]

    @Test(
        "The search returns the border between the elements that satisfy a condition and the others",
        arguments: [
            Row([], 0, nil), Row([20], 1, 20), Row([21], 0, nil), Row([10, 20], 2, 20), Row([10, 20, 30], 2, 20),
            Row([10, 30, 40, 50], 1, 10), Row([21, 22, 23], 0, nil), Row([20, 20, 20, 30, 30], 3, 20),
            Row(tens[1...3], 3, 20), Row(tens[3...], 3, nil), Row(tens[..<2], 2, 10), Row(tens[2..<2], 2, nil),
        ])
    func border(row: Row) {
        #expect(row.list.partitioningIndex { $0 > 20 } == row.index)
        #expect(row.list.lastSorted { $0 <= 20 } == row.last)
    }

    @Test("A search in a range returns a number")
    func range() {
        #expect((3..<9).partitioningIndex { $0 * $0 > 30 } == 6)
        #expect((3..<9).lastSorted { $0 * $0 <= 30 } == 5)
    }

    @Test("A search among a million elements examines at most 20 of them")
    func steps() {
        var examined = 0
        let found = (0..<1_000_000).partitioningIndex { number in
            examined += 1
            return number >= 765_432
        }
        #expect(found == 765_432 && examined <= 20)
    }
}
