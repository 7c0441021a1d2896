// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

/// Servers with unusual behaviour.
extension DownloadStateMachineTests {
    @Test("A body whose end the protocol marks is complete without a length")
    func markedEnd() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        let head = ResponseHead(status: 200, fields: ["etag": "\"1\""], finalURL: "http://a/b", marksEnd: true)
        _ = dialogue.machine.handle(.headReceived(1, head, at: .zero, jitter: 0))
        _ = dialogue.body(300)
        #expect(dialogue.end(.complete) == [.finish])
        #expect(dialogue.machine.state == .complete(Self.held(300, of: 300)))
    }

    @Test("A marked end before the length that the feed declares still completes the download")
    func markedEndBeforeClaim() {
        var dialogue = Dialogue()
        dialogue.machine = Machine(claimedLength: 1000)
        _ = dialogue.start()
        let head = ResponseHead(status: 200, fields: ["etag": "\"1\""], finalURL: "http://a/b", marksEnd: true)
        _ = dialogue.machine.handle(.headReceived(1, head, at: .zero, jitter: 0))
        _ = dialogue.body(300)
        #expect(dialogue.end(.complete) == [.finish])
    }

    @Test("Each attempt has a longer timeout for the first byte than the one before")
    func patience() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        #expect(dialogue.machine.timeoutFactor == 1)
        for patience in [3, 6] {
            _ = dialogue.end(.failed(.timedOut(.waiting)))
            guard case .startTransfer = dialogue.deadline().first else {
                Issue.record("the download did not retry")
                return
            }
            #expect(dialogue.machine.timeoutFactor == patience)
        }
    }

    @Test("A server that closes each connection after 60,000 bytes delivers the whole file")
    func manyCuts() {
        var dialogue = Dialogue()
        let total = 1_200_000
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "\(total)", "etag": "\"1\""])
        _ = dialogue.body(60_000)
        for _ in 0..<30 where dialogue.machine.condition != .complete {
            #expect(Self.delay(dialogue.end(Self.cut).last) == .milliseconds(500))
            guard case .startTransfer(_, .rest(let start, _), _) = dialogue.deadline().first else {
                Issue.record("the download did not retry")
                return
            }
            _ = dialogue.head(206, ["content-range": "bytes \(start)-\(total - 1)/\(total)", "etag": "\"1\""])
            _ = dialogue.body(min(60_000, total - Int(start)))
        }
        #expect(dialogue.machine.condition == .complete)
    }

    private static func delay(_ action: Machine.Action?) -> Duration? {
        if case .scheduleRetry(_, let delay)? = action { delay } else { nil }
    }

    @Test("An interrupted connection does not lengthen the timeout")
    func brokenConnection() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.end(Self.cut)
        _ = dialogue.deadline()
        #expect(dialogue.machine.timeoutFactor == 1)
    }
}

/// Mirrors with different validators.
extension DownloadStateMachineTests {
    /// Returns a dialogue with 100 of 300 bytes of version "1" stored, after the given response to the next request.
    private static func resumed(_ status: Int, _ fields: HeaderFields) -> Dialogue {
        var dialogue = Dialogue()
        _ = dialogue.start(held(100, of: 300))
        _ = dialogue.head(status, fields)
        return dialogue
    }

    @Test("A 200 with another validator and the same length is compared with the stored bytes, which stay")
    func mirror() {
        var dialogue = Self.resumed(200, ["content-length": "300", "etag": "\"2\""])
        #expect(dialogue.body(100) == [.store(at: 0, count: 100, excess: 0)])
        _ = dialogue.end(Self.cut)
        #expect(dialogue.machine.stored.extents.count == 100)
        let ask = Machine.RangeRequest.rest(from: 0, to: nil)
        #expect(dialogue.deadline() == [.startTransfer(3, ask, ifRange: nil)], "If-Range is no longer sent")
        _ = dialogue.head(206, ["content-range": "bytes 0-299/300", "etag": "\"3\""])
        #expect(dialogue.body(300) == [.store(at: 0, count: 300, excess: 0), .finish])
    }

    @Test("Bytes after the stored ones adopt the validator of the new response")
    func adopted() {
        var dialogue = Self.resumed(200, ["content-length": "300", "etag": "\"2\""])
        _ = dialogue.body(200)
        #expect(dialogue.machine.stored.entity.validator == .strongETag("\"2\""))
        #expect(dialogue.machine.stored.extents.ranges == [0..<200])
    }

    @Test("Differing bytes start the new version in the same response", arguments: [0, 50])
    func differs(equal: Int) {
        var dialogue = Self.resumed(200, ["content-length": "300", "etag": "\"2\""])
        if equal > 0 { _ = dialogue.body(equal) }
        _ = dialogue.machine.handle(
            .bodyReceived(dialogue.machine.generation, count: 50, foreign: nil, at: .zero, jitter: 0))
        let version = StoredContent(
            entity: Representation(validator: .strongETag("\"2\""), total: 300), finalURL: "http://a/b")
        let actions = dialogue.machine.handle(.bytesDiffered(dialogue.machine.generation))
        let start = Int64(equal)
        #expect(
            actions == [
                equal > 0 ? .replaceFileAfter(start) : .replaceFile, .recordVersion(version),
                .store(at: start, count: 50, excess: 0),
            ])
        #expect(dialogue.machine.stored.extents.count == start)
        #expect(dialogue.machine.stored.entity == version.entity)
    }

    @Test("A 206 with another validator is requested once more, and then the whole file is compared")
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

    private static let date = "Mon, 02 Nov 2026 08:00:00 GMT"

    /// Returns a dialogue with 2 of 3 MB of version "1" stored. A response with another validator broke after 900,000
    /// equal bytes, and the next request was sent.
    private static func partlyCompared() -> Dialogue {
        var dialogue = Dialogue()
        _ = dialogue.start(held(2_000_000, of: 3_000_000))
        _ = dialogue.head(200, ["content-length": "3000000", "etag": "\"2\"", "last-modified": date])
        _ = dialogue.body(900_000)
        _ = dialogue.end(cut)
        let next = dialogue.deadline()
        #expect(next == [.startTransfer(3, .rest(from: 1_994_997, to: nil), ifRange: tag)])
        return dialogue
    }

    private static let comparison = Machine.Action.startTransfer(4, .rest(from: 900_000, to: nil), ifRange: nil)

    @Test(
        "An interrupted comparison continues after the equal bytes if the ETag or Last-Modified is the same",
        arguments: [
            (200, ["content-length": "3000000", "etag": "\"2\""]),
            (200, ["content-length": "3000000", "etag": "\"3\"", "last-modified": date]),
            (206, ["content-range": "bytes 1994997-2999999/3000000", "etag": "\"3\"", "last-modified": date]),
        ] as [(Int, HeaderFields)])
    func continuedComparison(status: Int, fields: HeaderFields) {
        var dialogue = Self.partlyCompared()
        let requested = dialogue.head(status, fields)
        #expect(requested == [.cancelTransfer, Self.comparison])
        let part: HeaderFields = [
            "content-range": "bytes 900000-2999999/3000000", "etag": "\"4\"", "last-modified": Self.date,
        ]
        _ = dialogue.head(206, part)
        let compared = dialogue.body(900_000)
        #expect(compared == [.store(at: 900_000, count: 900_000, excess: 0)])
        _ = dialogue.end(Self.cut)
        #expect(dialogue.machine.stored.extents.ranges == [0..<2_000_000])
        let next = dialogue.deadline()
        #expect(
            next == [.startTransfer(6, .rest(from: 1_919_952, to: nil), ifRange: nil)], "If-Range is no longer sent")
    }

    @Test("A response with another ETag and Last-Modified than the compared one is compared from byte 0")
    func comparisonWithOtherMirror() {
        var dialogue = Self.partlyCompared()
        let head = dialogue.head(200, ["content-length": "3000000", "etag": "\"3\""])
        let compared = dialogue.body(100)
        #expect(head == [] && compared == [.store(at: 0, count: 100, excess: 0)])
    }

    @Test("A part with another ETag and Last-Modified does not continue a comparison: the range is requested again")
    func partOfOtherMirror() {
        var dialogue = Self.partlyCompared()
        _ = dialogue.head(200, ["content-length": "3000000", "etag": "\"2\""])
        let requested = dialogue.head(206, ["content-range": "bytes 900000-2999999/3000000", "etag": "\"3\""])
        let again = Machine.Action.startTransfer(5, .rest(from: 1_994_997, to: nil), ifRange: Self.tag)
        #expect(requested == [.cancelTransfer, again])
    }

    @Test("The position of the reader does not cancel the request of a comparison")
    func comparisonBeforePosition() {
        var dialogue = Self.partlyCompared()
        _ = dialogue.head(200, ["content-length": "3000000", "etag": "\"2\""])
        let actions = dialogue.machine.handle(.needed(from: 2_000_000, limit: 0))
        #expect(actions == [])
    }

    @Test("The comparison of stored bytes counts as progress once, also if it begins again with another version")
    func comparisonIsProgress() {
        var dialogue = Self.partlyCompared()
        let fields: HeaderFields = ["content-length": "3000000", "etag": "\"2\""]
        _ = dialogue.head(200, fields)
        _ = dialogue.head(206, ["content-range": "bytes 900000-2999999/3000000", "etag": "\"2\""])
        _ = dialogue.body(100_000)
        let progress = dialogue.end(Self.cut)
        _ = dialogue.deadline()
        _ = dialogue.head(200, ["content-length": "3000000", "etag": "\"3\""])
        _ = dialogue.body(1_000_000)
        let repetition = dialogue.end(Self.cut)
        #expect(Self.delay(progress.last) == .milliseconds(500) && Self.delay(repetition.last) == .seconds(2))
    }

    @Test("A difference in a continued comparison requests the new version, and no byte of it joins the stored ones")
    func differenceInContinuedComparison() {
        var dialogue = Self.partlyCompared()
        _ = dialogue.head(200, ["content-length": "3000000", "etag": "\"2\""])
        _ = dialogue.head(206, ["content-range": "bytes 900000-2999999/3000000", "etag": "\"2\""])
        _ = dialogue.machine.handle(.bodyReceived(4, count: 50, foreign: nil, at: .zero, jitter: 0))
        let actions = dialogue.machine.handle(.bytesDiffered(4))
        #expect(actions == [.cancelTransfer, .startTransfer(5, .newVersion, ifRange: nil)])
        #expect(dialogue.machine.stored == Self.held(2_000_000, of: 3_000_000))
    }

    @Test("A short page in place of a new version keeps the stored bytes, and a long one is examined")
    func pageForNewVersion() {
        for (length, isKept) in [("60", true), ("3000000", false)] {
            var dialogue = Dialogue()
            _ = dialogue.start(Self.held(100, of: 300))
            _ = dialogue.head(206, ["content-range": "bytes 0-399/400", "etag": "\"2\""])
            let requested = dialogue.machine.state
            let head = dialogue.head(200, ["content-type": "application/json", "content-length": length])
            guard case .connecting(_, .newVersion) = requested else {
                Issue.record("no new version was requested: \(requested)")
                return
            }
            #expect(dialogue.machine.stored == Self.held(100, of: 300))
            let isRetried = Self.delay(head.last) != nil
            #expect(isRetried == isKept)
        }
    }

    @Test(
        "A requested version does not count if a page, an error or a lost connection comes in its place",
        arguments: ["a page", "an error", "no answer", "no byte"])
    func versionWithoutBytes(answer: String) {
        var dialogue = Dialogue()
        let held = Self.held(100_000, of: 300_000)
        _ = dialogue.start(held)
        for _ in 0...Machine.mostChanges {
            _ = dialogue.head(206, ["content-range": "bytes 94997-399999/400000", "etag": "\"2\""])
            let actions: [Machine.Action]
            switch answer {
            case "a page": actions = dialogue.head(200, ["content-length": "60", "content-type": "text/html"])
            case "an error": actions = dialogue.head(503, [:])
            case "no answer": actions = dialogue.end(Self.cut)
            default:
                _ = dialogue.head(200, ["content-length": "400000", "etag": "\"2\""])
                actions = dialogue.end(Self.cut)
            }
            #expect(actions.prefix(2) == [.cancelTransfer, .save(held)])
            _ = dialogue.deadline()
        }
    }

    @Test("A server that ignores the range of a continued comparison is compared from byte 0")
    func comparisonWithoutRanges() {
        var dialogue = Self.partlyCompared()
        let fields: HeaderFields = ["content-length": "3000000", "etag": "\"2\""]
        let requested = dialogue.head(200, fields)
        #expect(requested == [.cancelTransfer, Self.comparison])
        _ = dialogue.head(200, fields)
        let compared = dialogue.body(100)
        #expect(compared == [.store(at: 0, count: 100, excess: 0)])
    }

    @Test("After an answer with the stored validator, another validator is compared from byte 0 again")
    func comparisonAfterStoredValidator() {
        var dialogue = Self.partlyCompared()
        _ = dialogue.head(206, ["content-range": "bytes 1994997-2999999/3000000", "etag": "\"1\""])
        _ = dialogue.body(105_003)
        _ = dialogue.end(Self.cut)
        let next = dialogue.deadline()
        #expect(next == [.startTransfer(5, .rest(from: 2_094_997, to: nil), ifRange: Self.tag)])
        _ = dialogue.head(200, ["content-length": "3000000", "etag": "\"2\""])
        let compared = dialogue.body(100)
        #expect(compared == [.store(at: 0, count: 100, excess: 0)])
    }
}
