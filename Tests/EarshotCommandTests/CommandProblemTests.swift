// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import Media
import Playback
import TerminalInterface
import Testing

@testable import Sessions

@Suite("Commands without an effect")
struct CommandProblemTests {
    private static func item(_ id: UInt32) -> PlaybackItem {
        PlaybackItem(id: id, title: "\(id)", podcast: nil, location: "\(id).mp3")
    }

    /// A playlist of two items, of which `number` plays; 0 for none.
    private func problem(_ command: PlayerCommand, playing number: Int, _ repeatMode: RepeatMode = .off) -> String? {
        var playlist = PlaybackQueue(repeatMode: repeatMode)
        for id: UInt32 in [3, 4] { playlist.append(Self.item(id)) }
        let status = PlayerStatus(
            activity: number == 0 ? .idle : .playing, item: number == 0 ? nil : Self.item(UInt32(number + 2)),
            itemNumber: number, itemCount: 2, position: number == 0 ? nil : .zero, repeatMode: repeatMode)
        return command.problem(status, playlist)
    }

    @Test(
        "A command that would have no effect is refused with the reason",
        arguments: [
            (.next, 0, "playback has not started yet"), (.next, 1, nil), (.next, 2, "there is no next item"),
            (.previous, 0, "nothing is playing"), (.previous, 1, nil),
            (.remove(.position(1)), 1, nil), (.remove(.position(2)), 1, "the playlist has no item #3"),
            (.remove(.id(4)), 1, nil), (.remove(.id(5)), 1, "the playlist has no item of this number"),
            (.move(.position(0), to: 9), 1, nil), (.move(.position(6), to: 0), 1, "the playlist has no item #7"),
            (.chapter(.next), 0, "playback has not started yet"), (.chapter(.next), 1, "the episode has no chapters"),
            (.pause, 0, nil), (.seek(.relative(.zero)), 0, nil),
        ] as [(PlayerCommand, Int, String?)])
    func refused(command: PlayerCommand, number: Int, expected: String?) {
        #expect(problem(command, playing: number) == expected)
    }

    @Test(
        "A seek beyond an exact end is refused",
        arguments: [
            (.seconds(39), .exact(.seconds(40)), nil), (.seconds(41), .estimated(.seconds(40)), nil),
            (.seconds(41), .unknown, nil), (.seconds(40), .exact(.seconds(40)), "0:40 is the end of the audio"),
            (.seconds(59), .exact(.seconds(40)), "0:59 is beyond the end (0:40)"),
        ] as [(Duration, MediaDuration, String?)])
    func beyondEnd(time: Duration, duration: MediaDuration, expected: String?) {
        var status = PlayerStatus(item: Self.item(3), itemNumber: 1, itemCount: 2, repeatMode: .off)
        status.duration = duration
        #expect(PlayerCommand.seek(.absolute(.time(time))).problem(status, PlaybackQueue(repeatMode: .off)) == expected)
    }

    @Test("A command after a request to play is not refused because of the item before")
    func awaitedItem() {
        let seek = PlayerCommand.seek(.absolute(.time(.seconds(45))))
        var status = PlayerStatus(item: Self.item(3), itemNumber: 1, itemCount: 1)
        status.duration = .exact(.seconds(40))
        var playlist = PlaybackQueue()
        playlist.append(Self.item(3))
        #expect(seek.problem(status, playlist, awaiting: [4]) == nil)
        playlist.append(Self.item(4))
        #expect(seek.problem(status, playlist, awaiting: [4]) == "0:45 is beyond the end (0:40)")
    }

    @Test(
        "A command is not refused because of a status that does not show the effect of earlier ones",
        arguments: [.next, .previous, .seek(.absolute(.time(.seconds(45)))), .remove(.position(2))] as [PlayerCommand])
    func olderStatus(command: PlayerCommand) {
        var status = PlayerStatus(activity: .playing, itemNumber: 1, itemCount: 1, position: .zero)
        status.duration = .exact(.seconds(40))
        #expect(command.problem(status, PlaybackQueue()) != nil)
        #expect(command.problem(status, PlaybackQueue(), isOlder: true) == nil)
    }

    @Test("Before the first sound, earlier commands may add a next item, but no chapters")
    func olderStart() {
        let (status, playlist) = (PlayerStatus(activity: .loading, itemNumber: 1, itemCount: 1), PlaybackQueue())
        #expect(PlayerCommand.next.problem(status, playlist) == "playback has not started yet")
        #expect(PlayerCommand.next.problem(status, playlist, isOlder: true) == nil)
        let chapter = PlayerCommand.chapter(.next).problem(status, playlist, isOlder: true)
        #expect(chapter == "playback has not started yet")
    }

    @Test(
        "A bookmark before the first sound is refused, also while a seek precedes it",
        arguments: [.loading, .seeking] as [PlayerStatus.Activity])
    func bookmarkBeforeStart(activity: PlayerStatus.Activity) {
        let status = PlayerStatus(activity: activity, item: Self.item(3), itemNumber: 1, itemCount: 1)
        #expect(PlayerCommand.mark(note: nil).problem(status, PlaybackQueue()) == "playback has not started yet")
    }

    @Test("A command after a request to play is refused before the first sound if it depends on the item that plays")
    func awaitedStart() {
        let (status, playlist) = (PlayerStatus(), PlaybackQueue())
        for command in [PlayerCommand.next, .chapter(.next)] {
            #expect(command.problem(status, playlist, awaiting: [4]) == "playback has not started yet")
        }
        #expect(PlayerCommand.next.problem(status, playlist, awaiting: [4, 5]) == nil)
        #expect(PlayerCommand.previous.problem(status, playlist, awaiting: [4]) == nil)
    }

    @Test("A stated end after the position is not named as the end")
    func endAfterPosition() {
        let failure = MediaFailure(beyond: .seconds(126), .declared(.seconds(180)), .refused)
        #expect(failure.reason == "the start position 2:06 is beyond the end")
    }

    @Test(
        "A seek by a distance or to a part of the item is refused if it leads to an exact end or beyond",
        arguments: [
            (.relative(.seconds(9)), nil), (.relative(.seconds(10)), "0:40 is the end of the audio"),
            (.relative(.seconds(30)), "1:00 is beyond the end (0:40)"), (.relative(.seconds(-60)), nil),
            (.absolute(.fraction(0.99)), nil), (.absolute(.fraction(1)), "0:40 is the end of the audio"),
        ] as [(SeekTarget, String?)])
    func beyondEndByDistance(target: SeekTarget, expected: String?) {
        var status = PlayerStatus(item: Self.item(3), itemNumber: 1, itemCount: 2, repeatMode: .off)
        (status.position, status.duration) = (.seconds(30), .exact(.seconds(40)))
        #expect(PlayerCommand.seek(target).problem(status, PlaybackQueue(repeatMode: .off)) == expected)
    }

    @Test("A bookmark is refused unless the item is an episode of the library")
    func bookmark() {
        var status = PlayerStatus(item: Self.item(3), itemNumber: 1, itemCount: 1, position: .zero)
        let problem = "only episodes of the library can have bookmarks"
        #expect(PlayerCommand.mark(note: nil).problem(status, PlaybackQueue()) == problem)
        status.item = PlaybackItem(id: 3, title: "3", podcast: nil, location: "3.mp3", keepsPlace: true)
        #expect(PlayerCommand.mark(note: nil).problem(status, PlaybackQueue()) == nil)
        #expect(PlayerCommand.mark(note: nil).problem(PlayerStatus(), PlaybackQueue()) == nil)
    }

    @Test("An immediate start is refused unless playback waits")
    func playNow() {
        var status = PlayerStatus(item: Self.item(3), itemNumber: 1, itemCount: 2, repeatMode: .off)
        #expect(PlayerCommand.playNow.problem(status, PlaybackQueue(repeatMode: .off)) == "playback is not waiting")
        status.wait = .init(waited: .seconds(1), expected: nil)
        #expect(PlayerCommand.playNow.problem(status, PlaybackQueue(repeatMode: .off)) == nil)
    }

    @Test("Positions among the items of a client are those of its own order, and others are refused")
    func ownPositions() throws {
        let items: [PlaybackItem.ID] = [6, 4, 9]
        #expect(try PlayerCommand.remove(.position(1)).counting(among: items, on: nil) == .remove(.id(4)))
        #expect(try PlayerCommand.move(.position(2), to: 0).counting(among: items, on: nil) == .arrange([9, 6, 4]))
        #expect(try PlayerCommand.move(.position(0), to: 7).counting(among: items, on: nil) == .arrange([4, 9, 6]))
        #expect(try PlayerCommand.pause.counting(among: items, on: nil) == .pause)
        for command in [PlayerCommand.remove(.position(3)), .move(.position(3), to: 0)] {
            #expect(throws: ControlError("the playlist has no item #4", kind: "missing", status: 66)) {
                try command.counting(among: items, on: nil)
            }
        }
    }

    @Test("A command about an item that was removed is refused, and others are not, also about one just added")
    func missingItem() throws {
        let items: [PlaybackItem.ID] = [6, 4, 9]
        var playlist = PlaybackQueue()
        for id: UInt32 in [6, 4] { playlist.append(Self.item(id)) }
        playlist.remove(.id(4))
        for command in [PlayerCommand.remove(.position(1)), .move(.position(1), to: 0)] {
            #expect(throws: ControlError("the playlist has no item #2", kind: "missing", status: 66)) {
                try command.counting(among: items, on: playlist)
            }
        }
        #expect(try PlayerCommand.remove(.position(2)).counting(among: items, on: playlist) == .remove(.id(9)))
        #expect(
            try PlayerCommand.move(.position(2), to: 0).counting(among: items, on: playlist) == .arrange([9, 6, 4]))
    }

    @Test("A refused command says why")
    func refusal() {
        let texts = [PlayerCommand.chime, .mark(note: nil), .play].map(\.refusal)
        #expect(
            texts == [
                "cannot play a chime now: nothing is playing, or too many chimes are playing",
                "cannot bookmark now: nothing is playing", "playback has ended",
            ])
    }

    @Test("The last item of a repeated playlist has a next one")
    func repeated() { #expect(problem(.next, playing: 2, .all) == nil) }
}
