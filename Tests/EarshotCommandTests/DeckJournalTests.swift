// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@testable import Sessions

@Suite("The journal of what a service plays")
struct DeckJournalTests {
    @Test("A reason why records cannot be written is reported once until one is written")
    func reportsOnce() async throws {
        let scratch = ScratchDirectory()
        let log = CapturedLog()
        let path = scratch.path("state")
        let journal = DeckJournal(log.logger(), StateFile("deck", in: path))
        func write(_ volume: Double) async {
            journal.write(DeckRecord(volume: volume))
            await journal.finish()
        }
        _ = try scratch.write([], to: "state")
        for volume in [0.1, 0.2, 0.3] { await write(volume) }
        #expect(log.lines.count == 1)
        unlink(path)
        await write(0.4)
        #expect(log.lines.count == 1 && journal.read().volume == 0.4)
        _ = ScratchDirectory.names(in: path).map { unlink("\(path)/\($0)") }
        rmdir(path)
        _ = try scratch.write([], to: "state")
        await write(0.5)
        #expect(log.lines.count == 2)
    }
}
