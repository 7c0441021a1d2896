// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Sessions

@Suite("The numbers of items")
struct ItemNumbersTests {
    @Test("An item that moves to another player keeps its number, and no number is used twice")
    func numbers() {
        let numbers = ItemNumbers()
        let first = ["41", "42", "41"].map { numbers.take(for: $0) }
        #expect(first == [0, 1, 2])
        numbers.keep([2, 0])
        let second = ["42", "41", "41", "41"].map { numbers.take(for: $0) }
        #expect(second == [3, 2, 0, 4])
    }

    @Test("An item that a player did not have yet keeps its number for the next one, and none after the last one")
    func numbersNotTaken() {
        let numbers = ItemNumbers()
        let targets = ["41", "42", "43"]
        let first = targets.map { numbers.take(for: $0) }
        numbers.keep(first)
        let second = numbers.take(for: "41")
        numbers.keep([second])
        // Another change, before the next player had any item.
        numbers.keep([])
        let third = targets.map { numbers.take(for: $0) }
        #expect(third == [0, 1, 2])
        numbers.forget()
        let fourth = targets.map { numbers.take(for: $0) }
        #expect(fourth == [3, 4, 5])
    }
}
