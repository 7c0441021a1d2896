// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import TerminalInterface

@Suite("OutputPatience")
struct OutputPatienceTests {
    private let tenMinutes = Duration.seconds(600)

    @Test("where nobody is there, ten minutes without an output are enough; the sentence says where it was")
    func alone() {
        var patience = OutputPatience(isAttended: false)
        #expect(patience.failure(Statuses.playing, at: .seconds(5000)) == nil)
        patience.interrupted(at: .seconds(7))
        #expect(patience.isWaiting)
        #expect(patience.failure(Statuses.playing, at: .seconds(7) + tenMinutes) == nil)
        let failure = patience.failure(Statuses.playing, at: .seconds(8) + tenMinutes)
        #expect(failure == MediaFailure(.unavailable, "none for ten minutes; given up at 19:35"))
        #expect(failure.map { ExitStatus($0.kind) } == .unavailable)
        #expect(patience.failure(.seconds(1175), at: .seconds(8) + tenMinutes) == failure)
        #expect(patience.failure(.seconds(1175), at: .seconds(7) + tenMinutes) == nil)
    }

    @Test("an output that comes back begins anew")
    func restored() {
        var patience = OutputPatience(isAttended: false)
        patience.interrupted(at: .zero)
        patience.restored()
        #expect(!patience.isWaiting && patience.failure(Statuses.playing, at: .seconds(9999)) == nil)
        patience.interrupted(at: .seconds(9999))
        #expect(patience.failure(Statuses.playing, at: .seconds(9999) + tenMinutes) == nil)
    }

    @Test("who can end it by a key or a command is left to do so")
    func attended() {
        var patience = OutputPatience(isAttended: true)
        patience.interrupted(at: .zero)
        #expect(patience.failure(Statuses.playing, at: .seconds(100_000)) == nil)
    }
}
