// SPDX-License-Identifier: GPL-3.0-or-later
import DesktopBus
import EpisodeSources
import Media
import Playback
import TerminalInterface
import Testing

@testable import Sessions

@Suite("The change of the output of a service")
struct SuccessionTests {
    @Test(
        "The desktop and the sleep of the machine decide whether the next player is paused",
        arguments: [
            (.desktop(.pause), true), (.desktop(.toggle), true), (.power(.sleeps), true), (.desktop(.play), false),
            (.power(.wakes), false), (.statusChanged, false),
        ] as [(SessionEvent, Bool)])
    func paused(event: SessionEvent, isPaused: Bool) {
        let succession = Succession(request: PlayRequest())
        #expect(succession.following(event)?.pause.applied(to: false) == isPaused)
    }

    @Test("The desktop resumes a paused player, and sleep leaves it paused")
    func resumed() {
        let succession = Succession(request: PlayRequest())
        let paused = [SessionEvent.desktop(.play), .desktop(.toggle), .power(.sleeps), .power(.wakes)].map {
            succession.following($0)?.pause.applied(to: true)
        }
        #expect(paused == [false, false, true, true])
    }

    @Test("A request to toggle counts from the state in which the player stopped", arguments: [true, false])
    func toggled(isPaused: Bool) {
        let succession = Succession(request: PlayRequest())
        let once = succession.following(.desktop(.toggle))
        let twice = once?.following(.desktop(.toggle))
        #expect(once?.pause.applied(to: isPaused) == !isPaused)
        #expect(twice?.pause.applied(to: isPaused) == isPaused)
    }

    @Test("The next player continues with what the player had when it stopped, after commands that it executed last")
    func completed() {
        var request = PlayRequest()
        request.targets = ["/7", "/8"]
        let succession = Succession(request: request)
        var last = DeckRecord()
        (last.targets, last.ends, last.nextList) = (["/8", "/9"], [1: .fraction(0.5)], .queue)
        (last.passed, last.position) = ([6], .seconds(5))
        let next = succession.completed(by: last, PlayerStatus(position: .seconds(5)))
        #expect(next?.request.passed == [6])
        #expect(next?.request.targets == ["/8", "/9"] && next?.request.ends == [1: .fraction(0.5)])
        #expect(next?.request.nextList == .queue && next?.request.from == .time(TimeTarget(.seconds(5), from: nil)))
        let unchanged = succession.completed(by: nil, PlayerStatus())
        #expect(unchanged?.request.targets == ["/7", "/8"])
    }

    @Test(
        "The next player, which repeats a seek, begins at the place before it until the end is known",
        arguments: [
            (.unknown, 600), (.estimated(.seconds(6000)), 600), (.declared(.seconds(6000)), 5400),
            (.exact(.seconds(6000)), 5400),
        ] as [(MediaDuration, Int)])
    func seeking(duration: MediaDuration, start: Int) {
        var status = PlayerStatus(position: .seconds(5400), isSeeking: true, duration: duration)
        status.seekOrigin = .time(.seconds(600))
        for target in ["/7", "7"] {
            var last = DeckRecord()
            last.targets = [target]
            last.setPosition(status)
            let next = Succession(request: PlayRequest()).completed(by: last, status)?.request
            let starts = [next?.from?.time, next?.lastPosition].compactMap { $0 }
            #expect(starts == [.time(.seconds(start))], "\(target)")
        }
    }

    @Test("No player follows one that has played everything, or whose last item left the playlist")
    func over() {
        var request = PlayRequest()
        request.targets = ["7"]
        let succession = Succession(request: request)
        var last = DeckRecord()
        #expect(succession.completed(by: last, PlayerStatus()) == nil)
        last.nextList = .queue
        #expect(succession.completed(by: last, PlayerStatus()) == nil)
        #expect(succession.completed(by: nil, PlayerStatus(activity: .ended)) == nil)
    }

    @Test("The targets that are not resolved yet keep their scope and choice, and such a record is not written")
    func unresolved() {
        var record = DeckRecord()
        (record.targets, record.scope, record.episode, record.resolved) = (["7", "b"], .podcasts, .latest, [0])
        let first = Succession(request: record.request)
        let next = first.completed(by: record, PlayerStatus(position: .zero))
        for request in [record.request, next?.request ?? PlayRequest()] {
            #expect([0, 1].map { request.scope(ofTarget: $0) } == [.everything, .podcasts])
            #expect([0, 1].map { request.episode(ofTarget: $0) } == [nil, .latest])
        }
        #expect(!record.isWritable && DeckRecord().isWritable)
    }

    @Test(
        "Playback returns to the output before a change, unless the lost output is the same or was returned to already",
        arguments: [
            (.pulse(sink: "new"), .pulse(sink: "new"), true), (.pulse(sink: nil), .pulse(sink: nil), false),
            (.pulse(sink: nil), nil, false), (.pulse(sink: "other"), nil, false),
        ] as [(OutputOption, OutputOption?, Bool)])
    func former(lost: OutputOption, chosen: OutputOption?, isReplaced: Bool) {
        let former = FormerOutput(chosen: nil, silent: nil, played: .pulse(sink: nil))
        #expect(former.canReplace(lost, chosen: chosen) == isReplaced)
    }

    @Test("No player follows after the desktop has stopped playback")
    func stopped() {
        let succession = Succession(request: PlayRequest())
        #expect(succession.following(.desktop(.stop)) == nil)
    }
}
