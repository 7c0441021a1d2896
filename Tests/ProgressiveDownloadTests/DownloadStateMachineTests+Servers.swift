// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

/// Servers with ways of their own.
extension DownloadStateMachineTests {
    @Test("a body whose end the protocol marks is whole without a length")
    func markedEnd() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        let head = ResponseHead(status: 200, fields: ["etag": "\"1\""], finalURL: "http://a/b", marksEnd: true)
        _ = dialogue.machine.handle(.headReceived(1, head, at: .zero, jitter: 0))
        _ = dialogue.body(300)
        #expect(dialogue.end(.complete) == [.finish])
        #expect(dialogue.machine.state == .complete(Self.held(300, of: 300)))
    }

    @Test("a marked end before the length that the feed claims is the end all the same")
    func markedEndBeforeClaim() {
        var dialogue = Dialogue()
        dialogue.machine = Machine(claimedLength: 1000)
        _ = dialogue.start()
        let head = ResponseHead(status: 200, fields: ["etag": "\"1\""], finalURL: "http://a/b", marksEnd: true)
        _ = dialogue.machine.handle(.headReceived(1, head, at: .zero, jitter: 0))
        _ = dialogue.body(300)
        #expect(dialogue.end(.complete) == [.finish])
    }

    @Test("each try waits longer for the first byte than the one before")
    func patience() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        #expect(dialogue.machine.patience == 1)
        for patience in [3, 6] {
            _ = dialogue.end(.failed(.timedOut(.waiting)))
            guard case .startTransfer = dialogue.deadline().first else {
                Issue.record("it did not try again")
                return
            }
            #expect(dialogue.machine.patience == patience)
        }
    }

    @Test("a connection that breaks takes no patience")
    func brokenConnection() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.end(Self.cut)
        _ = dialogue.deadline()
        #expect(dialogue.machine.patience == 1)
    }
}

/// Mirrors with a validator each.
extension DownloadStateMachineTests {
    /// 100 of 300 bytes are held of the version "1", and the server answers the next request.
    private static func resumed(_ status: Int, _ fields: HeaderFields) -> Dialogue {
        var dialogue = Dialogue()
        _ = dialogue.start(held(100, of: 300))
        _ = dialogue.head(status, fields)
        return dialogue
    }

    @Test("a 200 with another validator and the same length is compared with what is held, which stays")
    func mirror() {
        var dialogue = Self.resumed(200, ["content-length": "300", "etag": "\"2\""])
        #expect(dialogue.body(100) == [.store(at: 0, count: 100, excess: 0)])
        _ = dialogue.end(Self.cut)
        #expect(dialogue.machine.holding.extents.count == 100)
        let ask = Machine.Ask.rest(from: 0, to: nil)
        #expect(dialogue.deadline() == [.startTransfer(3, ask, ifRange: nil)], "no validator is sent any more")
        _ = dialogue.head(206, ["content-range": "bytes 0-299/300", "etag": "\"3\""])
        #expect(dialogue.body(300) == [.store(at: 0, count: 300, excess: 0), .finish])
    }

    @Test("bytes behind those that are held make it the other version")
    func adopted() {
        var dialogue = Self.resumed(200, ["content-length": "300", "etag": "\"2\""])
        _ = dialogue.body(200)
        #expect(dialogue.machine.holding.entity.validator == .strongETag("\"2\""))
        #expect(dialogue.machine.holding.extents.ranges == [0..<200])
    }

    @Test("bytes that differ begin the new version, without another request", arguments: [0, 50])
    func differs(equal: Int) {
        var dialogue = Self.resumed(200, ["content-length": "300", "etag": "\"2\""])
        if equal > 0 { _ = dialogue.body(equal) }
        _ = dialogue.machine.handle(
            .bodyReceived(dialogue.machine.generation, count: 50, foreign: nil, at: .zero, jitter: 0))
        let version = Holding(entity: KnownEntity(validator: .strongETag("\"2\""), total: 300), finalURL: "http://a/b")
        let actions = dialogue.machine.handle(.bytesDiffered(dialogue.machine.generation))
        let start = Int64(equal)
        #expect(actions == [
            equal > 0 ? .replaceFileAfter(start) : .replaceFile, .recordVersion(version),
            .store(at: start, count: 50, excess: 0),
        ])
        #expect(dialogue.machine.holding.extents.count == start)
        #expect(dialogue.machine.holding.entity == version.entity)
    }

    @Test("a part with another validator is asked for once more, and then all of it is compared")
    func part() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100, of: 300))
        let fields: HeaderFields = ["content-range": "bytes 0-299/300", "etag": "\"2\""]
        let again = Machine.Action.startTransfer(2, .rest(from: 0, to: nil), ifRange: Self.tag)
        #expect(dialogue.head(206, fields) == [.cancelTransfer, again])
        #expect(dialogue.head(206, fields) == [.cancelTransfer, .startTransfer(3, .whole, ifRange: nil)])
        #expect(dialogue.head(200, ["content-length": "300", "etag": "\"2\""]) == [])
        #expect(dialogue.body(300) == [.store(at: 0, count: 300, excess: 0), .finish])
    }
}
