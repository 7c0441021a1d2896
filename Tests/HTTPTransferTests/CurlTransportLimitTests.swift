// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import HTTPTransfer

@Suite("CurlTransport limits", .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportLimitTests {
    private let body = pattern(200_000)

    private func fetch(
        _ script: FaultScript, accept: ContentCodings = .identity, longestBody: Int64? = nil
    ) async throws -> CapturingReceiver.Record {
        let server = try FaultServer(["/e": [script]])
        let request = HTTPRequest(url: server.url("/e"), accept: accept, longestBody: longestBody)
        return await CurlTransport.quick().fetch(request)
    }

    @Test("A body longer than allowed fails before its first byte if the length is declared, else at the limit")
    func longestBody() async throws {
        #expect(try await fetch(FaultScript(body: body), longestBody: 200_000).outcome == .complete)
        let declared = try await fetch(FaultScript(body: body), longestBody: 199_999)
        #expect(declared.outcome == .failed(.bodyTooLong(limit: 199_999)) && declared.order == [.finished])
        let chunked = FaultScript(body: body).with { $0.framing = .chunked }
        let counted = try await fetch(chunked, longestBody: 150_000)
        #expect(counted.outcome == .failed(.bodyTooLong(limit: 150_000)))
        #expect(counted.body == Array(body[..<counted.body.count]) && counted.body.count <= 150_000)
    }

    @Test("The limit of a compressed feed applies to the decoded bytes")
    func bomb() async throws {
        let bomb = FaultScript(body: Self.bomb, contentType: "application/rss+xml").with {
            $0.fields = [("Content-Encoding", "gzip")]
        }
        let record = try await fetch(bomb, accept: .compressed, longestBody: 1 << 20)
        #expect(Self.bomb.count < 20_000)
        #expect(record.outcome == .failed(.bodyTooLong(limit: 1 << 20)))
        #expect(record.body.count <= 1 << 20 && record.body.allSatisfy { $0 == 0x20 })
    }

    @Test("A body that expands a hundredfold is cancelled long before its limit")
    func swelling() async throws {
        let bomb = FaultScript(body: GzipBomb.bytes, contentType: "application/rss+xml").with {
            $0.fields = [("Content-Encoding", "gzip")]
        }
        let record = try await fetch(bomb, accept: .compressed, longestBody: 1 << 30)
        #expect(record.outcome == .failed(.bodyExpandsTooMuch(factor: 100)) && record.body.count < 16 << 20)
    }

    @Test(
        "Impossible lengths are refused or ignored, and nothing traps",
        arguments: [
            "-1", "-9223372036854775808", "4611686018427387904", "9223372036854775807", "9223372036854775808",
            "18446744073709551616", "99999999999999999999999999", "1e5", "0x10", "5, 6", "abc", "",
        ])
    func strangeLength(text: String) async throws {
        let script = FaultScript(body: body).with {
            $0.framing = .untilClose
            $0.fields = [("Content-Length", text)]
        }
        let record = try await fetch(script)
        #expect(record.head?.contentLength.map { (0..<1 << 50).contains($0) } ?? true)
        #expect(record.body == Array(body[..<record.body.count]))
        #expect(record.outcome != nil && record.outcome != .refused)
    }

    @Test("Two different lengths are refused, equal ones count once, and chunked framing overrides them")
    func twoLengths() async throws {
        for other in [5, 300_000] {
            let script = FaultScript(body: body).with { $0.fields = [("Content-Length", "\(other)")] }
            let record = try await fetch(script)
            guard case .failed(.protocolError) = record.outcome else {
                Issue.record("\(String(describing: record.outcome))")
                return
            }
            #expect(record.body.isEmpty)
        }
        let same = FaultScript(body: body).with { $0.fields = [("Content-Length", "200000")] }
        #expect(try await fetch(same).body == body)
        let chunked = FaultScript(body: body).with {
            $0.framing = .chunked
            $0.fields = [("Content-Length", "5")]
        }
        let record = try await fetch(chunked)
        #expect(record.outcome == .complete && record.body == body && record.head?.contentLength == nil)
    }

    @Test("Interim responses are limited to 256 KiB of headers")
    func interimFlood() async throws {
        let flood = FaultScript(body: body).with { $0.interim = Array(repeating: 103, count: 10_000) }
        #expect(try await fetch(flood).outcome == .failed(.headersTooLarge))
        let few = FaultScript(body: body).with { $0.interim = [100, 102, 103] }
        #expect(try await fetch(few).body == body)
    }

    @Test("A request on a reused connection that closes without a response is sent again, with its range")
    func idleClose() async throws {
        let server = try FaultServer([
            "/1": [FaultScript(body: body)],
            "/2": [FaultScript().with { $0.isMute = true }, FaultScript(body: body)],
        ])
        let transport = CurlTransport.quick()
        #expect(await transport.fetch(server.url("/1")).outcome == .complete)
        let record = await transport.fetch(HTTPRequest(url: server.url("/2"), range: 150_000))
        #expect(record.outcome == .complete && record.body == Array(body[150_000...]))
        #expect(server.requests.map(\.connection) == [0, 0, 1])
        #expect(server.requests.map(\.range) == [nil, "bytes=150000-", "bytes=150000-"])
    }

    @Test("A slow connection is kept while no pause exceeds the timeout")
    func trickle() async throws {
        let script = FaultScript(body: Array(body[..<80])).with { $0.rate = 50 }
        let server = try FaultServer(["/e": [script]])
        let limit = Duration.seconds(1) * TimeLimit.factor
        let limits = TransferLimits(answer: limit, silence: limit)
        let record = await CurlTransport.quick(limits: limits).fetch(server.url("/e"))
        #expect(record.outcome == .complete && record.body.count == 80)
        #expect(server.requests.count == 1)
    }

    @Test("A feed that arrives too slowly times out, also without codings", arguments: [false, true])
    func slowFeed(isMislabelled: Bool) async throws {
        let script = FaultScript(body: Array(body[..<500])).with {
            $0.rate = 50
            // The feed is requested again without codings.
            if isMislabelled { $0.fields = [("Content-Encoding", "utf-8")] }
        }
        let server = try FaultServer(["/e": [script]])
        let limits = TransferLimits(slowTime: .milliseconds(300))
        let record = await CurlTransport.quick(limits: limits)
            .fetch(HTTPRequest(url: server.url("/e"), accept: .compressed))
        #expect(record.outcome == .failed(.timedOut(.receiving)))
    }

    /// 16 MiB of spaces as gzip: one literal, then matches of 258 bytes at distance 1 with fixed codes (RFC 1951
    /// 3.2.6).
    private static let bomb: [UInt8] = {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var (held, count): (UInt32, UInt32) = (0, 0)
        func put(_ value: UInt32, _ bits: UInt32) {
            held |= value << count
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: held))
                (held, count) = (held >> 8, count - 8)
            }
        }
        /// Appends a Huffman code, highest bit first.
        func putCode(_ code: UInt32, _ bits: UInt32) {
            for bit in (0..<bits).reversed() { put(code >> bit & 1, 1) }
        }
        put(0b011, 3)
        putCode(0x30 + 0x20, 8)
        for _ in 0..<(12_000) {
            putCode(0b1100_0101, 8)
            putCode(0, 5)
        }
        putCode(0, 7)
        put(0, 7)
        return bytes
    }()
}
