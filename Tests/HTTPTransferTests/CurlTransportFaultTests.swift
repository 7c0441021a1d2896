// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Testing

@Suite("CurlTransport and faults", .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportFaultTests {
    private let body = pattern(300_000)

    private func outcome(_ script: FaultScript) async throws -> CapturingReceiver.Record {
        let server = try FaultServer(["/e": [script]])
        return await CurlTransport.quick().fetch(server.url("/e"))
    }

    @Test("Ten redirects are followed, and the head is that of the last response")
    func redirects() async throws {
        let server = try FaultServer(["/0": [FaultScript(body: body)]])
        for step in 1...10 { server.serve("/\(step)", .redirect(to: "/\(step - 1)", code: step % 2 == 0 ? 301 : 307)) }
        let record = await CurlTransport.quick().fetch(HTTPRequest(url: server.url("/10"), range: 100_000))
        #expect(record.outcome == .complete)
        #expect(record.order == [.head, .body, .finished])
        #expect(record.head?.status == 206)
        #expect(record.head?.finalURL == server.url("/0"))
        #expect(record.body == Array(body[100_000...]))
        #expect(server.requests.allSatisfy { $0.range == "bytes=100000-" })
    }

    @Test("The eleventh redirect is refused, and a loop when it closes")
    func tooManyRedirects() async throws {
        let server = try FaultServer(["/0": [FaultScript(body: body)], "/loop": [.redirect(to: "/loop")]])
        for step in 1...11 { server.serve("/\(step)", .redirect(to: "/\(step - 1)")) }
        server.serve("/there", .redirect(to: "/back"))
        server.serve("/back", .redirect(to: "/there"))
        for path in ["/11", "/loop", "/there"] {
            let record = await CurlTransport.quick().fetch(server.url(path))
            #expect(record.outcome == .failed(.tooManyRedirects))
            #expect(record.order == [.finished])
        }
        #expect(server.requests.count == 11 + 1 + 2)
    }

    @Test("A redirect without Location fails")
    func redirectToNowhere() async throws {
        let record = try await outcome(.status(302))
        #expect(record.outcome == .failed(.redirectWithoutLocation))
        #expect(record.order == [.finished])
    }

    @Test(
        "Other schemes are refused, whether requested or redirected to",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:70/_x", "dict://127.0.0.1/x",
            "smb://127.0.0.1/x", "scp://127.0.0.1/x", "data:audio/mpeg;base64,AAAA", "unix:/run/x",
        ])
    func forbiddenScheme(target: String) async throws {
        let scheme = String(target.prefix { $0 != ":" })
        let redirected = try await outcome(.redirect(to: target))
        #expect(redirected.outcome == .failed(.forbiddenScheme(scheme)))
        #expect(redirected.order == [.finished])
        #expect(await CurlTransport.quick().fetch(target).outcome == .failed(.forbiddenScheme(scheme)))
    }

    @Test("An unknown host is named without the secrets of its address")
    func unknownHost() async {
        let record = await CurlTransport.quick().fetch("http://me:secret@no.such.host.invalid/e?token=secret")
        #expect(record.outcome == .failed(.unknownHost("no.such.host.invalid")))
    }

    @Test("A refused connection fails with the system's reason")
    func refusedConnection() async throws {
        let port = try RefusingPort()
        let record = await CurlTransport.quick().fetch(port.url("/e"))
        let refused = TransferError.cannotConnect(host: "127.0.0.1", reason: SystemError.phrase(of: ECONNREFUSED))
        #expect(record.outcome == .failed(refused))
    }

    @Test("A server without TLS on an https address is a TLS failure")
    func noTLS() async throws {
        let server = try FaultServer()
        let record = await CurlTransport.quick().fetch("https://127.0.0.1:\(server.port)/e")
        guard case .failed(.tls(let detail)) = record.outcome else {
            Issue.record("\(String(describing: record.outcome))")
            return
        }
        #expect(detail.hasPrefix("127.0.0.1: "))
    }

    @Test("A malformed address is refused", arguments: ["http://", "http://[::1", "", "http://a b/"])
    func badURL(url: String) async {
        let record = await CurlTransport.quick().fetch(url)
        #expect(record.outcome == .failed(.badURL(RedactedURL(url).description)))
    }

    @Test("A body that ends before its length fails and is never complete")
    func truncated() async throws {
        let record = try await outcome(FaultScript(body: body).cut(after: 123_456))
        #expect(record.outcome == .failed(.closedEarly(received: 123_456)))
        #expect(record.body == Array(body[..<123_456]))
    }

    @Test("A chunked body that ends early or has a malformed chunk fails")
    func truncatedChunks() async throws {
        let cut = try await outcome(FaultScript(body: body).cut(after: 50_000).with { $0.framing = .chunked })
        #expect(cut.outcome == .failed(.closedEarly(received: 50_000)))
        let broken = try await outcome(FaultScript(body: body).with { $0.framing = .brokenChunked })
        guard case .failed(.connectionLost(received: 163_840, _)) = broken.outcome else {
            Issue.record("\(String(describing: broken.outcome))")
            return
        }
        #expect(broken.body == Array(body[..<163_840]))
    }

    @Test("A length that is too large fails as interrupted; a length that is too small ends the body there")
    func wrongLength() async throws {
        let long = try await outcome(FaultScript(body: body).with { $0.framing = .declaredLength(400_000) })
        #expect(long.outcome == .failed(.closedEarly(received: 300_000)))
        let short = try await outcome(FaultScript(body: body).with { $0.framing = .declaredLength(200_000) })
        #expect(short.outcome == .complete)
        #expect(short.body == Array(body[..<200_000]))
    }

    @Test("The bytes received before a reset are counted")
    func reset() async throws {
        let record = try await outcome(FaultScript(body: body).cut(after: 100_000, .reset))
        let reason = SystemError.phrase(of: ECONNRESET)
        #expect(record.outcome == .failed(.connectionLost(received: Int64(record.body.count), reason: reason)))
        #expect(record.body == Array(body[..<record.body.count]))
    }

    @Test("A connection that closes without a response fails with 0 bytes")
    func mute() async throws {
        let record = try await outcome(FaultScript().with { $0.isMute = true })
        let reason = "the server closed it without a response"
        #expect(record.outcome == .failed(.connectionLost(received: 0, reason: reason)))
    }

    @Test("A stall ends in a timeout, before the head and in the body")
    func stall() async throws {
        let server = try FaultServer([
            "/mute": [FaultScript(body: body).with { $0.latency = .seconds(60) }],
            "/stalled": [FaultScript(body: body).stalled(after: 20_000)],
        ])
        let limits = TransferLimits(answer: .seconds(1) * TimeLimit.factor, silence: .seconds(1))
        let transport = CurlTransport.quick(limits: limits)
        async let mute = transport.fetch(server.url("/mute"))
        async let stalled = transport.fetch(server.url("/stalled"))
        #expect(await mute.outcome == .failed(.timedOut(.waiting)))
        #expect(await stalled.outcome == .failed(.timedOut(.receiving)))
        #expect(await stalled.body == Array(body[..<20_000]))
    }

    @Test("A head of more than 64 KiB is refused")
    func hugeHead() async throws {
        for field in [String(repeating: "x", count: 1000), String(repeating: "x", count: 90_000)] {
            let script = FaultScript(body: body).with {
                $0.fields = Array(repeating: ("X-Field", field), count: 90_000 / field.count + 1)
            }
            let record = try await outcome(script)
            #expect(record.outcome == .failed(.headersTooLarge))
            #expect(record.order == [.finished])
        }
    }

    @Test("A header line of a megabyte is refused without a hang or crash")
    func hugeLine() async throws {
        let script = FaultScript(body: body).with { $0.fields = [("X", String(repeating: "x", count: 1_000_000))] }
        let record = try await outcome(script)
        #expect(record.outcome == .failed(.headersTooLarge))
    }

    @Test("An If-Range with a line break is not sent")
    func smuggling() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: body)]])
        let request = HTTPRequest(url: server.url("/e"), range: 5, ifRange: "\"a\"\r\nX-Evil: 1")
        guard case .failed(.protocolError) = await CurlTransport.quick().fetch(request).outcome else {
            Issue.record("the request was sent")
            return
        }
        #expect(server.requests.isEmpty)
    }
}
