// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@testable import Sessions
@testable import TerminalInterface

@Suite("OutputTimeout")
struct OutputPatienceTests {
    private let tenMinutes = Duration.seconds(600)

    @Test("An unattended session ends after ten minutes without an output and reports the position")
    func alone() {
        var patience = OutputTimeout(isAttended: false)
        #expect(patience.failure(Statuses.playing, at: .seconds(5000)) == nil)
        patience.interrupted(at: .seconds(7))
        #expect(patience.isWaiting)
        #expect(patience.failure(Statuses.playing, at: .seconds(7) + tenMinutes) == nil)
        let failure = patience.failure(Statuses.playing, at: .seconds(8) + tenMinutes)
        #expect(failure == MediaFailure(.unavailable, "unavailable for ten minutes; stopped at 19:35"))
        #expect(failure.map { ExitStatus($0.kind) } == .unavailable)
        #expect(patience.failure(.seconds(1175), at: .seconds(8) + tenMinutes) == failure)
        #expect(patience.failure(.seconds(1175), at: .seconds(7) + tenMinutes) == nil)
    }

    @Test("A restored output restarts the timeout")
    func restored() {
        var patience = OutputTimeout(isAttended: false)
        patience.interrupted(at: .zero)
        patience.restored()
        #expect(!patience.isWaiting && patience.failure(Statuses.playing, at: .seconds(9999)) == nil)
        patience.interrupted(at: .seconds(9999))
        #expect(patience.failure(Statuses.playing, at: .seconds(9999) + tenMinutes) == nil)
    }

    @Test("A pause restarts the timeout of an output that is unavailable, and starts none")
    func postponed() {
        var patience = OutputTimeout(isAttended: false)
        var status = Statuses.playing
        (status.activity, status.isPaused) = (.noDevice(reason: "unplugged"), true)
        patience.postpone(status, at: .zero)
        #expect(!patience.isWaiting)
        patience.interrupted(at: .zero)
        patience.postpone(status, at: .seconds(9999))
        status.isPaused = false
        patience.postpone(status, at: .seconds(10_000))
        #expect(patience.failure(Statuses.playing, at: .seconds(9999) + tenMinutes) == nil)
        let failure = patience.failure(Statuses.playing, at: .seconds(10_000) + tenMinutes)
        #expect(failure == MediaFailure(.unavailable, "unavailable for ten minutes; stopped at 19:35"))
    }

    @Test("An attended session has no timeout")
    func attended() {
        var patience = OutputTimeout(isAttended: true)
        patience.interrupted(at: .zero)
        #expect(patience.failure(Statuses.playing, at: .seconds(100_000)) == nil)
    }
}
