// SPDX-License-Identifier: GPL-3.0-or-later
import DesktopBus
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

    @Test("No player follows after the desktop has stopped playback")
    func stopped() {
        let succession = Succession(request: PlayRequest(), record: DeckRecord(), isPaused: false)
        #expect(succession.following(.desktop(.stop)) == nil)
    }
}
