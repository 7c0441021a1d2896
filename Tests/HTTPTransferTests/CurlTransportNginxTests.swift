// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Testing

@Suite(
    "CurlTransport and a stock web server", .enabled(if: NginxServer.isInstalled),
    .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportNginxTests {
    private let body = pattern(1_000_000)
    private let feed = Array(String(repeating: "<item/>\n", count: 5000).utf8)

    private func start() throws -> (NginxServer, CurlTransport) {
        (try NginxServer(["e.mp3": body, "feed.xml": feed, "empty.mp3": []]), CurlTransport.quick())
    }

    /// Starts a server with TLS, and a transport that trusts it.
    private func startTLS(
        _ tls: NginxServer.TLSVersion = .http2, redirects: [String: String] = [:]
    ) throws -> (server: NginxServer, tlsPort: UInt16, transport: CurlTransport) {
        let server = try NginxServer(["e.mp3": body], tls: tls, redirects: redirects)
        let port = try #require(server.tlsPort, "openssl made no certificate")
        return (server, port, CurlTransport.quick(certificates: server.certificates))
    }

    @Test("A file arrives identically as a whole and in parts joined by range and validator")
    func parts() async throws {
        let (server, transport) = try start()
        let whole = await transport.fetch(server.url("/e.mp3"))
        #expect(whole.outcome == .complete)
        #expect(whole.body == body)
        let validator = try #require(whole.head?.validator)
        let known = Representation(validator: validator, total: whole.head?.contentLength)
        var joined: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: 300_001) {
            let request = HTTPRequest(
                url: server.url("/e.mp3"), range: Int64(start), rangeEnd: Int64(start + 300_001),
                ifRange: validator.headerText)
            let part = await transport.fetch(request)
            let head = try #require(part.head)
            #expect(
                RangeVerdict.judge(head, requested: Int64(start), known: known) == .append(total: Int64(body.count)))
            joined += part.body
        }
        #expect(joined == body)
    }

    @Test("A request after the end means complete, and another validator means changed")
    func edges() async throws {
        let (server, transport) = try start()
        let total = Int64(body.count)
        let behind = await transport.fetch(HTTPRequest(url: server.url("/e.mp3"), range: total))
        let known = Representation(total: total)
        #expect(
            RangeVerdict.judge(try #require(behind.head), requested: total, known: known)
                == .alreadyComplete(total: total))
        let other = await transport.fetch(
            HTTPRequest(url: server.url("/e.mp3"), range: 5, ifRange: "\"other\""),
            CapturingReceiver(acceptsHead: false))
        let begun = Representation(validator: .strongETag("\"other\""), total: total)
        guard case .changed = RangeVerdict.judge(try #require(other.head), requested: 5, known: begun) else {
            Issue.record("a different version was accepted as the same")
            return
        }
    }

    @Test("A feed arrives compressed and is decoded; media arrives without a coding")
    func codings() async throws {
        let (server, transport) = try start()
        let record = await transport.fetch(HTTPRequest(url: server.url("/feed.xml"), accept: .compressed))
        #expect(record.head?.contentCoding == "gzip")
        #expect(record.body == feed)
        #expect(await transport.fetch(server.url("/e.mp3")).head?.contentCoding == nil)
    }

    @Test("An empty or missing file has a head and no audio")
    func nothing() async throws {
        let (server, transport) = try start()
        let empty = await transport.fetch(server.url("/empty.mp3"))
        #expect(empty.outcome == .complete)
        #expect(empty.head?.contentLength == 0)
        #expect(empty.body.isEmpty)
        let missing = await transport.fetch(server.url("/missing.mp3"))
        #expect(RangeVerdict.judge(try #require(missing.head), requested: 0) == .reject(.status(404)))
    }

    @Test("A self-signed certificate is refused and given as the reason")
    func selfSigned() async throws {
        let (server, port, _) = try startTLS()
        defer { withExtendedLifetime(server) {} }
        let record = await CurlTransport.quick().fetch("https://127.0.0.1:\(port)/e.mp3")
        guard case .failed(.tls(let detail)) = record.outcome else {
            Issue.record("\(String(describing: record.outcome))")
            return
        }
        #expect(detail.hasPrefix("127.0.0.1: SSL certificate problem"))
        #expect(record.head == nil)
    }

    @Test(
        "Over TLS, files arrive identically beside each other", arguments: [NginxServer.TLSVersion.http1, .http2])
    func besideEachOther(tls: NginxServer.TLSVersion) async throws {
        let (server, port, transport) = try startTLS(tls)
        defer { withExtendedLifetime(server) {} }
        let receivers = (0..<8).map { _ in CapturingReceiver() }
        for receiver in receivers {
            transport.start(HTTPRequest(url: "https://127.0.0.1:\(port)/e.mp3"), receiver: receiver)
        }
        for receiver in receivers {
            let record = await receiver.result
            #expect(record.outcome == .complete && record.body == body)
            #expect(record.head?.marksEnd == (tls == .http2))
        }
    }

    @Test("HTTP/2 marks the end of a body, HTTP/1.1 does not")
    func endOfBody() async throws {
        let (server, port, transport) = try startTLS()
        #expect(await transport.fetch("https://127.0.0.1:\(port)/e.mp3").head?.marksEnd == true)
        #expect(await transport.fetch(server.url("/e.mp3")).head?.marksEnd == false)
    }

    @Test("With a password https is never left for http; without one it is, and the head has the final address")
    func downgrade() async throws {
        let (server, port, transport) = try startTLS(redirects: [
            "/down": "HTTP:/e.mp3", "/up": "HTTPS:/e.mp3", "/up-down": "HTTPS:/down", "/in": "HTTPS:/e.mp3",
        ])
        let refused = await transport.fetch("https://me:secret@127.0.0.1:\(port)/down")
        #expect(refused.outcome == .failed(.insecureRedirect(host: "127.0.0.1")))
        #expect(refused.order == [.finished])
        let upDown = await transport.fetch("http://me:secret@127.0.0.1:\(server.port)/up-down")
        #expect(upDown.outcome == .failed(.insecureRedirect(host: "127.0.0.1")))
        let followed = await transport.fetch("https://127.0.0.1:\(port)/down")
        #expect(followed.body == body && followed.head?.finalURL == server.url("/e.mp3"))
        let upgraded = await transport.fetch("http://me:secret@127.0.0.1:\(server.port)/up")
        #expect(upgraded.body == body && upgraded.head?.credentials == .withheld)
        let within = await transport.fetch("https://me:secret@127.0.0.1:\(port)/in")
        #expect(within.body == body && within.head?.credentials == .sent)
        #expect(within.head?.finalURL == "https://127.0.0.1:\(port)/e.mp3")
    }

    @Test("The address check applies to TLS and its reused connections too")
    func reach() async throws {
        let (server, port, transport) = try startTLS()
        defer { withExtendedLifetime(server) {} }
        let url = "https://127.0.0.1:\(port)/e.mp3"
        for _ in 1...2 {
            let denied = await transport.fetch(HTTPRequest(url: url, reach: .publicOnly()))
            #expect(denied.outcome == .failed(.privateAddress(host: "127.0.0.1")))
            #expect(await transport.fetch(url).outcome == .complete)
        }
    }
}
