// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EpisodeSources
import Media
import Playback
import TerminalInterface
import Testing

@testable import Sessions

@Suite("The record of what a service plays")
struct DeckRecordTests {
    private var record = DeckRecord()

    init() {
        (record.targets, record.nextList, record.position) = (["41", "/a b.mp3"], .queue, .milliseconds(1500))
        (record.isPlaying, record.volume, record.repeatMode) = (true, 0.8, .all)
        (record.output, record.isOpen, record.time) = (.pulse(sink: "x"), true, 1000)
        (record.boot, record.restarted, record.isOutputSilent) = ("b", 900, true)
        record.sound = SoundChanges(speed: 1.5, silenceTrimming: .mild, loudness: .target(-16), boostsVoice: true)
        record.sleep = .endOfChapter(count: 2)
        record.ends = [1: .time(.milliseconds(32_500))]
        record.anchor = TimeAnchor(offset: 900, time: .seconds(1), totalLength: 9000)
    }

    @Test("A record is read as it was written")
    func text() {
        #expect(DeckRecord(parsing: record.text) == record)
        #expect(DeckRecord(parsing: "speed 9\ntrim-silence x\nloudness -40\nsleep soon\n") == DeckRecord())
        #expect(DeckRecord(parsing: "") == DeckRecord())
        #expect(DeckRecord(parsing: "volume 900\nposition -4\nnoise\nrepeat x\n") == DeckRecord())
        #expect(DeckRecord(parsing: "time \(Int64.min)\nrestarted \(Int64.max)\n") == DeckRecord())
    }

    @Test("Playback continues with the list that follows, also with a smart queue")
    mutating func list() {
        #expect(DeckRecord(parsing: record.text).request.nextList == .queue)
        record.nextList = .smartQueue(named: "my tales")
        #expect(record.text.contains("queue no\n") && record.text.contains("smart my tales\n"))
        #expect(DeckRecord(parsing: record.text).request.nextList == .smartQueue(named: "my tales"))
        record.nextList = nil
        #expect(DeckRecord(parsing: record.text).request.nextList == nil)
        record.passed = [12, 7]
        #expect(record.text.hasSuffix("passed 7\npassed 12\n"))
        #expect(DeckRecord(parsing: record.text).request.passed == [7, 12])
    }

    @Test("The record has the end of each item, and playback that continues ends there")
    mutating func ends() {
        record.ends = [0: .fraction(0.25), 1: .time(.seconds(32))]
        #expect(record.text.hasSuffix("target 41\nuntil 25.0%\ntarget /a b.mp3\nuntil 32.0\n"))
        let read = DeckRecord(parsing: record.text)
        #expect(read.ends == [0: .fraction(0.25), 1: .time(.seconds(32))])
        #expect(read.request.ends == [0: .fraction(0.25), 1: .time(.seconds(32))] && read.request.until == nil)
        #expect(DeckRecord(parsing: "until 32\n").ends == [:] && DeckRecord(parsing: "target 1\nuntil x\n").ends == [:])
    }

    @Test(
        "An estimated position keeps the packet from which it counts",
        arguments: [("41", true), ("https://host.example/a.mp3", false)])
    func estimate(target: String, isInLibrary: Bool) {
        var record = record
        record.targets = [target]
        let start = TimeTarget.estimated(
            .milliseconds(1500), from: TimeAnchor(offset: 900, time: .seconds(1), totalLength: 9000))
        let request = DeckRecord(parsing: record.text).request
        #expect(request.lastPosition == (isInLibrary ? start : nil))
        #expect(request.from?.time == (isInLibrary ? nil : start))
        #expect(DeckRecord(parsing: "anchor 900 x\n") == DeckRecord())
        record.anchor = nil
        let exact = record.request.lastPosition ?? record.request.from?.time
        #expect(exact == .time(.milliseconds(1500)))
    }

    @Test("Before the first sound of an item, its position is the start, with the packet from which that counts")
    mutating func start() {
        let anchor = TimeAnchor(offset: 700, time: .seconds(4), totalLength: 9000)
        let starts: [TimeTarget?] = [.time(.seconds(5)), .estimated(.seconds(6), from: anchor), .fraction(0.5), nil]
        let records = starts.map { start in
            var record = DeckRecord()
            let item = PlaybackItem(id: 1, title: "A", podcast: nil, location: "/a", start: start)
            record.setPosition(PlayerStatus(item: item))
            return record
        }
        let positions: [Duration?] = [.seconds(5), .seconds(6), nil, nil]
        #expect(records.map(\.position) == positions && records.map(\.anchor) == [nil, anchor, nil, nil])
        let item = PlaybackItem(id: 1, title: "A", podcast: nil, location: "/a", start: .time(.seconds(5)))
        record.setPosition(PlayerStatus(item: item, position: .seconds(9)))
        #expect(record.position == .seconds(9) && record.anchor == nil)
    }

    @Test("Before the first sound of an item, the record has no position after an introduction, which may be played")
    func introduction() {
        let item = PlaybackItem(
            id: 1, title: "A", podcast: nil, location: "/a", start: .time(.seconds(40)), introduction: .seconds(40),
            isResumed: true)
        var record = DeckRecord()
        record.setPosition(PlayerStatus(item: item))
        #expect(record.position == nil)
        record.setPosition(PlayerStatus(item: item, position: .seconds(40)))
        #expect(record.position == .seconds(40))
    }

    @Test("While a seek has no position yet, the record has the place before it")
    func seeking() {
        let item = PlaybackItem(id: 1, title: "A", podcast: nil, location: "/a", start: .time(.seconds(5)))
        var status = PlayerStatus(item: item, isSeeking: true)
        status.seekOrigin = .time(.seconds(9))
        var record = DeckRecord()
        record.setPosition(status)
        #expect(record.position == .seconds(9))
    }

    @Test("The record has what the listener chose instead of the settings of the podcast, also without an item")
    func chosen() {
        var status = PlayerStatus(sleep: .after(.seconds(60)))
        status.soundChanges = SoundChanges(speed: 1, silenceTrimming: .off, loudness: .off, boostsVoice: true)
        let record = DeckRecord(processingLike: status)
        #expect(record.sound == status.soundChanges && record.sleep == .after(.seconds(60)))
    }

    @Test("Playback continues after a crash within a minute")
    mutating func crash() {
        record.restarted = nil
        #expect(record.recovery(at: 1060, boot: "b") == .play)
        #expect(record.recovery(at: 1061, boot: "b") == .wait)
        #expect(record.recovery(at: 1010, boot: "c") == .none)
    }

    @Test("After a second crash with the same item, it stays paused")
    func secondCrash() {
        guard case .pause = record.recovery(at: 1010, boot: "b") else {
            Issue.record("it plays")
            return
        }
    }

    @Test("A paused player waits for the listener, however long ago the crash was")
    mutating func paused() {
        record.isPlaying = false
        #expect(record.recovery(at: 1010, boot: "b") == .wait)
        #expect(record.recovery(at: 90_000, boot: "b") == .wait)
        #expect(record.recovery(at: 1010, boot: "c") == .none)
    }

    @Test("Playback that a service released after ten minutes of a pause continues with its volume")
    mutating func released() {
        var idle = IdlePolicy(exitTime: nil, at: .zero)
        idle.update(.silent, hasClients: false, at: .seconds(5))
        #expect(idle.action(at: .seconds(604)) == nil && idle.action(at: .seconds(605)) == .release)
        record.close(isOver: false, isReleased: true)
        #expect(record.nextVolume == 0.8 && record.sound == SoundChanges() && record.sleep == nil)
        let read = DeckRecord(parsing: record.text)
        #expect(read.nextVolume == 0.8 && read.recovery(at: 1010, boot: "b") == .wait)
        record.close(isOver: true, isReleased: false)
        #expect(record.nextVolume == nil)
    }

    @Test("A skipped episode plays again after the end of playback, and after it has left the queue")
    mutating func passed() {
        record.passed = [7, 12]
        record.follow(queue: [3, 12])
        #expect(record.request.passed == [12])
        record.close(isOver: false, isReleased: true)
        #expect(record.request.passed == [12])
        record.nextList = .smartQueue(named: "tales")
        record.follow(queue: [3])
        #expect(record.request.passed == [12])
        record.close(isOver: true, isReleased: false)
        #expect(record.request.passed == [])
    }

    @Test("A closed player, and one that has played everything, do not continue")
    mutating func closed() {
        record.isOpen = false
        #expect(record.recovery(at: 1010, boot: "b") == .none)
        (record.isOpen, record.targets) = (true, [])
        #expect(record.recovery(at: 1010, boot: "b") == .none)
    }
}
