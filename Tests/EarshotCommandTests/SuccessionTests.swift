// SPDX-License-Identifier: GPL-3.0-or-later
import DesktopBus
import EpisodeSources
import Media
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
        let succession = Succession(request: PlayRequest(), record: DeckRecord(), isPaused: false)
        #expect(succession.following(event)?.isPaused == isPaused)
    }

    @Test("The desktop resumes a paused player, and sleep leaves it paused")
    func resumed() {
        let succession = Succession(request: PlayRequest(), record: DeckRecord(), isPaused: true)
        let paused = [SessionEvent.desktop(.play), .desktop(.toggle), .power(.sleeps), .power(.wakes)].map {
            succession.following($0)?.isPaused
        }
        #expect(paused == [false, false, true, true])
    }

    @Test("An item that the player got just before it stopped follows on the next one, unless another item plays")
    func completed() {
        var request = PlayRequest()
        request.targets = ["7", "8"]
        let succession = Succession(request: request, record: DeckRecord(), isPaused: false)
        var last = DeckRecord()
        (last.targets, last.ends, last.nextList) = (["7", "8", "9"], [2: .fraction(0.5)], .queue)
        last.passed = [6]
        let next = succession.completed(by: last).request
        #expect(next.passed == [6])
        #expect(next.targets == ["7", "8", "9"] && next.ends == [2: .fraction(0.5)] && next.nextList == .queue)
        last.targets = ["8", "9"]
        #expect(succession.completed(by: last).request.targets == ["7", "8"])
        #expect(succession.completed(by: nil).request.targets == ["7", "8"])
    }

    @Test("The targets that are not resolved yet keep their scope and choice, and such a record is not written")
    func unresolved() {
        var record = DeckRecord()
        (record.targets, record.scope, record.episode, record.resolved) = (["7", "b"], .podcasts, .latest, [0])
        let first = Succession(request: record.request, record: record, isPaused: false)
        for request in [record.request, first.completed(by: record).request] {
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
        let succession = Succession(request: PlayRequest(), record: DeckRecord(), isPaused: false)
        #expect(succession.following(.desktop(.stop)) == nil)
    }
}
