// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("An episode that is shorter than its expected length")
struct DownloadPromiseTests {
    typealias Server = ScriptedTransport
    private let content = episode(300_000)

    /// A file of 300,000 bytes: the servers' responses, the lengths that the feed and the tag declare, and the
    /// result.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var claimed: Int64?
        var tagged: Int64?
        /// The length at which the container states its end.
        var statedEnd: Int64?
        /// What a shorter file lacks.
        var missingEnd = MissingEnd.mark
        let answers: [Server.Answer]
        var held: Int64 = 300_000
        var isComplete = true
        var shortfall: Shortfall?
        /// The expected number of requests; requests after the last response fail.
        let requests: Int
    }

    private static let all = episode(300_000)
    private static let open = Server.serve(all, length: false)
    private static let closed = Server.serve(all, ranges: false, length: false)
    private static let stump = Server.serve(all, etag: nil, cut: 100_000, ranges: false, length: false)

    /// Sends too large a length and closes the connection at the end of the file; range responses are right.
    private static let boasting: Server.Answer = { request in
        guard request.range == nil else { return Server.serve(all)(request) }
        let fields: HeaderFields = ["content-length": "400000", "etag": "\"1\""]
        let head = ResponseHead(status: 200, fields: fields, finalURL: request.url)
        let end = TransferOutcome.failed(.connectionLost(received: 300_000, reason: "cut"))
        return [.head(head)] + Server.chunks(all[...], 16384) + [.end(end)]
    }

    static let cases = [
        Case(testDescription: "no expected length", answers: [open], isComplete: false, requests: 1),
        Case(testDescription: "the file has the expected length", tagged: 300_000, answers: [open], requests: 1),
        Case(
            testDescription: "the tag counts bytes that a tool removed after the audio", tagged: 301_000,
            answers: [open], requests: 1),
        Case(
            testDescription: "the connection ends early once", tagged: 300_000, answers: [stump, open],
            requests: 2),
        Case(
            testDescription: "the connection always ends at the same byte", tagged: 300_000,
            answers: [stump, stump, stump, stump],
            held: 100_000, isComplete: false, shortfall: Shortfall(held: 100_000, promised: 300_000), requests: 3),
        Case(
            testDescription: "the server confirms its length when asked for more", tagged: 400_000,
            answers: [open, Server.serve(all)], shortfall: Shortfall(held: 300_000, promised: 400_000), requests: 2),
        Case(
            testDescription: "the server's length is shorter than the tag's", tagged: 400_000,
            answers: [Server.serve(all)], shortfall: Shortfall(held: 300_000, promised: 400_000), requests: 1),
        Case(
            testDescription: "the server's length overrides the feed's", claimed: 900_000,
            answers: [Server.serve(all)], requests: 1),
        Case(
            testDescription: "only the feed declares more: one more request", claimed: 400_000,
            answers: [open, closed, closed], isComplete: false,
            shortfall: Shortfall(held: 300_000, promised: 400_000), requests: 2),
        Case(
            testDescription: "only the feed declares more, and the server no longer answers", claimed: 400_000,
            answers: [open], isComplete: false, shortfall: Shortfall(held: 300_000, promised: 400_000), requests: 2),
        Case(
            testDescription: "a file a tenth shorter than in the feed is accepted", claimed: 330_000, answers: [open],
            isComplete: false, requests: 1),
        Case(
            testDescription: "the tag's length overrides the feed's", claimed: 900_000, tagged: 300_000,
            answers: [open], requests: 1),
        Case(testDescription: "the container states its end", statedEnd: 300_000, answers: [open], requests: 1),
        Case(
            testDescription: "the container states its end, and the feed declares more", claimed: 900_000,
            statedEnd: 300_000, answers: [open], requests: 1),
        Case(
            testDescription: "the container states its end, and the connection ends early once", claimed: 300_000,
            statedEnd: 300_000, answers: [stump, open], requests: 2),
        Case(
            testDescription: "the container states a later end, and the connection ended early", statedEnd: 300_000,
            answers: [stump, open], requests: 2),
        Case(
            testDescription: "the container states a later end, and the server confirms its length when asked for more",
            statedEnd: 400_000, answers: [open, open], requests: 2),
        Case(
            testDescription: "the container states a later end, and the server sends neither lengths nor ranges",
            statedEnd: 400_000, answers: [closed, closed], isComplete: false, requests: 2),
        Case(
            testDescription: "the mark of the end is missing, and the server sends neither lengths nor ranges",
            statedEnd: 300_000, answers: [stump, closed], held: 100_000, isComplete: false, requests: 2),
        Case(
            testDescription: "a stated length is missing, and the server sends neither lengths nor ranges",
            statedEnd: 300_000, missingEnd: .length, answers: [stump, closed], requests: 2),
        Case(
            testDescription: "a stated length is missing, and the server sends the same file once more",
            statedEnd: 400_000, missingEnd: .length, answers: [closed, closed], isComplete: false, requests: 2),
        Case(testDescription: "the server's length is too large", answers: [boasting, boasting], requests: 2),
    ]

    @Test(
        "A short file is requested again while that brings more bytes, and then its shortfall is reported",
        arguments: cases)
    func expected(test: Case) async {
        var rules = ContentRules()
        rules.declaredLength = { bytes in
            // The bytes of an interrupted response are a prefix of the content.
            let isBeginning = bytes.count >= 65_536 && bytes.elementsEqual(content.prefix(bytes.count))
            #expect(isBeginning)
            return test.tagged
        }
        rules.statedEnd = { source in
            #expect(source.downloadProgress.condition == .complete)
            guard let end = test.statedEnd else { return nil }
            return source.downloadProgress.total == end ? .reached : .missing(test.missingEnd)
        }
        let fixture = DownloadFixture(claimedLength: test.claimed, rules: rules, test.answers)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && downloadProgress.extents.ranges == [0..<test.held])
        #expect((downloadProgress.unverified == nil) == test.isComplete)
        #expect(fixture.download.shortfall == test.shortfall)
        #expect(fixture.transport.requests.count == test.requests)
        let name = test.isComplete ? "e.mp3" : "e.mp3.partial"
        let isRight = fixture.directory.read(name)[...] == content[..<Int(test.held)]
        #expect(isRight)
    }

    @Test("An absurd length in a tag is ignored", arguments: [-1, 0, Int64.max])
    func nonsense(length: Int64) async {
        var rules = ContentRules()
        rules.declaredLength = { _ in length }
        let fixture = DownloadFixture(rules: rules, [Self.open])
        _ = await fixture.run()
        #expect(fixture.download.shortfall == nil && fixture.transport.requests.count == 1)
    }
}

/// Requests that bring no new bytes.
extension DownloadStateMachineTests {
    static let storms: [(String, @Sendable (inout Dialogue) -> [Machine.Action])] = [
        ("no answer", { $0.end(cut) }),
        ("503", { $0.head(503, [:]) }),
        ("503 with Retry-After: 0", { $0.head(503, ["retry-after": "0"]) }),
        ("a page", { $0.head(200, ["content-type": "text/html"]) }),
        ("a different range", { $0.head(206, ["content-range": "bytes 5-9/300000"]) }),
        ("not found", { $0.head(404, [:]) }),
        ("range not satisfiable", { $0.head(416, [:]) }),
        (
            "the beginning each time",
            { dialogue in
                _ = dialogue.head(200, ["content-length": "300000", "etag": "\"1\""])
                _ = dialogue.body(1000)
                return dialogue.end(cut)
            }
        ),
    ]

    @Test(
        "A server that delivers nothing is asked at most six times a minute, plus once for a new position",
        arguments: storms.indices)
    func storm(index: Int) {
        var dialogue = Dialogue()
        var actions = dialogue.start(Self.held(100_000, of: 300_000))
        var times: [Duration] = []
        for _ in 0..<100 {
            var wait: Duration?
            for action in actions {
                if case .startTransfer = action { (wait, _) = (nil, times.append(dialogue.now)) }
                if case .scheduleRetry(_, let delay) = action { wait = delay }
            }
            guard case .failed = dialogue.machine.state else {
                if let wait {
                    dialogue.now += wait
                    actions = dialogue.deadline()
                } else {
                    // The reader requests missing positions as often as it likes.
                    actions =
                        Self.storms[index].1(&dialogue)
                        + dialogue.machine.handle(.needed(from: Int64(times.count) * 40_000, limit: 128 << 10))
                }
                continue
            }
            break
        }
        #expect(times.count > 1, "\(Self.storms[index].0)")
        for time in times {
            #expect(times.filter { $0 >= time && $0 < time + .seconds(60) }.count <= 7, "\(Self.storms[index].0)")
        }
    }

    @Test("A wait reports its duration and the remaining attempts; Retry-After is not shortened")
    func waits() {
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(100_000, of: 9_000_000))
        dialogue.now = .seconds(5)
        _ = dialogue.end(Self.cut)
        #expect(dialogue.machine.retryTime == .milliseconds(5500))
        #expect(
            dialogue.machine.condition
                == .backingOff(
                    DownloadProgress.Backoff(
                        reason: "the connection was interrupted after 0 bytes: cut", retryIn: nil, triesLeft: 9)))
        _ = dialogue.deadline()
        _ = dialogue.head(503, ["retry-after": "600"])
        #expect(dialogue.machine.retryTime == .seconds(605))
        #expect(dialogue.machine.handle(.needed(from: 5_000_000, limit: nil)) == [])
    }

    @Test(
        "An address that expires during the download is retried a few times, then fails; the stored bytes stay",
        arguments: [
            403, 404, 410,
        ])
    func expired(status: Int) {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        _ = dialogue.start(held)
        for triesLeft in [3, 2, 1] {
            guard case .scheduleRetry = dialogue.head(status, [:]).last else {
                Issue.record("the request was not repeated")
                return
            }
            #expect(dialogue.machine.triesLeft == triesLeft)
            _ = dialogue.deadline()
        }
        #expect(dialogue.head(status, [:]) == [.cancelTransfer, .save(held)])
        #expect(dialogue.machine.condition == .failed(HTTPRejection.status(status).mediaFailure))
    }

    @Test("A 206 of the same version corrects the length; one that ends before the stored bytes is another version")
    func correctedLength() {
        var (right, wrong) = (Dialogue(), Dialogue())
        _ = (right.start(Self.held(200, of: 300)), wrong.start(Self.held(200, of: 300)))
        let tag = "\"1\""
        #expect(right.head(206, ["content-range": "bytes 0-199/200", "etag": tag]) == [])
        #expect(right.body(200).last == .finish)
        let actions = wrong.head(206, ["content-range": "bytes 0-149/150", "etag": tag])
        #expect(actions.last == .startTransfer(2, .newVersion, ifRange: nil))
    }

    @Test("Refused content is not kept, whether partial or complete")
    func refusedContent() {
        let noise = MediaFailure(.badData, "the server sent no audio")
        var dialogue = Dialogue()
        _ = dialogue.start(Self.held(300, of: 300))
        #expect(dialogue.machine.handle(.contentRefused(noise)) == [.cancelTransfer, .discard])
        #expect(dialogue.machine.condition == .failed(noise))
        #expect(dialogue.machine.handle(.contentRefused(noise)) == [])
    }
}
