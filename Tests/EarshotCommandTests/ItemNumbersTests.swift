// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Testing

@testable import Sessions

@Suite("The numbers of items")
struct ItemNumbersTests {
    private let numbers = ItemNumbers()

    /// Returns the numbers of items that the present player gets.
    private func place(_ targets: [String]) -> [PlaybackItem.ID?] {
        let present = numbers.present()
        return targets.map { target in
            let number = present.take(for: target)
            if let number { present.place(number) }
            return number
        }
    }

    @Test("An item that moves to another player keeps its number, and no number is used twice")
    func moved() {
        #expect(place(["41", "42", "41"]) == [0, 1, 2])
        // The listener has removed the second item.
        numbers.keep([2, 0])
        #expect(place(["42", "41", "41", "41"]) == [3, 2, 0, 4])
    }

    @Test("An item that a player did not have yet keeps its number for the next one, and none after the last one")
    func missing() {
        #expect(place(["41", "42", "43"]) == [0, 1, 2])
        numbers.keep([0, 1, 2])
        #expect(place(["41"]) == [0])
        numbers.keep([0])
        // Another change, before the next player had any item.
        numbers.keep([])
        #expect(place(["41", "42", "43"]) == [0, 1, 2])
        numbers.forget()
        #expect(place(["41", "42", "43"]) == [3, 4, 5])
    }

    @Test("If a player stops before it has an item, the next player gets the number of that item")
    func coming() {
        #expect(place(["41"]) == [0])
        #expect(numbers.present().take(for: "42") == 1)
        numbers.keep([0])
        #expect(place(["41", "42"]) == [0, 1])
    }

    @Test("A player that has stopped gets no number, and cannot place an item of the next player")
    func stopped() {
        let first = numbers.present()
        #expect(first.take(for: "41") == 0)
        numbers.keep([])
        #expect(first.take(for: "41") == nil)
        #expect(numbers.present().take(for: "41") == 0)
        first.place(0)
        numbers.keep([])
        #expect(place(["41", "42"]) == [0, 1])
        numbers.forget()
        #expect(first.take(for: "41") == nil)
    }
}
