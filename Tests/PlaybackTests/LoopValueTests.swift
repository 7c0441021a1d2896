// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import Media
import Testing

@testable import Playback

@Suite("SeekTracker")
struct SeekTrackerTests {
    @Test("Several seeks in a row return to the origin of the first, unless the player made it")
    func origin() {
        var seeks = SeekTracker()
        #expect(seeks.origin(from: .time(.seconds(5))) == .time(.seconds(5)))
        seeks.begin(.init(target: .time(.seconds(60)), requested: .zero, origin: .time(.seconds(5))))
        #expect(seeks.origin(from: .time(.seconds(60))) == .time(.seconds(5)))
        seeks.begin(.init(target: .time(.seconds(5))))
        #expect(seeks.origin(from: .time(.seconds(5))) == nil)
    }

    @Test("A seek ends once")
    func ends() {
        var seeks = SeekTracker()
        seeks.begin(.init(target: .fraction(0.5), requested: .seconds(1)))
        #expect(seeks.end()?.requested == .seconds(1))
        #expect(seeks.end() == nil && seeks.pending == nil)
    }

    @Test("A seek by a distance waits if an earlier one waits; one to a place does not")
    func distance() {
        var seeks = SeekTracker()
        let before = seeks.mustWait(.relative(.seconds(10)))
        seeks.defer(.absolute(.fraction(0.5)), in: 0)
        #expect(!before && seeks.mustWait(.relative(.seconds(10))))
        #expect(!seeks.mustWait(.absolute(.time(.seconds(10)))))
    }

    @Test("A seek that waits applies only to the item in which it was made, or to the first one")
    func deferredItems() {
        var seeks = SeekTracker()
        seeks.defer(.relative(.seconds(1)), in: nil)
        seeks.defer(.relative(.seconds(2)), in: 0)
        seeks.defer(.relative(.seconds(3)), in: 1)
        let targets = seeks.removeDeferred(of: 1)
        #expect(targets == [.relative(.seconds(1)), .relative(.seconds(3))])
        #expect(seeks.deferred.isEmpty)
    }

    @Test("The seeks of the listener in an item are awaited until they land, in order; those of the player are not")
    func awaited() {
        var seeks = SeekTracker()
        seeks.begin(.init(target: .time(.seconds(5))))
        #expect(seeks.awaited(in: 0) == [])
        seeks.begin(.init(target: .fraction(0.5), requested: .zero))
        seeks.defer(.relative(.seconds(1)), in: 0)
        seeks.defer(.relative(.seconds(2)), in: 1)
        #expect(seeks.awaited(in: 0) == [.absolute(.fraction(0.5)), .relative(.seconds(1))])
        seeks.end()
        seeks.removeDeferred()
        #expect(seeks.awaited(in: 0) == [])
    }

    @Test("The wait before a target is reported once in a row for an item")
    func reports() {
        var seeks = SeekTracker()
        #expect([0, 0, 1, 1, 0].map { seeks.reportsWait(in: $0) } == [true, false, true, false, true])
    }

    @Test("A target beyond the end is at the end, unless the end is an estimate")
    func position() {
        let far = TimeTarget.time(.seconds(90))
        #expect(far.position(within: .exact(.seconds(60))) == .seconds(60))
        #expect(far.position(within: .declared(.seconds(60))) == .seconds(60))
        #expect(far.position(within: .estimated(.seconds(60))) == .seconds(90))
        #expect(far.position(within: nil) == .seconds(90))
        #expect(TimeTarget.fraction(0.5).position(within: .estimated(.seconds(60))) == .seconds(30))
        #expect(TimeTarget.fraction(2).position(within: .exact(.seconds(60))) == .seconds(60))
        #expect(TimeTarget.fraction(0.5).position(within: .unknown) == nil)
        #expect(TimeTarget.fraction(0.5).isEstimated(within: .estimated(.seconds(60))))
        #expect(!TimeTarget.fraction(0.5).isEstimated(within: .declared(.seconds(60))))
        #expect(!TimeTarget.time(.seconds(5)).isEstimated(within: .estimated(.seconds(60))))
    }
}

@Suite("StallTracker")
struct StallTrackerTests {
    private let item = PlaybackItem(id: 0, title: "", podcast: nil, location: "")

    @Test("A wait is timed without the pauses of the listener and ends when sound plays")
    func waits() {
        var stalls = StallTracker()
        _ = stalls.tick(.start, isPaused: false, at: .seconds(1))
        _ = stalls.tick(.start, isPaused: false, at: .seconds(3))
        let wait = stalls.tick(.start, isPaused: true, at: .seconds(9))
        #expect(wait?.waited == .seconds(2) && stalls.shown?.waited == .seconds(2))
        stalls.endWait()
        #expect(stalls.shown == nil && stalls.count == 0)
        #expect(stalls.tick(nil, isPaused: false, at: .seconds(10)) == nil)
    }

    @Test("Each wait after a stall counts, until the next item begins; a cancelled one does not")
    func counts() {
        var stalls = StallTracker()
        for _ in 0..<2 {
            stalls.beginRebuffering(isPaused: false, at: .zero)
            stalls.endWait()
        }
        stalls.beginRebuffering(isPaused: false, at: .zero)
        stalls.cancelWait()
        #expect(stalls.count == 2)
        #expect(stalls.tick(.rebuffer, isPaused: false, at: .zero)?.stalls == 2)
        stalls.beginItem()
        #expect(stalls.count == 0)
    }

    @Test("A stall ends once and reports its item and duration")
    func duration() {
        var stalls = StallTracker()
        stalls.beginStall(of: item, at: .seconds(2))
        let stall = stalls.endStall(at: .seconds(5))
        #expect(stall?.item == item && stall?.lasted == .seconds(3))
        #expect(stalls.endStall(at: .seconds(6)) == nil)
    }

    @Test("No wait is estimated when nothing more arrives and no sound is ready")
    func estimate() {
        var stalls = StallTracker()
        _ = stalls.tick(.start, isPaused: false, at: .zero)
        let level = BufferLevel(buffered: .zero, isStalled: true)
        stalls.estimate(level, hasSound: true)
        #expect(stalls.shown?.expected == .zero)
        stalls.estimate(level, hasSound: false)
        #expect(stalls.shown != nil && stalls.shown?.expected == nil)
    }
}

@Suite("OutputSession")
struct OutputSessionTests {
    private let failure = MediaFailure(.unavailable, "gone")

    @Test("The volume stays within its range and ignores values that are not finite")
    func volume() {
        var output = OutputSession(volume: 1)
        output.setVolume(7)
        #expect(output.volume == 1.5)
        output.setVolume(-1)
        #expect(output.volume == 0)
        output.setVolume(.nan)
        #expect(output.volume == 0)
    }

    @Test("An outage ends with the attempt that succeeds; other attempts are ignored")
    func outage() {
        var output = OutputSession(volume: 1)
        #expect(output.outage.startAttempt(at: .seconds(100)) == nil)
        output.outage = OutputOutage(failure, at: .zero)
        #expect(output.outage.startAttempt(at: .zero) == nil)
        #expect(output.outage.startAttempt(at: .seconds(1)) == 1)
        #expect(output.outage.endAttempt(7, hasFailed: false, at: .seconds(2)) == nil)
        #expect(output.outage.endAttempt(1, hasFailed: true, at: .seconds(2)) == nil)
        #expect(output.outage != nil)
        #expect(output.outage.startAttempt(at: .seconds(4)) == 2)
        #expect(output.outage.endAttempt(2, hasFailed: false, at: .seconds(5))?.reason == failure)
        #expect(output.outage == nil)
    }
}

@Suite("PlayerMailbox")
struct PlayerMailboxTests {
    @Test("The status is up to date when it shows the effect of all commands")
    func upToDate() {
        let stage = LoopStage()
        let mailbox = stage.loop.mailbox
        #expect(mailbox.isUpToDate)
        mailbox.post(.sink(.starved))
        #expect(mailbox.isUpToDate)
        mailbox.post(.command(.pause))
        mailbox.post(.command(.setVolume(0.5)))
        #expect(!mailbox.isUpToDate && !mailbox.status.isPaused)
        stage.work()
        #expect(mailbox.isUpToDate && mailbox.status.isPaused && mailbox.status.volume == 0.5)
    }

    @Test("Nothing is accepted after a stop")
    func stopped() {
        let mailbox = PlayerMailbox(status: PlayerStatus())
        let accepted = [PlayerCommand.play, .stop, .pause, .stop].map { mailbox.post(.command($0)) }
        #expect(accepted == [true, true, false, false])
        #expect(mailbox.removeAll().count == 2)
    }

    @Test("A player refuses each command but another stop after a stop")
    func refused() {
        let stage = Stage()
        #expect(!stage.player.isStopping)
        let accepted = [PlayerCommand.play, .stop, .setVolume(0.5), .stop].map { stage.player.send($0) }
        #expect(accepted == [true, true, false, true])
        #expect(stage.player.isStopping)
    }
}

@Suite("PublishedStatus")
struct PublishedStatusTests {
    @Test("The status is published at each change of activity and at regular intervals")
    func updates() {
        var published = PublishedStatus()
        func update(_ activity: PlayerStatus.Activity, _ milliseconds: Int) -> PublishedStatus.Update {
            published.update(activity, at: .milliseconds(milliseconds), every: .milliseconds(250))
        }
        #expect(update(.idle, 0) == .regular)
        #expect(update(.idle, 249) == .notDue)
        #expect(update(.loading, 249) == .change)
        #expect(update(.loading, 250) == .notDue)
        #expect(update(.loading, 499) == .regular)
    }

    @Test("The activity depends on the phase, the intent and the output")
    func activities() {
        var machine = PlayerStateMachine()
        var shown: PlayerStatus.Activity { .init(machine, outage: nil, loss: nil) }
        #expect(shown == .idle)
        _ = machine.handle(.opened)
        #expect(shown == .loading)
        _ = machine.handle(.formatKnown)
        _ = machine.handle(.sought)
        #expect(shown == .seeking)
        _ = machine.handle(.paused)
        #expect(shown == .paused(waiting: true))
        _ = machine.handle(.leadReached)
        #expect(shown == .paused(waiting: false))
        _ = machine.handle(.played)
        _ = machine.handle(.starved)
        #expect(shown == .buffering)
        _ = machine.handle(.lost)
        let loss = MediaFailure(.unavailable, "offline")
        #expect(PlayerStatus.Activity(machine, outage: nil, loss: loss) == .connectionLost(reason: "offline"))
        #expect(PlayerStatus.Activity(machine, outage: loss, loss: nil) == .noDevice(reason: "offline"))
    }
}
