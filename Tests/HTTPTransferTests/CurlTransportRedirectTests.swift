// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import HTTPTransfer

@Suite("CurlTransport: redirects, passwords and cookies", .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportRedirectTests {
    private let body = pattern(100_000)
    /// The field value for "me:secret" (RFC 7617).
    private let authorization = "Basic bWU6c2VjcmV0"

    private func withLogin(_ url: String) -> String { "http://me:secret@" + url.dropFirst("http://".count) }

    @Test("Range and validator are sent at every hop, and the bodies of redirects are not delivered")
    func range() async throws {
        let far = try FaultServer(["/e": [FaultScript(body: body).with { $0.etag = "\"a\"" }]], on: .second)
        let near = try FaultServer(["/2": [.redirect(to: far.url("/e"), code: 308)]])
        let page = FaultScript.redirect(to: "sub/../2", code: 303).with { $0.body = pattern(30_000) }
        near.serve("/1", page)
        let request = HTTPRequest(url: near.url("/1"), range: 99_000, ifRange: "\"a\"")
        let record = await CurlTransport.quick().fetch(request)
        #expect(record.order == [.head, .body, .finished] && record.outcome == .complete)
        #expect(record.head?.status == 206 && record.head?.finalURL == far.url("/e"))
        #expect(record.body == Array(body[99_000...]))
        for request in near.requests + far.requests {
            #expect(request.range == "bytes=99000-" && request.ifRange == "\"a\"")
            #expect(request.fields["referer"] == nil)
        }
        #expect(near.requests.map(\.connection) == [0, 0])
    }

    @Test("A redirect is followed even if its body is endless, truncated or late")
    func spoiltPages() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: body)]])
        let page = FaultScript.redirect(to: "/e").with { $0.body = pattern(1 << 20) }
        server.serve("/endless", page.with { $0.rate = 1_000_000 })
        server.serve("/cut", page.cut(after: 10))
        server.serve("/none", page.cut(after: 0))
        server.serve("/late", page.stalled(after: 10))
        let transport = CurlTransport.quick(limits: TransferLimits(answer: .seconds(1) * TimeLimit.factor))
        for path in ["/endless", "/cut", "/none", "/late"] {
            let record = await transport.fetch(server.url(path))
            #expect(record.outcome == .complete && record.body == body, "\(path)")
        }
        #expect(server.requests(for: "/endless").first.map { $0.bytesSent < 1 << 20 } ?? false)
    }

    @Test("A password in the address is sent as Basic authentication to its origin only and appears nowhere else")
    func password() async throws {
        let other = try FaultServer(["/e": [FaultScript(body: body)]], on: .second)
        let otherPort = try FaultServer(["/e": [FaultScript(body: body)]])
        let server = try FaultServer([
            "/e": [FaultScript(body: body)], "/near": [.redirect(to: "/e")], "/far": [.redirect(to: other.url("/e"))],
            "/port": [.redirect(to: otherPort.url("/e"))],
        ])
        let transport = CurlTransport.quick()
        for path in ["/near", "/far", "/port"] {
            let record = await transport.fetch(withLogin(server.url(path)))
            #expect(record.outcome == .complete)
            #expect(record.head.map { !$0.finalURL.contains("secret") && !$0.finalURL.contains("me") } ?? false)
        }
        #expect(server.requests.map { $0.fields["authorization"] } == Array(repeating: authorization, count: 4))
        #expect((other.requests + otherPort.requests).map { $0.fields["authorization"] } == [nil, nil])
        #expect(transport.isSilent(about: "secret", in: await transport.fetch(server.url("/e"))))
        #expect(server.requests.last?.fields["authorization"] == nil)
    }

    @Test("A chain that has left the password's origin does not send it there again")
    func thereAndBack() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: body)]])
        let other = try FaultServer(["/back": [.redirect(to: server.url("/e"))]], on: .v6)
        server.serve("/away", .redirect(to: other.url("/back")))
        let record = await CurlTransport.quick().fetch(withLogin(server.url("/away")))
        #expect(record.outcome == .complete && record.head?.credentials == .withheld)
        #expect(server.requests.map { $0.fields["authorization"] } == [authorization, nil])
        #expect(other.requests.first?.fields["authorization"] == nil)
    }

    @Test("A 401 is final and shows if a password was missing or refused")
    func unauthorized() async throws {
        let challenge = FaultScript.status(401, fields: [("WWW-Authenticate", "Basic realm=\"x\"")])
        let other = try FaultServer(["/e": [challenge]], on: .second)
        let server = try FaultServer(["/e": [challenge], "/away": [.redirect(to: other.url("/e"))]])
        let transport = CurlTransport.quick()
        for (url, use) in [
            (server.url("/e"), CredentialUse.none), (withLogin(server.url("/e")), .sent),
            (withLogin(server.url("/away")), .withheld),
        ] {
            let head = try #require(await transport.fetch(url).head)
            #expect(RangeVerdict.judge(head, requested: 0) == .reject(.unauthorized(use)))
        }
        #expect(server.requests(for: "/e").count == 2 && other.requests.count == 1)
    }

    @Test("A site that requires its cookie is passed by sending it back, within one chain only")
    func cookieWall() async throws {
        let server = try FaultServer()
        let body = body
        server.handle("/e") { request, _ in
            guard request.fields["cookie"] != "seen=1" else { return FaultScript(body: body) }
            return .status(302, fields: [("Location", "/e"), ("Set-Cookie", "seen=1; Path=/; Domain=127.0.0.1")])
        }
        let transport = CurlTransport.quick()
        for _ in 1...2 { #expect(await transport.fetch(server.url("/e")).body == body) }
        #expect(server.requests.map { $0.fields["cookie"] } == [nil, "seen=1", nil, "seen=1"])
    }

    @Test("A cookie is not sent to another host")
    func cookieOfAnother() async throws {
        let other = try FaultServer(["/e": [FaultScript(body: body)]], on: .second)
        let cookies = [("Set-Cookie", "id=1"), ("Set-Cookie", "b=2; Domain=127.0.0.2")]
        let script = FaultScript.status(302, fields: [("Location", other.url("/e"))] + cookies)
        let server = try FaultServer(["/1": [script]])
        #expect(await CurlTransport.quick().fetch(server.url("/1")).outcome == .complete)
        #expect(other.requests.map { $0.fields["cookie"] } == [nil])
    }
}

extension CurlTransport {
    /// Returns true if neither the head nor the outcome contains the word.
    fileprivate func isSilent(about word: String, in record: CapturingReceiver.Record) -> Bool {
        !"\(String(describing: record.head)) \(String(describing: record.outcome))".contains(word)
    }
}
