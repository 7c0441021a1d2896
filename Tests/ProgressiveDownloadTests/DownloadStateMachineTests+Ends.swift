// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

/// The end of a download and the files that remain.
extension DownloadStateMachineTests {
    @Test("A file with every byte stored requires no request")
    func alreadyWhole() {
        var dialogue = Dialogue()
        #expect(dialogue.start(Self.held(300, of: 300)) == [.finish])
    }

    @Test("Events of a cancelled transfer change nothing")
    func stale() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100_000, of: 300_000))
        _ = dialogue.end(Self.cut)
        let before = dialogue.machine.state
        let late = Machine.Event.bodyReceived(1, count: 10, foreign: nil, at: .zero, jitter: 0)
        #expect(dialogue.machine.handle(late) == [])
        #expect(dialogue.machine.handle(.transferEnded(1, .complete, at: .zero, jitter: 0)) == [])
        #expect(dialogue.machine.state == before)
    }

    @Test("A failed write ends the download and keeps the stored bytes")
    func fullDisk() {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        _ = dialogue.start(held)
        let full = MediaFailure(.inputOutput, "the disk is full")
        #expect(dialogue.machine.handle(.storageFailed(full)) == [.cancelTransfer, .save(held)])
        #expect(dialogue.machine.condition == .failed(full))
    }

    @Test("A connection that breaks again and again after one block of the overlap is retried")
    func brokenInOverlap() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100_000, of: 300_000))
        for number in 1...3 {
            _ = dialogue.head(206, ["content-range": "bytes 94997-299999/300000", "etag": "\"1\""])
            _ = dialogue.body(4096)
            _ = dialogue.end(Self.cut)
            let ask = Machine.RangeRequest.rest(from: 94_997, to: nil)
            let actions = dialogue.deadline()
            #expect(actions == [.startTransfer(2 * number + 1, ask, ifRange: Self.tag)])
        }
    }

    @Test("A server that ends at the same byte each time is retried for more than two minutes, with that as the reason")
    func sameEnd() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100_000, of: 300_000))
        var waits: [Machine.Wait] = []
        for _ in 0..<20 {
            _ = dialogue.head(206, ["content-range": "bytes 94997-299999/300000", "etag": "\"1\""])
            _ = dialogue.body(5003)
            _ = dialogue.end(.failed(.closedEarly(received: 5003)))
            guard case .backingOff(_, let wait) = dialogue.machine.state else { break }
            waits.append(wait)
            dialogue.now = wait.until
            _ = dialogue.deadline()
        }
        let reason = "the server sends only 100000 of 300000 bytes"
        #expect(waits.map(\.triesLeft) == [9, 8, 7, 6, 5, 4, 3, 2, 1])
        #expect(waits.allSatisfy { $0.reason == reason } && dialogue.now == .milliseconds(150_500))
        #expect(dialogue.machine.condition == .failed(MediaFailure(.unavailable, reason)))
    }

    @Test(
        "A server without ranges that ends at the same byte is asked twice; a reset or a timeout is not such an end",
        arguments: [
            (.closedEarly(received: 100_000), [1], "the server sends only 100000 of 300000 bytes"),
            (.timedOut(.receiving), [9, 8, 7, 6, 5, 4, 3, 2, 1], "the server stopped sending"),
            (
                .connectionLost(received: 100_000, reason: "reset"), [9, 8, 7, 6, 5, 4, 3, 2, 1],
                "the connection was interrupted after 100000 bytes: reset"
            ),
        ] as [(TransferError, [Int], String)])
    func sameEndWithoutRanges(error: TransferError, triesLeft: [Int], reason: String) {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100_000, of: 300_000))
        var waits: [Machine.Wait] = []
        for _ in 0..<20 {
            _ = dialogue.head(200, ["content-length": "300000", "etag": "\"1\""])
            _ = dialogue.body(100_000)
            _ = dialogue.end(.failed(error))
            guard case .backingOff(_, let wait) = dialogue.machine.state else { break }
            waits.append(wait)
            dialogue.now = wait.until
            _ = dialogue.deadline()
        }
        #expect(waits.map(\.triesLeft) == triesLeft)
        #expect(dialogue.machine.condition == .failed(MediaFailure(.unavailable, reason)))
    }

    @Test("An answer that asks to come back has all tries, also after a body that ended at the same byte")
    func triesAfterSameEnd() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100_000, of: 300_000))
        _ = dialogue.head(200, ["content-length": "300000", "etag": "\"1\""])
        _ = dialogue.body(100_000)
        _ = dialogue.end(.failed(.closedEarly(received: 100_000)))
        #expect(dialogue.machine.triesLeft == 1)
        _ = dialogue.deadline()
        _ = dialogue.head(503, [:])
        #expect(dialogue.machine.triesLeft == 8)
    }

    @Test("The manifest is saved every 4 MiB or two seconds")
    func saves() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "100000000"])
        #expect(dialogue.body(1000).count == 2)
        #expect(dialogue.body(1000).count == 1)
        dialogue.now = .seconds(2)
        #expect(dialogue.body(1000).last == .save(dialogue.machine.stored))
        #expect(dialogue.body(4 << 20).last == .save(dialogue.machine.stored))
        #expect(dialogue.body(1000).count == 1)
    }

    @Test("Stopping saves the stored bytes, and starting again resumes")
    func stopAndStart() {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        _ = dialogue.start(held)
        #expect(dialogue.machine.handle(.stopped) == [.cancelTransfer, .save(held)])
        #expect(dialogue.machine.handle(.stopped) == [])
        #expect(dialogue.start(held).count == 1)
        #expect(dialogue.start(held) == [])
    }

    @Test("Damage that is found after an unverified end is a failure, so that no reader waits for these bytes")
    func damageAfterTheEnd() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, [:])
        _ = dialogue.body(300)
        _ = dialogue.end(.complete)
        #expect(dialogue.machine.handle(.bytesLost([100..<200])) == [])
        #expect(dialogue.machine.condition == .failed(Machine.damaged))
        #expect(dialogue.machine.stored.extents.ranges == [0..<100, 200..<300])
        #expect(dialogue.machine.stored.entity.total == nil)
    }

    @Test("A retry after a disk error verifies an unverified end")
    func diskErrorAfterTheEnd() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, [:])
        _ = dialogue.body(100_000)
        _ = dialogue.end(.complete)
        let failure = MediaFailure(.inputOutput, "the disk reported an error")
        _ = dialogue.machine.handle(.storageFailed(failure))
        let (condition, stored) = (dialogue.machine.condition, dialogue.machine.stored)
        let request = dialogue.start(stored)
        #expect(condition == .failed(failure))
        #expect(request == [.startTransfer(2, .rest(from: 94_997, to: nil), ifRange: nil)])
    }
}

extension DownloadStateMachine {
    /// The number of attempts that the current wait shows; `nil` without a wait.
    var triesLeft: Int? { if case .backingOff(_, let wait) = state { wait.triesLeft } else { nil } }
}
