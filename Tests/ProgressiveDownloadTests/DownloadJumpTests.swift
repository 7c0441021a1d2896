// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("DownloadStateMachine jumps to the reader's position")
struct DownloadJumpTests {
    typealias Machine = DownloadStateMachine
    typealias Dialogue = DownloadStateMachineTests.Dialogue
    private static let tag = DownloadStateMachineTests.tag
    private static let total: Int64 = 50_000_000

    /// Returns a dialogue whose transfer from byte 0 has received a megabyte.
    private func receiving() -> Dialogue {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "\(Self.total)", "etag": "\"1\""])
        _ = dialogue.body(1_000_000)
        return dialogue
    }

    private func need(_ offset: Int64, _ dialogue: inout Dialogue, rate: Double? = nil) -> [Machine.Action] {
        dialogue.machine.handle(
            .needed(from: offset, limit: rate.map { SkipDistance.limit(bytesPerSecond: $0) }))
    }

    /// Sends the response to the jump.
    private func answer(_ status: Int, _ fields: HeaderFields, _ dialogue: inout Dialogue) -> [Machine.Action] {
        let head = ResponseHead(status: status, fields: fields, finalURL: "http://a/b")
        return dialogue.machine.handle(.headReceived(dialogue.machine.jump?.number ?? 0, head, at: .zero, jitter: 0))
    }

    private func part(_ from: Int64, _ end: Int64 = total) -> HeaderFields {
        ["content-range": "bytes \(from)-\(end - 1)/\(Self.total)", "etag": "\"1\""]
    }

    /// Returns a dialogue whose jump to a distant position has replaced the first transfer.
    private func stranded(at offset: Int64) -> Dialogue {
        var dialogue = receiving()
        _ = need(offset, &dialogue)
        _ = answer(206, part(offset), &dialogue)
        return dialogue
    }

    @Test("A position within 512 KiB, or within two seconds of throughput, is waited for; a later one starts a jump",
        arguments: [
            (1_000_000, nil, false), (1_524_288, nil, false), (1_524_289, nil, true), (2_900_000, 1e6, false),
            (3_000_001, 1e6, true), (40_000_000, 1e9, false), (500_000, nil, false), (1_024_000, 12e3, false),
            (1_024_001, 12e3, true), (1_016_384, 100, false), (1_016_385, 100, true),
        ] as [(Int64, Double?, Bool)])
    func distance(offset: Int64, rate: Double?, jumps: Bool) {
        var dialogue = receiving()
        let wanted = [Machine.Action.startJump(2, .rest(from: offset, to: nil), ifRange: Self.tag)]
        #expect(need(offset, &dialogue, rate: rate) == (jumps ? wanted : []))
    }

    @Test("After a range with other bytes than the stored ones, nothing is skipped: more of them would go unnoticed")
    func lyingRange() {
        var dialogue = receiving()
        _ = dialogue.end(DownloadStateMachineTests.cut)
        _ = dialogue.deadline()
        _ = dialogue.head(206, part(1_000_000 - StoredContent.overlap))
        _ = dialogue.machine.handle(.bytesDiffered(dialogue.machine.generation))
        _ = dialogue.head(200, ["content-length": "\(Self.total)", "etag": "\"1\""])
        _ = dialogue.body(1_000_000)
        #expect(need(30_000_000, &dialogue) == [])
    }

    @Test("After a jump that sends the beginning of the file, the whole file is requested and nothing is skipped")
    func repeatedBeginning() {
        var dialogue = stranded(at: 30_000_000)
        let actions = dialogue.machine.handle(.beginningRepeated(dialogue.machine.generation))
        #expect(actions == [.cancelTransfer, .startTransfer(3, .whole, ifRange: nil)])
        #expect(dialogue.machine.inOrderCause == .server)
        _ = dialogue.head(200, ["content-length": "\(Self.total)", "etag": "\"1\""])
        #expect(dialogue.body(1000) == [.store(at: 0, count: 1000, excess: 0)])
        #expect(need(30_000_000, &dialogue) == [])
    }

    @Test("The first transfer continues until the server accepts the jump, and is then cancelled")
    func takesOver() {
        var dialogue = receiving()
        _ = need(30_000_000, &dialogue)
        #expect(dialogue.body(1000) == [.store(at: 1_000_000, count: 1000, excess: 0)])
        #expect(answer(206, part(30_000_000), &dialogue).prefix(2) == [.cancelTransfer, .adoptJump])
        #expect(dialogue.body(500) == [.store(at: 30_000_000, count: 500, excess: 0)])
        #expect(dialogue.machine.stored.extents.ranges == [0..<1_001_000, 30_000_000..<30_000_500])
    }

    @Test("Repeated needs start one jump and another position replaces it: there are never more than two transfers")
    func once() {
        var dialogue = receiving()
        _ = need(30_000_000, &dialogue)
        #expect(need(30_000_000, &dialogue) == [])
        #expect(need(30_100_000, &dialogue) == [])
        #expect(
            need(20_000_000, &dialogue)
                == [.cancelJump, .startJump(3, .rest(from: 20_000_000, to: nil), ifRange: Self.tag)])
        #expect(need(1_000_000, &dialogue) == [.cancelJump])
    }

    @Test("A pending jump waits for its answer while the first transfer comes closer, until that reaches the bytes")
    func closer() {
        var dialogue = receiving()
        _ = need(1_600_000, &dialogue)
        _ = dialogue.body(200_000)
        #expect(need(1_600_000, &dialogue) == [])
        _ = dialogue.body(399_999)
        #expect(need(1_600_000, &dialogue, rate: 1e6) == [])
        _ = dialogue.body(1)
        #expect(need(1_600_000, &dialogue) == [.cancelJump])
    }

    @Test("A jump whose answer comes before the first transfer has reached the bytes takes over")
    func takesOverClose() {
        var dialogue = receiving()
        _ = need(1_600_000, &dialogue)
        _ = dialogue.body(200_000)
        #expect(answer(206, part(1_600_000), &dialogue).prefix(2) == [.cancelTransfer, .adoptJump])
        _ = dialogue.body(500)
        #expect(dialogue.machine.stored.extents.ranges == [0..<1_200_000, 1_600_000..<1_600_500])
    }

    @Test("At the end of the file the first hole is requested, up to the island plus an overlap")
    func fillsHoles() {
        var dialogue = stranded(at: 49_990_000)
        #expect(dialogue.body(10_000) == [.store(at: 49_990_000, count: 10_000, excess: 0)])
        let next = Machine.RangeRequest.rest(from: 1_000_000 - 5003, to: 49_990_000 + 5003)
        #expect(dialogue.end(.complete) == [.startTransfer(3, next, ifRange: Self.tag)])
    }

    @Test("A transfer that has filled its hole may end; the needed bytes are requested next")
    func filledHole() {
        var dialogue = stranded(at: 30_000_000)
        _ = dialogue.body(1_000_000)
        _ = need(1_000_000, &dialogue)
        _ = answer(206, part(994_997, 30_005_003), &dialogue)
        _ = dialogue.body(29_005_003)
        #expect(need(2_000_000, &dialogue) == [])
        let next = Machine.RangeRequest.rest(from: 31_000_000 - 5003, to: nil)
        #expect(dialogue.end(.complete) == [.startTransfer(4, next, ifRange: Self.tag)])
    }

    @Test("A position just after the stored bytes is requested from their end, so that no small hole remains")
    func noLittleHoles() {
        var dialogue = stranded(at: 30_000_000)
        _ = dialogue.body(1000)
        let ask = Machine.RangeRequest.rest(from: 1_000_000 - 5003, to: 30_000_000 + 1000)
        #expect(need(1_400_000, &dialogue) == [.startJump(3, ask, ifRange: Self.tag)])
    }

    @Test("A server that ignores ranges ends the jump, and no byte is lost", arguments: ["\"1\"", "\"2\""])
    func ignoresRanges(tag: String) {
        var dialogue = receiving()
        _ = need(30_000_000, &dialogue)
        #expect(answer(200, ["content-length": "\(Self.total)", "etag": tag], &dialogue) == [.cancelJump])
        #expect(dialogue.machine.inOrderCause == (tag == "\"1\"" ? .server : .newerVersion))
        #expect(need(40_000_000, &dialogue) == [])
        #expect(dialogue.body(1000) == [.store(at: 1_000_000, count: 1000, excess: 0)])
    }

    @Test("A server with \"Accept-Ranges: none\" receives no range request")
    func saysNoRanges() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, ["content-length": "\(Self.total)", "accept-ranges": "none"])
        _ = dialogue.body(1000)
        #expect(dialogue.machine.inOrderCause == .server)
        #expect(need(40_000_000, &dialogue) == [])
    }

    @Test("A failing jump is tried three times", arguments: [404, 500, 206])
    func refused(status: Int) {
        var dialogue = receiving()
        for _ in 0..<Machine.mostRefusals {
            #expect(need(30_000_000, &dialogue).count == 1)
            // A 206 with other bytes than the requested ones.
            #expect(answer(status, part(5), &dialogue) == [.cancelJump])
        }
        #expect(need(30_000_000, &dialogue) == [] && dialogue.machine.inOrderCause == .server)
        #expect(dialogue.body(1000) == [.store(at: 1_000_000, count: 1000, excess: 0)])
    }

    @Test("A download of unknown length does not jump")
    func unknownLength() {
        var dialogue = Dialogue()
        _ = dialogue.start()
        _ = dialogue.head(200, [:])
        _ = dialogue.body(1000)
        #expect(need(40_000_000, &dialogue) == [])
    }

    @Test("An interrupted island resumes at the reader's position, not at the first hole")
    func brokenIsland() {
        var dialogue = stranded(at: 30_000_000)
        _ = dialogue.body(100_000)
        _ = need(30_090_000, &dialogue)
        _ = dialogue.end(DownloadStateMachineTests.cut)
        let ask = Machine.RangeRequest.rest(from: 30_100_000 - 5003, to: nil)
        #expect(dialogue.deadline().last == .startTransfer(4, ask, ifRange: Self.tag))
    }

    @Test("A new position ends the wait before a retry immediately; the awaited position does not")
    func whileBackingOff() {
        var dialogue = receiving()
        _ = dialogue.end(DownloadStateMachineTests.cut)
        #expect(need(1_000_000, &dialogue) == [])
        let ask = Machine.RangeRequest.rest(from: 30_000_000, to: nil)
        #expect(need(30_000_000, &dialogue) == [.cancelTransfer, .startTransfer(3, ask, ifRange: Self.tag)])
        #expect(need(30_000_000, &dialogue) == [])
        // Then: this happens once; the next position waits for the deadline.
        _ = dialogue.end(DownloadStateMachineTests.cut)
        #expect(need(10_000_000, &dialogue) == [])
    }

    @Test("A server that sends more than the requested part is cancelled at the end of the part")
    func sendsTheRest() {
        var dialogue = stranded(at: 30_000_000)
        _ = dialogue.body(1_000_000)
        _ = need(1_000_000, &dialogue)
        _ = answer(206, part(994_997), &dialogue)
        let actions = dialogue.body(29_100_000)
        let next = Machine.RangeRequest.rest(from: 31_000_000 - 5003, to: nil)
        #expect(actions.suffix(2) == [.cancelTransfer, .startTransfer(4, next, ifRange: Self.tag)])
    }

    @Test("An existing partial file resumes at the reader's position")
    func whileConnecting() {
        var dialogue = Dialogue()
        _ = dialogue.start(DownloadStateMachineTests.held(1_000_000, of: Self.total))
        let ask = Machine.RangeRequest.rest(from: 30_000_000, to: nil)
        #expect(need(30_000_000, &dialogue) == [.cancelTransfer, .startTransfer(2, ask, ifRange: Self.tag)])
        #expect(need(30_000_000, &dialogue) == [])
    }

    @Test("Stopping during a jump cancels both transfers and saves all bytes")
    func stopped() {
        var dialogue = receiving()
        _ = need(30_000_000, &dialogue)
        let held = DownloadStateMachineTests.held(1_000_000, of: Self.total)
        #expect(dialogue.machine.handle(.stopped) == [.cancelJump, .cancelTransfer, .save(held)])
    }
}
