// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("DownloadStateMachine")
struct DownloadStateMachineTests {
    typealias Machine = DownloadStateMachine
    static let tag = EntityValidator.strongETag("\"1\"")

    /// A state machine and its clock, which stands still unless a test sets it.
    struct Dialogue {
        var machine = Machine()
        var now = Duration.zero

        mutating func start(_ stored: StoredContent = StoredContent()) -> [Machine.Action] {
            machine.handle(.started(stored))
        }

        mutating func head(_ status: Int, _ fields: HeaderFields) -> [Machine.Action] {
            let head = ResponseHead(status: status, fields: fields, finalURL: "http://a/b")
            return machine.handle(.headReceived(machine.generation, head, at: now, jitter: 0))
        }

        /// Receives `count` bytes and stores them.
        mutating func body(_ count: Int) -> [Machine.Action] {
            let generation = machine.generation
            let event = Machine.Event.bodyReceived(generation, count: count, foreign: nil, at: now, jitter: 0)
            let actions = machine.handle(event)
            guard case .store(_, let stored, let excess) = actions.last else { return actions }
            return actions
                + machine.handle(.bytesStored(generation, count: stored, excess: excess, at: now))
        }

        mutating func end(_ outcome: TransferOutcome) -> [Machine.Action] {
            machine.handle(.transferEnded(machine.generation, outcome, at: now, jitter: 0))
        }

        mutating func deadline() -> [Machine.Action] { machine.handle(.retryDeadlinePassed(machine.generation)) }
    }

    static let cut = TransferOutcome.failed(.connectionLost(received: 0, reason: "cut"))

    static func held(_ count: Int64, of total: Int64?) -> StoredContent {
        StoredContent(
            entity: Representation(validator: tag, total: total), finalURL: "http://a/b",
            extents: ByteRangeSet([0..<count]))
    }

    @Test("A complete 200 is stored from byte 0 and finished with its last byte")
    func whole() {
        var dialogue = Dialogue()
        #expect(dialogue.start() == [.startTransfer(1, .whole, ifRange: nil)])
        #expect(dialogue.head(200, ["content-length": "300", "etag": "\"1\""]) == [])
        let version = StoredContent(entity: Representation(validator: Self.tag, total: 300), finalURL: "http://a/b")
        #expect(dialogue.body(100) == [.recordVersion(version), .store(at: 0, count: 100, excess: 0)])
        #expect(dialogue.body(200) == [.store(at: 100, count: 200, excess: 0), .finish])
        #expect(dialogue.machine.state == .complete(Self.held(300, of: 300)))
        #expect(dialogue.end(.complete) == [])
    }

    @Test("No version is recorded before the first byte")
    func headAlone() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        #expect(dialogue.head(200, ["content-length": "300"]) == [])
        #expect(dialogue.machine.handle(.stopped) == [.cancelTransfer, .discard])
    }

    @Test("An interrupted transfer resumes at the first gap, with an overlap and If-Range")
    func resume() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "300000", "etag": "\"1\""])
        _ = dialogue.body(100_000)
        let held = Self.held(100_000, of: 300_000)
        #expect(dialogue.end(Self.cut) == [.cancelTransfer, .save(held), .scheduleRetry(2, after: .milliseconds(500))])
        #expect(dialogue.deadline() == [.startTransfer(3, .rest(from: 94_997, to: nil), ifRange: Self.tag)])
        let fields: HeaderFields = [
            "content-range": "bytes 94997-299999/300000", "content-length": "205003", "etag": "\"1\"",
        ]
        #expect(dialogue.head(206, fields) == [])
        #expect(dialogue.body(205_003) == [.store(at: 94_997, count: 205_003, excess: 0), .finish])
    }

    @Test("With several extents only the first gap is requested, with an overlap on both sides")
    func islands() {
        var dialogue = Dialogue()
        let extents = ByteRangeSet([0..<10_000, 50_000..<60_000])
        let stored = StoredContent(entity: Representation(validator: Self.tag, total: 100_000), extents: extents)
        let ask = Machine.RangeRequest.rest(from: 4997, to: 55_003)
        #expect(dialogue.start(stored) == [.startTransfer(1, ask, ifRange: Self.tag)])
        _ = dialogue.head(206, ["content-range": "bytes 4997-55002/100000", "etag": "\"1\""])
        _ = dialogue.body(50_006)
        #expect(dialogue.machine.stored.extents.ranges == [0..<60_000])
        let next = Machine.RangeRequest.rest(from: 54_997, to: nil)
        #expect(dialogue.end(.complete) == [.startTransfer(2, next, ifRange: Self.tag)])
    }

    @Test("A 206 from another offset is not stored; the whole file is requested instead")
    func wrongRange() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100_000, of: 300_000))
        let fields: HeaderFields = ["content-range": "bytes 0-299999/300000", "etag": "\"1\""]
        #expect(dialogue.head(206, fields) == [.cancelTransfer, .startTransfer(2, .whole, ifRange: nil)])
    }

    @Test("A 200 to a range request with the same validator is compared from byte 0")
    func rangeIgnored() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100, of: 300))
        _ = dialogue.head(200, ["content-length": "300", "etag": "\"1\""])
        #expect(dialogue.body(300) == [.store(at: 0, count: 300, excess: 0), .finish])
    }

    @Test("A 200 with another validator and length replaces the file when its first byte arrives")
    func changed() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100, of: 300))
        #expect(dialogue.head(200, ["content-length": "400", "etag": "\"2\""]) == [])
        let entity = Representation(validator: .strongETag("\"2\""), total: 400)
        let version = StoredContent(entity: entity, finalURL: "http://a/b")
        #expect(
            dialogue.body(50) == [.replaceFile, .recordVersion(version), .store(at: 0, count: 50, excess: 0)])
    }

    @Test("Bytes that differ from the stored ones start a new version; a server that always differs fails")
    func differing() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100, of: nil))
        for number in 1...Machine.mostChanges {
            _ = dialogue.head(206, ["content-range": "bytes 0-299/300"])
            _ = dialogue.head(200, [:])
            let generation = dialogue.machine.generation
            let actions = dialogue.machine.handle(.bytesDiffered(generation))
            #expect(actions == [.cancelTransfer, .startTransfer(number + 1, .newVersion, ifRange: nil)])
        }
        _ = dialogue.head(200, [:])
        _ = dialogue.machine.handle(.bytesDiffered(dialogue.machine.generation))
        #expect(dialogue.machine.condition == .failed(Machine.restless))
    }

    @Test("A web page as the first response fails and keeps no bytes")
    func page() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "300"])
        let page = MediaFailure(.badData, "the server sent a web page, not audio")
        let event = Machine.Event.bodyReceived(1, count: 300, foreign: page, at: .zero, jitter: 0)
        #expect(dialogue.machine.handle(event) == [.cancelTransfer, .discard])
        #expect(dialogue.machine.condition == .failed(page))
    }

    @Test("A web page after earlier audio counts as a sign-in page: the stored bytes stay and the request is retried")
    func portal() {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        _ = dialogue.start(held)
        let actions = dialogue.head(200, ["content-length": "300", "content-type": "text/html"])
        #expect(actions == [.cancelTransfer, .save(held), .scheduleRetry(2, after: .milliseconds(500))])
    }

    @Test("A web page that is declared as audio does not count as another version")
    func pageAsAudio() {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        let page = MediaFailure(.badData, "the server sent a web page, not audio")
        _ = dialogue.start(held)
        for _ in 0...Machine.mostChanges {
            _ = dialogue.head(200, ["content-length": "300", "content-type": "audio/mp4"])
            let generation = dialogue.machine.generation
            let event = Machine.Event.bodyReceived(generation, count: 300, foreign: page, at: .zero, jitter: 0)
            let actions = dialogue.machine.handle(event)
            #expect(actions.prefix(2) == [.cancelTransfer, .save(held)])
            _ = dialogue.deadline()
        }
    }

    @Test("A status that a retry cannot change fails immediately", arguments: [400, 401, 403, 404, 410, 451])
    func hopeless(status: Int) {
        var dialogue = Dialogue()
        _ = dialogue.start()
        #expect(dialogue.head(status, [:]) == [.cancelTransfer, .discard])
        #expect(dialogue.machine.canStart)
    }

    @Test("A 503 is retried after its Retry-After")
    func retryAfter() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100, of: 300))
        #expect(dialogue.head(503, ["retry-after": "7"]).last == .scheduleRetry(2, after: .seconds(7)))
    }

    @Test(
        "The failure states a Retry-After that is too long to wait for",
        arguments: [
            ("3600", "an hour or more"), ("7200", "an hour or more"), ("599", "10 minutes"), ("60", "1 minute"),
        ])
    func longRetryAfter(seconds: String, words: String) {
        var dialogue = Dialogue()
        _ = dialogue.start()
        #expect(dialogue.head(429, ["retry-after": seconds]) == [.cancelTransfer, .discard])
        let reason = "the server answered 429 Too Many Requests; try again after \(words)"
        #expect(dialogue.machine.condition == .failed(MediaFailure(.temporary, reason)))
    }

    @Test("A wait before the first byte keeps the empty file for the next attempt")
    func waitBeforeFirstByte() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        #expect(dialogue.head(503, [:]) == [.cancelTransfer, .scheduleRetry(2, after: .milliseconds(300))])
    }

    @Test("A response shorter than its length is resumed")
    func short() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "300000"])
        _ = dialogue.body(299_999)
        #expect(dialogue.end(.complete) == [.startTransfer(2, .rest(from: 294_996, to: nil), ifRange: nil)])
    }

    @Test("A response that brings only a few bytes is retried after a wait")
    func stingy() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "300000"])
        _ = dialogue.body(10)
        #expect(dialogue.end(.complete).last == .scheduleRetry(2, after: .milliseconds(500)))
    }

    @Test("An empty body fails", arguments: [["content-length": "0"], [:]] as [HeaderFields])
    func empty(fields: HeaderFields) {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, fields)
        _ = dialogue.end(.complete)
        #expect(dialogue.machine.condition == .failed(Machine.empty))
    }

    @Test("Without a length a closed connection is an unverified end; the end of a chunked body is certain")
    func unknownLength() {
        var (closed, chunked) = (Dialogue(), Dialogue())
        _ = (closed.start(), chunked.start())
        _ = (closed.head(200, [:]), chunked.head(200, ["transfer-encoding": "chunked"]))
        _ = (closed.body(300), chunked.body(300))
        _ = closed.end(.complete)
        #expect(
            closed.machine.state
                == .unverified(
                    StoredContent(
                        entity: Representation(total: 300), finalURL: "http://a/b", extents: ByteRangeSet([0..<300]))))
        #expect(chunked.end(.complete) == [.finish])
    }

    @Test("Bytes after the declared length are cut off")
    func excess() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100, of: 300))
        _ = dialogue.head(206, ["content-range": "bytes 0-299/300", "etag": "\"1\""])
        #expect(dialogue.body(1000) == [.store(at: 0, count: 300, excess: 700), .cancelTransfer, .finish])
    }

    @Test("A length that no audio file has is refused before a byte is stored")
    func impossibleLength() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "9000000000"])
        #expect(dialogue.machine.condition == .failed(Machine.tooLong))
    }

    @Test(
        "A body without a length is stored up to 2 GiB, or four times the length that the feed declares",
        arguments: [(nil, 2 << 30), (1000, 2 << 30), (1 << 30, 4 << 30)] as [(Int64?, Int64)])
    func endless(claimed: Int64?, limit: Int64) {
        var dialogue = Dialogue(machine: Machine(claimedLength: claimed))
        _ = dialogue.start()
        _ = dialogue.head(200, [:])
        #expect(dialogue.body(Int(limit)).contains(.store(at: 0, count: Int(limit), excess: 0)))
        _ = dialogue.body(1)
        #expect(dialogue.machine.condition == .failed(Machine.tooLong))
    }

    @Test("A 416 with the stored length completes the download; any other requests the whole file and compares it")
    func unsatisfied() {
        var (same, other) = (Dialogue(), Dialogue())
        _ = (same.start(Self.held(300, of: nil)), other.start(Self.held(300, of: nil)))
        #expect(same.head(416, ["content-range": "bytes */300"]).last == .finish)
        #expect(other.head(416, [:]) == [.cancelTransfer, .startTransfer(2, .whole, ifRange: nil)])
        _ = other.head(416, [:])
        #expect(other.machine.condition == .failed(HTTPRejection.status(416).mediaFailure))
    }
}
