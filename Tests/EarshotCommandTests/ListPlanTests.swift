// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Sessions

@Suite("The items of a playlist that come from a list")
struct ListPlanTests {
    private var plan = ListPlan()

    init() {
        plan.start(0, 10)
        for (item, episode) in [(1, 11), (2, 12), (3, 13)] { plan.place(UInt32(item), Int64(episode)) }
    }

    @Test("An unchanged list changes nothing")
    mutating func unchanged() {
        #expect(plan.update([11, 12, 13]) == .init(kept: [1, 2, 3]))
    }

    @Test("An episode that leaves the list leaves the playlist")
    mutating func removed() {
        #expect(plan.update([11, 13]) == .init(removed: [2], kept: [1, 3]))
        #expect(plan.update([11, 13]) == .init(kept: [1, 3]))
    }

    @Test("The playlist gets the order of the list")
    mutating func moved() {
        #expect(plan.update([13, 11, 12]).kept == [3, 1, 2])
    }

    @Test("A new episode is added, but not the playing one that the list still has")
    mutating func added() {
        #expect(plan.update([10, 11, 12, 13, 14]) == .init(kept: [1, 2, 3], added: [14]))
    }

    @Test("An episode that was played and left the list can enter it again")
    mutating func again() {
        _ = plan.update([11, 12, 13])
        #expect(plan.update([11, 12, 13, 10]).added == [10])
    }

    @Test("An added episode that plays before it is placed is not removed")
    mutating func startedBeforePlaced() {
        let added = plan.update([11, 12, 13, 14]).added
        plan.start(4, 14)
        plan.place(4, 14)
        let edit = plan.update([11, 12, 13, 14])
        #expect(added == [14] && edit == .init(kept: [1, 2, 3]))
    }

    @Test("A chosen episode that has not begun yet is not added again")
    mutating func expected() {
        plan.expect(12)
        let edit = plan.update([12, 11, 13])
        #expect(edit.added.isEmpty)
    }

    @Test("An interrupted episode follows again: it is moved and removed with the list")
    mutating func interrupted() {
        plan.start(1, 11)
        plan.interrupt()
        plan.start(7, 20)
        let moved = plan.update([12, 11, 13])
        let removed = plan.update([12, 13])
        #expect(moved == .init(kept: [2, 1, 3]) && removed == .init(removed: [1], kept: [2, 3]))
    }

    @Test("An episode that is not on the list stays on the playlist after an interruption")
    mutating func interruptedElsewhere() {
        _ = plan.update([11, 12, 13])
        // The player reports the item after the first comparison.
        plan.start(0, 10)
        plan.interrupt()
        let edit = plan.update([11, 12, 13])
        #expect(edit == .init(kept: [1, 2, 3]))
    }

    @Test("An episode that begins is not removed when the library takes it from the list")
    mutating func begun() {
        plan.start(1, 11)
        #expect(plan.update([12, 13]) == .init(kept: [2, 3]))
    }

    @Test("Changes that arrive together are compared one after the other, the last ones in one comparison")
    mutating func together() {
        let first = plan.beginComparison()
        let second = plan.beginComparison()
        let third = plan.beginComparison()
        #expect(first && !second && !third)
        let repeats = plan.endComparison()
        #expect(repeats)
        let repeatsAgain = plan.endComparison()
        #expect(!repeatsAgain)
        let next = plan.beginComparison()
        #expect(next)
    }
}
