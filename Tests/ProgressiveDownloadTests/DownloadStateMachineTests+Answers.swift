// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

/// Successful answers without the file.
extension DownloadStateMachineTests {
    @Test(
        "A successful answer without the file, after a part of it was stored, is retried, and the part stays",
        arguments: [
            (200, ["content-length": "0"]), (200, ["content-length": "0", "etag": "\"1\""]), (202, [:]), (204, [:]),
            (200, ["content-length": "300000", "content-encoding": "gzip", "etag": "\"1\""]),
            (206, ["content-range": "bytes 94997-299999/300000", "content-encoding": "gzip"]),
        ] as [(Int, HeaderFields)])
    func withoutFile(status: Int, fields: HeaderFields) {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        _ = dialogue.start(held)
        let actions = dialogue.head(status, fields)
        #expect(actions == [.cancelTransfer, .save(held), .scheduleRetry(2, after: .milliseconds(500))])
    }

    @Test("An answer without the file in place of a requested version is retried", arguments: [200, 204])
    func emptyVersion(status: Int) {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        _ = dialogue.start(held)
        for _ in 0...Machine.mostChanges {
            _ = dialogue.head(206, ["content-range": "bytes 94997-399999/400000", "etag": "\"2\""])
            let actions = dialogue.head(status, ["content-length": "0"])
            #expect(actions.prefix(2) == [.cancelTransfer, .save(held)])
            _ = dialogue.deadline()
        }
    }

    @Test("An answer without the file fails if nothing is stored", arguments: [200, 204])
    func emptyAtStart(status: Int) {
        var dialogue = Dialogue()
        _ = dialogue.start()
        let actions = dialogue.head(status, ["content-length": "0"])
        #expect(actions == [.cancelTransfer, .discard])
    }
}
