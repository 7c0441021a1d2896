// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Testing

@Suite("Playback positions")
struct PositionTests {
    private func stage() throws -> (LibraryStage, Int64) {
        let stage = try LibraryStage()
        return (stage, try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0])
    }

    @Test(
        "A saved position is visible to another process immediately",
        arguments: [Library.Durability.tick, .act])
    func saved(durability: Library.Durability) throws {
        let (stage, id) = try stage()
        let position = PlaybackPosition(position: .seconds(90), duration: .seconds(1800), version: "v1")
        try stage.library.save(position, of: id, durability)
        #expect(try stage.another().position(of: id) == position)
        #expect(try stage.another().lastStarted()?.id == id)
    }

    @Test("Missing values in a later save keep the earlier ones")
    func unsaid() throws {
        let (stage, id) = try stage()
        try stage.library.save(.init(position: .seconds(5), duration: .seconds(60), version: "v1"), of: id, .tick)
        try stage.library.save(.init(position: .seconds(9)), of: id, .tick)
        let expected = PlaybackPosition(position: .seconds(9), duration: .seconds(60), version: "v1")
        #expect(try stage.library.position(of: id) == expected)
        #expect(try stage.library.episode(id).duration == .seconds(60))
    }

    @Test("A finished episode is played, and starts at its beginning")
    func finished() throws {
        let (stage, id) = try stage()
        try stage.library.save(.init(position: .seconds(90)), of: id, .tick)
        #expect(try stage.library.episode(id).progress == .started)
        try stage.library.finish(id, heard: .seconds(90) ..< .seconds(100))
        #expect(try stage.library.episode(id).progress == .played)
        #expect(try stage.library.position(of: id)?.position == .zero)
        #expect(try stage.library.lastStarted() == nil)
    }

    @Test(
        "A played episode counts as started again after a minute or a twentieth of its duration",
        arguments: [
            (2, nil, false), (59, nil, false), (60, nil, true), (59, 3600, false), (60, 3600, true), (4, 100, false),
            (5, 100, true),
        ] as [(Int, Int?, Bool)])
    func again(heard: Int, duration: Int?, isStarted: Bool) throws {
        let (stage, id) = try stage()
        try stage.library.finish(id, heard: .zero ..< .seconds(100))
        let length = duration.map { Duration.seconds($0) }
        // A seek alone does not count as playback.
        try stage.library.save(.init(position: .seconds(900), duration: length), of: id, .act)
        #expect(try stage.library.episode(id).progress == .played)
        let position = PlaybackPosition(
            position: .seconds(900 + heard), duration: length, heard: .seconds(900) ..< .seconds(900 + heard),
            heardInAll: .seconds(heard))
        try stage.library.save(position, of: id, .tick)
        #expect(try stage.library.episode(id).progress == (isStarted ? .started : .played))
        #expect(try stage.library.position(of: id)?.position == .seconds(900 + heard))
    }

    @Test("If only the feed declares a duration, a twentieth of it counts")
    func feedsDuration() throws {
        let stage = try LibraryStage()
        let id = try stage.merge([.numbered(1, minutes: 2)], into: try stage.subscribe()).new[0]
        try stage.library.finish(id, heard: nil)
        try stage.library.save(.init(position: .seconds(5), heardInAll: .seconds(5)), of: id, .tick)
        #expect(try stage.library.episode(id).progress == .played)
        try stage.library.save(.init(position: .seconds(6), heardInAll: .seconds(6)), of: id, .tick)
        #expect(try stage.library.episode(id).progress == .started)
    }

    @Test("An episode marked as played, then played for a moment, counts as started after undo")
    func undone() throws {
        let (stage, id) = try stage()
        try stage.library.mark([id], played: true)
        try stage.library.save(.init(position: .seconds(2), heardInAll: .seconds(2)), of: id, .tick)
        #expect(try stage.library.episode(id).progress == .played)
        _ = try stage.library.undo()
        #expect(try stage.library.episode(id).progress == .started)
        #expect(try stage.library.position(of: id)?.position == .seconds(2))
    }

    @Test("A position of an unknown episode is ignored")
    func gone() throws {
        let (stage, id) = try stage()
        try stage.library.save(.init(position: .seconds(1), heard: .zero ..< .seconds(1)), of: id + 99, .act)
        try stage.library.finish(id + 99, heard: nil)
        #expect(try stage.library.position(of: id + 99) == nil)
    }

    @Test("The history lists the played episodes, the latest first")
    func history() throws {
        let stage = try LibraryStage()
        let ids = try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: try stage.subscribe()).new
        for id in [ids[1], ids[0]] {
            try stage.library.save(.init(position: .seconds(1)), of: id, .tick)
            stage.pass(.seconds(60))
        }
        try stage.library.mark([ids[2]], played: true)
        #expect(try stage.library.history(limit: 9).map(\.id) == [ids[0], ids[1]])
    }

    @Test(
        "Overlapping or adjacent ranges are merged",
        arguments: [
            ([0..<10], [0..<10]), ([0..<10, 10..<20], [0..<20]), ([0..<10, 20..<30], [0..<10, 20..<30]),
            ([20..<30, 0..<10], [0..<10, 20..<30]), ([0..<10, 20..<30, 5..<25], [0..<30]),
            ([0..<30, 5..<6], [0..<30]),
            ([5..<6, 0..<30], [0..<30]), ([0..<1, 2..<3, 4..<5, 6..<7, 0..<9], [0..<9]),
        ] as [([Range<Int>], [Range<Int>])])
    func stretches(heard: [Range<Int>], expected: [Range<Int>]) throws {
        let (stage, id) = try stage()
        let time = { (range: Range<Int>) in Duration.seconds(range.lowerBound) ..< .seconds(range.upperBound) }
        for range in heard { try stage.library.save(.init(position: .zero, heard: time(range)), of: id, .tick) }
        #expect(try stage.library.playedRanges(of: id) == expected.map(time))
    }

    @Test("The ranges contain exactly the played seconds", arguments: 0..<8 as Range<UInt64>)
    func seconds(seed: UInt64) throws {
        let (stage, id) = try stage()
        var random = ShuffleOrder(seed: seed)
        var model: Set<Int> = []
        for _ in 0..<20 {
            let start = Int.random(in: 0..<100, using: &random)
            let range = start..<start + Int.random(in: 1..<20, using: &random)
            model.formUnion(range)
            let heard = Duration.seconds(range.lowerBound) ..< .seconds(range.upperBound)
            try stage.library.save(.init(position: .zero, heard: heard), of: id, .tick)
        }
        let ranges = try stage.library.playedRanges(of: id)
        let second = { (time: Duration) in Int(time.components.seconds) }
        let found = Set(ranges.flatMap { second($0.lowerBound)..<second($0.upperBound) })
        #expect(found == model)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }
}
