// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

/// Bodies without a length that end before the end that their container states.
extension DownloadStateMachineTests {
    private static let beginning = held(100_000, of: nil)

    /// Returns a dialogue in which such a body of 100,000 bytes has ended, and the request for the rest was sent.
    private static func cutOff(_ missing: MissingEnd = .mark) -> Dialogue {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["etag": "\"1\""])
        _ = dialogue.body(100_000)
        _ = dialogue.machine.handle(.endMissing(missing))
        let end = dialogue.end(.complete)
        #expect(end == [.cancelTransfer, .save(beginning), .scheduleRetry(2, after: .milliseconds(500))])
        let request = dialogue.deadline()
        #expect(request == [.startTransfer(3, .rest(from: 94_997, to: nil), ifRange: tag)])
        return dialogue
    }

    @Test(
        "The wait before the request for a missing end shows one try, with a length in a tag two",
        arguments: [(nil, 1), (300_000, 2)] as [(Int64?, Int)])
    func triesForMissingEnd(tagged: Int64?, triesLeft: Int) {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, [:])
        _ = dialogue.body(100_000)
        _ = dialogue.machine.handle(.lengthExpected(tagged))
        if tagged == nil { _ = dialogue.machine.handle(.endMissing(.length)) }
        _ = dialogue.end(.complete)
        #expect(dialogue.machine.triesLeft == triesLeft)
        _ = dialogue.deadline()
        // The next attempt failed in another way.
        _ = dialogue.end(Self.cut)
        #expect(dialogue.machine.triesLeft == 8)
    }

    @Test("A file without its end is requested from there, and the rest completes it")
    func missingEnd() {
        var dialogue = Self.cutOff()
        _ = dialogue.head(206, ["content-range": "bytes 94997-299999/300000", "etag": "\"1\""])
        let rest = dialogue.body(205_003)
        #expect(rest == [.store(at: 94_997, count: 205_003, excess: 0), .finish])
    }

    @Test(
        "The server proves the end with its length, with or without ranges",
        arguments: [.mark, .length] as [MissingEnd])
    func provenEnd(missing: MissingEnd) {
        var (part, whole) = (Self.cutOff(missing), Self.cutOff(missing))
        _ = part.head(206, ["content-range": "bytes 94997-99999/100000", "etag": "\"1\""])
        let overlap = part.body(5003)
        #expect(overlap.last == .finish)
        let head = whole.head(200, ["content-length": "100000", "etag": "\"1\""])
        #expect(head == [.cancelTransfer, .finish])
    }

    @Test("A part without new bytes and without a total leaves the end unverified")
    func noMoreBytes() {
        var dialogue = Self.cutOff()
        _ = dialogue.head(206, ["content-range": "bytes 94997-99999/*", "etag": "\"1\""])
        _ = dialogue.body(5003)
        let end = dialogue.end(.complete)
        #expect(end == [.save(Self.beginning)])
        #expect(dialogue.machine.unverified != nil)
    }

    @Test(
        "A server that sends neither ranges nor a length does not send the file twice if only the mark is missing",
        arguments: [(200, ["etag": "\"1\""]), (200, [:]), (416, [:])] as [(Int, HeaderFields)])
    func nothingTwice(status: Int, fields: HeaderFields) {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, [:])
        _ = dialogue.body(100_000)
        _ = dialogue.machine.handle(.endMissing(.mark))
        _ = dialogue.end(.complete)
        _ = dialogue.deadline()
        let stored = dialogue.machine.stored
        let head = dialogue.head(status, fields)
        #expect(head == [.cancelTransfer, .save(stored)])
        #expect(dialogue.machine.unverified != nil)
    }

    @Test("A server that sends neither ranges nor a length sends the file once more if a stated length is missing")
    func wholeOnceMore() {
        var dialogue = Self.cutOff(.length)
        let request = dialogue.head(416, [:])
        #expect(request == [.cancelTransfer, .startTransfer(4, .whole, ifRange: nil)])
        let head = dialogue.head(200, ["etag": "\"1\""])
        let again = dialogue.body(100_000)
        #expect(head == [] && again == [.store(at: 0, count: 100_000, excess: 0)])
        let end = dialogue.end(.complete)
        #expect(end == [.save(Self.beginning)])
        #expect(dialogue.machine.unverified != nil)
    }

    @Test(
        "A server without ranges sends the file again if it is longer, or if its end is marked",
        arguments: [["content-length": "300000", "etag": "\"1\""], ["transfer-encoding": "chunked", "etag": "\"1\""]]
            as [HeaderFields])
    func longerFile(fields: HeaderFields) {
        var dialogue = Self.cutOff()
        let head = dialogue.head(200, fields)
        let again = dialogue.body(100_000)
        #expect(head == [] && again == [.store(at: 0, count: 100_000, excess: 0)])
        _ = dialogue.body(200_000)
        _ = dialogue.end(.complete)
        #expect(dialogue.machine.stored == Self.held(300_000, of: 300_000))
        #expect(dialogue.machine.unverified == nil)
    }

    @Test(
        "An address that is denied after the end does not fail the download if only the mark of the end is missing",
        arguments: [403, 404, 410])
    func deniedEnd(status: Int) {
        var (recording, file) = (Self.cutOff(.mark), Self.cutOff(.length))
        for _ in 0..<Machine.mostDenials {
            _ = (recording.head(status, [:]), file.head(status, [:]))
            _ = (recording.deadline(), file.deadline())
        }
        let end = recording.head(status, [:])
        _ = file.head(status, [:])
        #expect(end == [.cancelTransfer, .save(Self.beginning)])
        #expect(recording.machine.unverified != nil)
        #expect(file.machine.condition == .failed(HTTPRejection.status(status).mediaFailure))
    }

    @Test("If the server no longer answers, the download fails after all retries, so that playback waits for more")
    func unreachable() {
        var dialogue = Self.cutOff()
        for _ in 0..<20 {
            _ = dialogue.end(Self.cut)
            guard let time = dialogue.machine.retryTime else { break }
            dialogue.now = time
            _ = dialogue.deadline()
        }
        let reason = "the connection was interrupted after 0 bytes: cut"
        #expect(dialogue.machine.condition == .failed(MediaFailure(.unavailable, reason)))
        #expect(dialogue.machine.stored == Self.beginning)
    }
}
