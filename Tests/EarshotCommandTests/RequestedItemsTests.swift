// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@testable import Sessions

@Suite("The items of a client of another process")
struct RequestedItemsTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    private let tide = PlaybackItem(id: 2, title: "Tide", podcast: nil, location: "t.mp3")

    /// Follows events `track`, each of a phase and an item.
    private func note(_ events: [(String, Int)], _ items: inout RequestedItems) throws {
        for (phase, track) in events {
            items.note(try json(#"{"event":"track","phase":"\#(phase)","track":\#(track)}"#))
        }
    }

    /// Changes the repeat mode, as the listener or another client does.
    private func setRepeat(_ mode: String, _ items: inout RequestedItems) throws {
        items.note(try json(#"{"event":"repeat","repeat":"\#(mode)"}"#))
    }

    @Test("The session ends with the last item that it asked for")
    func requested() throws {
        var items = RequestedItems([3, 4])
        for event in [#"{"event":"track","phase":"begin","track":3}"#, #"{"event":"track","phase":"end","track":3}"#] {
            items.note(try json(event))
        }
        #expect(!items.isOver)
        items.note(try json(#"{"event":"track","phase":"end","track":4}"#))
        #expect(items.isOver)
    }

    @Test("The status has the position of its item among those of the session, and none for another item")
    func numbered() {
        let items = RequestedItems([7, 3, 9])
        let status = items.numbered(PlayerStatus(item: tide))
        #expect(status.itemNumber == 2 && status.itemCount == 3)
        let other = PlayerStatus(item: PlaybackItem(id: 4, title: "Fog", podcast: nil, location: "f.mp3"))
        #expect(items.numbered(other).itemCount == 0 && RequestedItems([]).numbered(other).itemCount == 0)
    }

    @Test("An item that follows one of the session does not get its number")
    func numberedBefore() {
        let items = RequestedItems([7, 3])
        var status = items.numbered(PlayerStatus(item: tide))
        #expect(status.itemNumber == 2 && status.itemCount == 2)
        status.item = PlaybackItem(id: 9, title: "Fog", podcast: nil, location: "f.mp3")
        let next = items.numbered(status)
        #expect(next.itemNumber == 0 && next.itemCount == 0)
    }

    @Test("A moved or removed item changes the positions, and a removed one counts until the owner has removed it")
    func edited() {
        var items = RequestedItems([7, 3, 9])
        let commands: [PlayerCommand] = [
            .move(.position(2), to: 0), .remove(.position(1)), .remove(.position(5)), .remove(.position(0)),
            .remove(.position(0)),
        ]
        for (line, command) in commands.enumerated() { items.edit(command, by: line) }
        #expect(items.items == [] && items.concern(7))
        for line in commands.indices {
            #expect(!items.isOver)
            items.settle(line, isDone: line != 2)
        }
        #expect(items.isOver && items.items == [])
    }

    @Test("A refused command about an item changes no position, and a retry names the same item")
    func refused() {
        var items = RequestedItems([7, 3, 9])
        items.edit(.remove(.position(1)), by: 0)
        items.edit(.move(.position(1), to: 0), by: 1)
        items.settle(0, isDone: false)
        #expect(items.items == [9, 7, 3])
        items.settle(1, isDone: false)
        #expect(items.items == [7, 3, 9] && items.concern(3))
        items.edit(.remove(.position(1)), by: 2)
        items.settle(2, isDone: true)
        #expect(items.items == [7, 9] && !items.concern(3))
    }

    @Test("A session that missed events takes the repeat mode from the status")
    func missedEvents() throws {
        var items = RequestedItems([3], .all)
        items.note(try json(#"{"event":"gap","snapshot":{"player":{"repeat":"off"}}}"#))
        items.note(try json(#"{"event":"track","phase":"end","track":3}"#))
        #expect(items.isOver)
    }

    @Test("A session that missed the end of playback ends", arguments: ["idle", "ended"])
    func missedEnd(state: String) throws {
        var items = RequestedItems([3])
        items.note(try json(#"{"event":"gap","snapshot":{"player":{"state":"playing"}}}"#))
        #expect(!items.isOver)
        items.note(try json(#"{"event":"gap","snapshot":{"player":{"state":"\#(state)"}}}"#))
        #expect(items.isOver)
    }

    @Test("A failure concerns a session while it waits for the item, or for the player as a whole")
    func concern() throws {
        var items = RequestedItems([3, 4])
        #expect(items.concern(3) && items.concern(nil) && !items.concern(5))
        items.note(try json(#"{"event":"track","phase":"end","track":3}"#))
        #expect(!items.concern(3) && RequestedItems([]).concern(5))
    }

    @Test("The session continues when another item interrupts its own, which follows again")
    func interrupted() throws {
        var items = RequestedItems([3])
        for event in [
            #"{"event":"track","phase":"begin","track":3,"interrupts":null}"#,
            #"{"event":"track","phase":"begin","track":5,"interrupts":3}"#,
            #"{"event":"track","phase":"begin","track":6,"interrupts":null}"#,
            #"{"event":"track","phase":"begin","track":3,"interrupts":null}"#,
        ] {
            items.note(try json(event))
            #expect(!items.isOver)
        }
        items.note(try json(#"{"event":"track","phase":"end","track":3}"#))
        #expect(items.isOver)
    }

    @Test("The item that the request interrupted is known; one that interrupts the request is another")
    func interrupting() throws {
        var items = RequestedItems([3, 4])
        items.note(try json(#"{"event":"track","phase":"begin","track":3,"interrupts":1}"#))
        #expect(items.interrupted == 1)
        items.note(try json(#"{"event":"track","phase":"begin","track":4,"interrupts":3}"#))
        items.note(try json(#"{"event":"track","phase":"begin","track":5,"interrupts":4}"#))
        items.note(try json(#"{"event":"track","phase":"begin","track":4,"interrupts":null}"#))
        #expect(items.interrupted == 1)
    }

    @Test("The session does not end with the playback of an owner that ends: the lost connection is the reason")
    func ownerEnds() throws {
        var items = RequestedItems([3])
        for event in [
            #"{"event":"track","phase":"begin","track":3}"#, #"{"event":"service","phase":"quitting"}"#,
            #"{"event":"state","state":"idle"}"#,
        ] { items.note(try json(event)) }
        #expect(!items.isOver)
    }

    @Test("The session ends when another item plays, or nothing")
    func left() throws {
        var items = RequestedItems([3])
        items.note(try json(#"{"event":"track","phase":"begin","track":2}"#))
        items.note(try json(#"{"event":"track","phase":"begin","track":3}"#))
        #expect(!items.isOver)
        items.note(try json(#"{"event":"track","phase":"begin","track":5}"#))
        #expect(items.isOver)
        var all = RequestedItems([])
        all.note(try json(#"{"event":"track","phase":"end","track":4}"#))
        #expect(!all.isOver)
        all.note(try json(#"{"event":"state","state":"idle"}"#))
        #expect(all.isOver)
    }

    @Test("While an item or the list repeats, the session does not end with its items", arguments: ["one", "all"])
    func repeated(mode: String) throws {
        var items = RequestedItems([3])
        try setRepeat(mode, &items)
        try note([("begin", 3), ("end", 3), ("begin", 3), ("end", 3)], &items)
        #expect(!items.isOver && items.concern(3))
        try setRepeat("off", &items)
        #expect(!items.isOver)
        try note([("begin", 3), ("end", 3)], &items)
        #expect(items.isOver)
    }

    @Test("A repeat mode that the owner already had counts from the reply on")
    func repeatedBefore() throws {
        var items = RequestedItems([3, 4], .all)
        try note([("begin", 3), ("end", 3), ("begin", 4), ("end", 4), ("begin", 3)], &items)
        #expect(!items.isOver)
        items.note(try json(#"{"event":"error","track":3}"#))
        #expect(!items.isOver)
        items.note(try json(#"{"event":"error","track":4}"#))
        #expect(items.isOver)
    }

    @Test("A seek that fails does not end an item that continues to play")
    func failedSeek() throws {
        var items = RequestedItems([3])
        items.note(try json(#"{"event":"error","track":3,"continues":true}"#))
        #expect(!items.isOver && items.concern(3))
        items.note(try json(#"{"event":"error","track":3}"#))
        #expect(items.isOver)
    }

    @Test("An item that ended before the list repeats is awaited when it plays again")
    func playsAgain() throws {
        var items = RequestedItems([3, 4])
        try note([("begin", 3), ("end", 3), ("begin", 4)], &items)
        try setRepeat("all", &items)
        try note([("end", 4), ("begin", 3)], &items)
        #expect(items.concern(3))
        try setRepeat("off", &items)
        try note([("end", 3)], &items)
        #expect(!items.isOver)
        try note([("begin", 4), ("end", 4)], &items)
        #expect(items.isOver)
    }

    @Test(
        "An item of another client ends the session, unless the list repeats and returns to its own items",
        arguments: [("off", true), ("one", true), ("all", false)])
    func foreignItem(mode: String, isOver: Bool) throws {
        var items = RequestedItems([3, 4])
        try setRepeat(mode, &items)
        // The listener went on to each next item.
        try note([("begin", 3), ("begin", 4), ("begin", 9)], &items)
        #expect(items.isOver == isOver)
    }

    /// Follows the items of a request that plays a list, as the owner names them.
    private func setItems(_ present: [Int], _ items: inout RequestedItems) throws {
        items.note(try json(#"{"event":"items","items":\#(present)}"#))
    }

    @Test("An item that enters the list of the session counts, and the session ends after it")
    func entered() throws {
        var items = RequestedItems([7, 3])
        try note([("begin", 7), ("end", 7), ("begin", 3)], &items)
        try setItems([7, 3, 9], &items)
        let status = items.numbered(PlayerStatus(item: tide))
        #expect(status.itemNumber == 2 && status.itemCount == 3 && items.concern(9))
        try note([("end", 3), ("begin", 9)], &items)
        #expect(!items.isOver)
        try note([("end", 9)], &items)
        #expect(items.isOver)
    }

    @Test("An item that leaves the list of the session is no longer awaited, and the others count in their new order")
    func leftList() throws {
        var items = RequestedItems([7, 3, 9])
        try setItems([7, 9, 3], &items)
        #expect(items.items == [7, 9, 3])
        try setItems([7, 3], &items)
        #expect(items.items == [7, 3] && !items.concern(9))
        try note([("end", 7)], &items)
        #expect(!items.isOver)
        try setItems([7], &items)
        #expect(items.isOver)
    }

    @Test("A first item that was removed before it was played no longer counts")
    func removedFirst() throws {
        var items = RequestedItems([3, 4, 5])
        try setItems([4, 5], &items)
        #expect(items.items == [4, 5] && !items.concern(3))
        try note([("begin", 4), ("end", 4), ("begin", 5), ("end", 5)], &items)
        #expect(items.isOver)
    }

    @Test("The items of another request do not concern the session")
    func foreignItems() throws {
        var items = RequestedItems([7, 3])
        try setItems([8, 9], &items)
        #expect(items.items == [7, 3] && !items.concern(9))
        var all = RequestedItems([])
        try setItems([8, 9], &all)
        #expect(all.items == nil && all.concern(3))
    }

    @Test("After a change of the output, the items that were played before still count")
    func otherPlayer() throws {
        var items = RequestedItems([7, 3])
        try note([("begin", 7), ("end", 7), ("begin", 3)], &items)
        try setItems([3, 9], &items)
        #expect(items.items == [7, 3, 9])
        let status = items.numbered(PlayerStatus(item: tide))
        #expect(status.itemNumber == 2 && status.itemCount == 3)
    }
}
