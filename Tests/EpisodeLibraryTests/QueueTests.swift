// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Testing

@Suite("The queue")
struct QueueTests {
    private func stage() throws -> (LibraryStage, [Int64]) {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let ids = try stage.merge((1...5).reversed().map { .numbered($0) }, into: podcast).new.sorted()
        return (stage, ids)
    }

    @Test("Episodes are added at the end, or first on request; a queued one keeps its position at the end")
    func add() throws {
        let (stage, ids) = try stage()
        try stage.library.enqueue([ids[0], ids[1]])
        try stage.library.enqueue([ids[2], ids[0]])
        #expect(try stage.library.queue().map(\.id) == [ids[0], ids[1], ids[2]])
        try stage.library.enqueue([ids[3], ids[2]], first: true)
        #expect(try stage.library.queue().map(\.id) == [ids[3], ids[2], ids[0], ids[1]])
    }

    @Test(
        "A move inserts an episode at the position, or at the end if the position is too large",
        arguments: [(0, 0, [0, 1, 2, 3]), (0, 2, [1, 2, 0, 3]), (3, 0, [3, 0, 1, 2]), (1, 99, [0, 2, 3, 1])])
    func move(from: Int, to: Int, order: [Int]) throws {
        let (stage, ids) = try stage()
        try stage.library.enqueue(Array(ids[..<4]))
        try stage.library.moveInQueue(ids[from], to: to)
        #expect(try stage.library.queue().map(\.id) == order.map { ids[$0] })
    }

    @Test("An episode that is not in the queue cannot be moved")
    func stranger() throws {
        let (stage, ids) = try stage()
        #expect(throws: LibraryError.self) { try stage.library.moveInQueue(ids[0], to: 0) }
    }

    @Test("A finished or marked episode leaves the queue")
    func finished() throws {
        let (stage, ids) = try stage()
        try stage.library.enqueue(ids)
        try stage.library.finish(ids[0], heard: nil)
        try stage.library.mark([ids[1]], played: true)
        try stage.library.dequeue([ids[2]])
        #expect(try stage.library.queue().map(\.id) == [ids[3], ids[4]])
        #expect(try stage.library.record(of: ids[4]).queuePlace == 2)
        #expect(try stage.library.record(of: ids[0]).queuePlace == nil)
    }

    @Test("The same seed shuffles identically and keeps each episode once", arguments: [1, 2, 3] as [UInt64])
    func shuffle(seed: UInt64) throws {
        let orders = try (0..<2).map { _ in
            let (stage, ids) = try stage()
            try stage.library.enqueue(ids)
            var order = ShuffleOrder(seed: seed)
            try stage.library.shuffleQueue(using: &order)
            let queue = try stage.library.queue().map(\.id)
            #expect(queue.sorted() == ids)
            return queue
        }
        #expect(orders[0] == orders[1])
    }

    @Test("A shuffle that leaves the order is reported, and is no act")
    func unchangedShuffle() throws {
        let (stage, ids) = try stage()
        try stage.library.enqueue(Array(ids.prefix(2)))
        for seed: UInt64 in 0..<20 {
            let before = (try stage.library.queuedEpisodes(), try stage.library.acts(limit: 100).count)
            var order = ShuffleOrder(seed: seed)
            let isChanged = try stage.library.shuffleQueue(using: &order)
            #expect(try (stage.library.queuedEpisodes() != before.0) == isChanged)
            #expect(try (stage.library.acts(limit: 100).count > before.1) == isChanged)
        }
    }

    @Test(
        "Random edits equal those of a list, and undoing them all empties the queue", arguments: [1, 2, 3] as [UInt64])
    func model(seed: UInt64) throws {
        let (stage, ids) = try stage()
        var random = ShuffleOrder(seed: seed)
        var model: [Int64] = []
        for _ in 0..<40 {
            let episode = ids[Int.random(in: 0..<ids.count, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                try stage.library.enqueue([episode])
                if !model.contains(episode) { model.append(episode) }
            case 1:
                try stage.library.enqueue([episode], first: true)
                model = [episode] + model.filter { $0 != episode }
            case 2:
                try stage.library.dequeue([episode])
                model.removeAll { $0 == episode }
            default:
                guard let place = model.indices.randomElement(using: &random) else { continue }
                let moved = model.remove(at: place)
                let target = Int.random(in: 0...model.count, using: &random)
                try stage.library.moveInQueue(moved, to: target)
                model.insert(moved, at: target)
            }
            #expect(try stage.library.queue().map(\.id) == model)
        }
        while try stage.library.undo().verb == .queue {}
        #expect(try stage.library.podcasts().isEmpty)
    }
}
