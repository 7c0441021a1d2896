// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Media
import Playback
import Testing

@testable import Sessions

@Suite("The targets of a playlist")
struct PlaylistTargetsTests {
    private var targets = PlaylistTargets()
    private var playlist = PlaybackQueue()

    private static func target(_ text: String, isFromList: Bool = false) -> PlaylistTargets.Target {
        .init(text: text, isFromList: isFromList)
    }

    private mutating func place(_ id: UInt32, _ target: PlaylistTargets.Target, isExpected: Bool) {
        playlist.append(PlaybackItem(id: id, title: "\(id)", podcast: nil, location: "\(id).mp3"))
        let isPlaced = targets.place(id, target, isExpected: isExpected)
        #expect(isPlaced)
    }

    private func remaining(
        _ item: UInt32, wraps: Bool = false, followedBy list: LibraryTargets.List? = nil
    ) -> [String]? {
        targets.remaining(from: item, on: playlist, wraps: wraps, followedBy: list, started: [])?.targets
    }

    private func passed(
        _ item: UInt32, wraps: Bool = false, followedBy list: LibraryTargets.List?, started: Set<Int64>
    ) -> Set<Int64>? {
        targets.remaining(from: item, on: playlist, wraps: wraps, followedBy: list, started: started)?.passed
    }

    @Test("The targets that are still resolved follow the items, before those that are repeated")
    mutating func expected() {
        var request = PlayRequest()
        request.targets = ["a", "b", "c", "d"]
        targets.expect(request)
        #expect(remaining(0) == nil)
        place(0, Self.target("a"), isExpected: true)
        place(1, Self.target("b"), isExpected: true)
        #expect(remaining(0) == ["a", "b", "c", "d"])
        #expect(remaining(1) == ["b", "c", "d"])
        #expect(remaining(1, wraps: true) == ["b", "c", "d", "a"])
        place(2, Self.target("x"), isExpected: false)
        #expect(remaining(1) == ["b", "x", "c", "d"])
    }

    @Test("The items have the episodes of the library that they were placed with")
    mutating func episodes() {
        place(0, .init(text: "7", episode: 7), isExpected: false)
        place(1, Self.target("a.mp3"), isExpected: false)
        #expect(targets.episodes == [0: 7, 1: nil])
    }

    @Test("The episodes of a target replace it one after the other, and a failed one is left out")
    mutating func resolved() {
        var request = PlayRequest()
        request.targets = ["a", "podcast", "b"]
        targets.expect(request)
        targets.resolveNext(to: [])
        targets.resolveNext(to: [Self.target("7"), Self.target("8")])
        place(0, Self.target("7"), isExpected: true)
        #expect(remaining(0) == ["7", "8", "b"])
        place(1, Self.target("8"), isExpected: true)
        #expect(remaining(1) == ["8", "b"])
    }

    private func resolvedIndices(_ item: UInt32) -> Set<Int>? {
        targets.remaining(from: item, on: playlist, wraps: false, followedBy: nil, started: [])?.resolved
    }

    @Test("Targets that are not resolved yet keep the scope and the choice of their request")
    mutating func choice() {
        var request = PlayRequest()
        (request.targets, request.scope) = (["a", "b", "9"], .episodes(ofPodcast: "c"))
        request.resolved = [2]
        targets.expect(request)
        place(0, Self.target("7"), isExpected: true)
        #expect(remaining(0) == ["7", "b", "9"] && resolvedIndices(0) == [0, 2])
        targets.resolveNext(to: [Self.target("8")])
        #expect(remaining(0) == ["7", "8", "9"] && resolvedIndices(0) == [0, 1, 2])
    }

    @Test("Each end belongs to the last episode of its target")
    mutating func ends() {
        var request = PlayRequest()
        (request.targets, request.until, request.ends) = (["a", "b"], .time(.seconds(9)), [0: .fraction(0.5)])
        targets.expect(request)
        place(0, .init(text: "a", end: .fraction(0.5)), isExpected: true)
        let ends = targets.remaining(from: 0, on: playlist, wraps: false, followedBy: nil, started: [])?.ends
        #expect(ends == [0: .fraction(0.5), 1: .time(.seconds(9))])
    }

    @Test("A list that follows names its items again")
    mutating func lists() {
        targets.resolveNext(to: [Self.target("1", isFromList: true), Self.target("2", isFromList: true)])
        place(0, Self.target("1", isFromList: true), isExpected: true)
        place(1, Self.target("x"), isExpected: false)
        #expect(remaining(0) == ["1", "x", "2"])
        #expect(remaining(0, followedBy: .queue) == ["1", "x"])
        #expect(remaining(0, followedBy: .smartQueue(named: "tales")) == ["1", "x"])
        #expect(targets.isFromList(0) && !targets.isFromList(1) && !targets.isFromList(5))
    }

    @Test("The list does not add episodes again that were played or skipped, unless they follow")
    mutating func skipped() {
        for (id, text) in [(0, "1"), (1, "2"), (2, "3")] {
            place(UInt32(id), Self.target(text, isFromList: true), isExpected: false)
        }
        let tales = LibraryTargets.List.smartQueue(named: "tales")
        #expect(passed(1, followedBy: tales, started: [1, 2]) == [1])
        #expect(passed(1, followedBy: nil, started: [1, 2]) == [])
        // The item that was left is after the current one, or follows when all items repeat.
        #expect(passed(0, followedBy: tales, started: [1, 2]) == [])
        #expect(passed(1, wraps: true, followedBy: tales, started: [1, 2]) == [])
    }

    @Test("An item that comes after the stop is not placed, so that another player gets it")
    mutating func stopped() {
        var request = PlayRequest()
        request.targets = ["a", "b"]
        targets.expect(request)
        place(0, Self.target("a"), isExpected: true)
        targets.stop()
        let isPlaced = targets.place(1, Self.target("b"), isExpected: true)
        #expect(!isPlaced && remaining(0) == ["a", "b"])
    }
}
