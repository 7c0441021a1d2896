// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

private func item(_ id: UInt32) -> PlaybackItem { PlaybackItem(id: id, title: "\(id)", podcast: nil, location: "") }

/// Returns a closed playlist of these items.
private func playlist(_ ids: [UInt32], repeating mode: RepeatMode = .off) -> PlaybackQueue {
    var queue = PlaybackQueue(repeatMode: mode)
    for id in ids { queue.append(item(id)) }
    queue.close()
    return queue
}

@Suite("PlaybackQueue")
struct PlaybackQueueTests {
    @Test("The queue distinguishes a successor that is not yet known from none at all")
    func successors() {
        var queue = PlaybackQueue()
        #expect(queue.successor(of: nil) == .notYet)
        queue.append(item(0))
        queue.append(item(1))
        #expect(queue.successor(of: nil) == .item(item(0)))
        #expect(queue.successor(of: 0) == .item(item(1)))
        #expect(queue.successor(of: 1) == .notYet)
        queue.close()
        #expect(queue.successor(of: 1) == .none)
        #expect(queue.successor(of: 0) == .item(item(1)))
    }

    @Test("Items follow another in playing order, even one that was removed")
    func following() {
        var queue = playlist([1, 2, 3, 4])
        queue.move(.id(4), to: 1)
        queue.remove(.id(2))
        #expect(queue.items(after: 4, wraps: false).map(\.id) == [3])
        #expect(queue.items(after: 2, wraps: false).map(\.id) == [3])
        #expect(queue.items(after: 3, wraps: true).map(\.id) == [1, 4])
        #expect(queue.items(after: 9, wraps: true).map(\.id) == [1, 4, 3])
    }

    @Test("New settings move the start of an item that begins, but neither a saved position nor an end of the listener")
    func settings() {
        var queue = PlaybackQueue()
        let starts: [TimeTarget?] = [nil, .time(.seconds(90)), .time(.seconds(30))]
        for (place, start) in starts.enumerated() {
            queue.append(
                PlaybackItem(
                    id: UInt32(place), title: "", podcast: nil, location: "", start: start,
                    end: place == 2 ? .time(.seconds(60)) : nil, isResumed: place < 2))
        }
        let end = SkippedEnd(.seconds(20), besides: .seconds(40))
        let settings = ItemSettings(rewind: .automatic, introduction: .seconds(40), skippedEnd: end)
        queue.apply([0: settings, 1: settings, 2: settings])
        #expect(queue.items.map(\.start) == [.time(.seconds(40)), .time(.seconds(90)), .time(.seconds(30))])
        #expect(queue.items.map(\.skippedEnd) == [end, end, nil])
        #expect(queue.items.map(\.rewind) == [.automatic, .automatic, .automatic])
        queue.apply([0: ItemSettings()])
        #expect(queue.item(0)?.start == nil && queue.item(0)?.introduction == nil)
        #expect(queue.item(1)?.introduction == .seconds(40))
    }

    @Test("The first item and an item that is not on the list have no predecessor")
    func predecessors() {
        let queue = playlist([7, 9])
        #expect(queue.predecessor(of: 9) == item(7))
        #expect(queue.predecessor(of: 7) == nil)
        #expect(queue.predecessor(of: 8) == nil)
        #expect(queue.position(of: 9) == 1)
        #expect(queue.item(8) == nil)
    }

    @Test("A closed empty playlist is over in every repeat mode", arguments: RepeatMode.allCases)
    func empty(mode: RepeatMode) {
        #expect(playlist([], repeating: mode).successor(of: nil) == .none)
    }

    @Test(
        "The successor and the target of \"next\" depend on the repeat mode",
        arguments: [
            (.off, 0, 1, 1), (.off, 2, nil, nil), (.one, 0, 0, 1), (.one, 2, 2, nil), (.all, 0, 1, 1), (.all, 2, 0, 0),
        ] as [(RepeatMode, UInt32, UInt32?, UInt32?)])
    func repeating(mode: RepeatMode, id: UInt32, follows: UInt32?, next: UInt32?) {
        let queue = playlist([0, 1, 2], repeating: mode)
        #expect(queue.successor(of: id) == follows.map { .item(item($0)) } ?? .none)
        #expect(queue.next(after: id) == next.map { .item(item($0)) } ?? .none)
    }

    @Test("An episode that the listener left is played from there the next time, and a file from its start")
    func left() {
        let episode = PlaybackItem(id: 0, title: "", podcast: nil, location: "", keepsPlace: true)
        var queue = PlaybackQueue(repeatMode: .all)
        queue.append(episode)
        queue.append(item(1))
        queue.close()
        for id in [0, 1] as [UInt32] { queue.left(id, at: .time(.seconds(40))) }
        let returned = episode.returning(to: .time(.seconds(40)))
        #expect(queue.predecessor(of: 1) == returned && queue.successor(of: 1) == .item(returned))
        #expect(queue.next(after: 0) == .item(item(1)))
        queue.arrange([1, 0])
        #expect(queue.next(after: 1) == .item(returned))
        queue.started(0)
        #expect(queue.predecessor(of: 0) == item(1) && queue.next(after: 1) == .item(episode))
    }

    @Test("An item that interrupts another is before it, and the other one follows from its place")
    func interrupted() {
        var queue = playlist([0, 1])
        queue.insert(item(2), interrupting: 1, at: .time(.seconds(40)))
        queue.insert(item(3), interrupting: 9, at: nil)
        #expect(queue.items.map(\.id) == [0, 2, 1, 3])
        #expect(queue.successor(of: 2) == .item(item(1).returning(to: .time(.seconds(40)))))
        queue.started(1)
        #expect(queue.successor(of: 2) == .item(item(1)))
    }

    @Test("A repeating list wraps around in both directions once it is closed")
    func aroundWhenClosed() {
        var queue = PlaybackQueue(repeatMode: .all)
        queue.append(item(0))
        queue.append(item(1))
        #expect(queue.successor(of: 1) == .notYet && queue.predecessor(of: 0) == nil)
        queue.close()
        #expect(queue.successor(of: 1) == .item(item(0)) && queue.predecessor(of: 0) == item(1))
    }

    @Test("A failed item is not repeated")
    func failedIsNotRepeated() {
        let queue = playlist([0, 1], repeating: .one)
        #expect(queue.successor(of: 0, hasFailed: true) == .item(item(1)))
        #expect(queue.successor(of: 1, hasFailed: true) == .none)
    }

    @Test(
        "Moving an item puts it at the given position, clamped to the list",
        arguments: [
            (0, 2, [1, 2, 0, 3]), (0, 0, [0, 1, 2, 3]), (3, 0, [3, 0, 1, 2]), (1, 3, [0, 2, 3, 1]),
            (2, 99, [0, 1, 3, 2]), (2, -1, [2, 0, 1, 3]), (9, 0, [0, 1, 2, 3]),
        ] as [(UInt32, Int, [UInt32])])
    func moves(id: UInt32, place: Int, order: [UInt32]) {
        var queue = playlist([0, 1, 2, 3])
        queue.move(.id(id), to: place)
        #expect(queue.items.map(\.id) == order)
        #expect(queue.count == order.count)
        for (place, id) in order.enumerated() {
            #expect(queue.position(of: id) == place && queue.item(at: place)?.id == id)
        }
    }

    @Test("A removed item is followed by its former successor and is never played again")
    func removes() {
        var queue = playlist([0, 1, 2, 3], repeating: .one)
        queue.remove(.id(1))
        queue.remove(.id(9))
        #expect(queue.items.map(\.id) == [0, 2, 3] && queue.count == 3)
        #expect(queue.successor(of: 1) == .item(item(2)))
        #expect(queue.next(after: 0) == .item(item(2)))
        #expect(queue.predecessor(of: 2) == item(0))
        #expect(!queue.contains(1) && queue.item(1) == item(1) && queue.position(of: 1) == nil)
        #expect(queue.item(at: 1) == item(2) && queue.item(at: 3) == nil && queue.item(at: -1) == nil)
        queue.move(.id(0), to: 1)
        #expect(queue.items.map(\.id) == [2, 0, 3])
        #expect(queue.successor(of: 1) == .item(item(2)))
    }

    @Test("Every item after a given one, or the whole list, can be removed")
    func removesAllBehind() {
        var queue = playlist([0, 1, 2, 3])
        queue.removeAll(after: 1)
        #expect(queue.items.map(\.id) == [0, 1])
        queue.removeAll(after: nil)
        #expect(queue.items.isEmpty && queue.successor(of: 1) == .none)
    }
}

@Suite("PlaybackPlan")
struct PlaybackPlanTests {
    /// Items 0, 1 and 2, opened with the generations 10, 11 and 12.
    private var plan: PlaybackPlan {
        var plan = PlaybackPlan()
        for id in UInt32(0)..<3 { plan.opened(id, generation: id + 10) }
        return plan
    }

    @Test("A plan that agrees with the playlist drops nothing")
    func agrees() {
        var plan = plan
        #expect(plan.follow(playlist([0, 1, 2, 3])) == nil)
        #expect(plan.follow(playlist([9, 0, 1, 2])) == nil)
        #expect(plan.steps.count == 3)
    }

    @Test(
        "An item that is no longer the successor is dropped together with every item after it",
        arguments: [([0, 2, 1], 11), ([0, 1, 3, 2], 12), ([1, 0, 2], 11), ([0], 11), ([0, 1], 12)]
            as [([UInt32], UInt32)])
    func drops(order: [UInt32], first: UInt32) {
        var plan = plan
        #expect(plan.follow(playlist(order)) == first)
        #expect(plan.steps.map(\.generation) == (10..<first).map { $0 })
    }

    @Test("A failed item counts as played")
    func failed() {
        var plan = PlaybackPlan()
        plan.opened(0, generation: 1)
        plan.failedToOpen(1)
        plan.opened(2, generation: 2)
        #expect(plan.follow(playlist([0, 1, 2])) == nil)
        #expect(plan.follow(playlist([0, 2, 1])) == 2)
        #expect(plan.steps.map(\.id) == [0])
    }

    @Test("After `previous`, items that fail are passed backward; from the first one on, forward")
    func backward() {
        let queue = playlist([0, 1, 2, 3])
        var plan = PlaybackPlan()
        plan.isBackward = true
        var tried: [UInt32] = []
        plan.failedToOpen(2)
        while tried.count < 5, case .item(let item) = plan.successor(in: queue) {
            tried.append(item.id)
            if tried.count < 4 { plan.failedToOpen(item.id) } else { plan.opened(item.id, generation: 1) }
        }
        #expect(tried == [1, 0, 1, 2, 3])
    }

    @Test("`previous` passes an item that cannot be played")
    func previous() {
        let stage = LoopStage()
        let first = stage.append(.cbr, 0..<3000)
        stage.append(MemoryByteSource(Array(repeating: 0x20, count: 5000)))
        let last = stage.append(.cbr, 7000..<20_000)
        stage.say(.closePlaylist)
        stage.play(4000)
        #expect(stage.loop.current?.item.id == last.id)
        stage.say(.previous)
        stage.play(1000)
        #expect(stage.loop.current?.item.id == first.id)
    }

    @Test("A repeating playlist ends when every item has failed in a row, and not before", arguments: 1...4)
    func allFailed(count: UInt32) {
        let queue = playlist(Array(0..<count), repeating: .all)
        var plan = PlaybackPlan()
        plan.opened(0, generation: 0)
        plan.succeeded()
        for number in 1...count {
            guard case .item(let item) = plan.successor(in: queue) else {
                Issue.record("ended before item \(number)")
                return
            }
            plan.failedToOpen(item.id)
        }
        #expect(plan.successor(in: queue) == .none)
        plan.succeeded()
        #expect(plan.successor(in: queue) != .none)
    }

    @Test("Items before the one being played are forgotten")
    func forgets() {
        var plan = plan
        plan.forget(before: 11)
        plan.forget(before: 99)
        plan.forget(before: nil)
        #expect(plan.steps.map(\.id) == [1, 2])
        plan.drop(from: 12)
        #expect(plan.steps.map(\.id) == [1])
    }
}
