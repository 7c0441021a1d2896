// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Synchronization
import Testing

@testable import HTTPTransfer

@Suite("CurlTransport: conditions, moves and connections", .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportConditionTests {
    private let feed = FaultScript(body: pattern(50_000), contentType: "text/xml").with {
        ($0.etag, $0.lastModified) = ("W/\"1\"", "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    private func server() throws -> FaultServer {
        let (server, feed) = (try FaultServer(), feed)
        server.handle("/feed") { request, _ in feed.honouringConditions(request) }
        return server
    }

    @Test("A request whose condition matches receives a head of 304 and no body")
    func notModified() async throws {
        let (server, transport) = (try server(), CurlTransport.quick())
        let first = await transport.fetch(HTTPRequest(url: server.url("/feed"), accept: .compressed))
        let conditions = RequestConditions(of: try #require(first.head))
        #expect(conditions == RequestConditions(etag: "W/\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
        let again = await transport.fetch(
            HTTPRequest(url: server.url("/feed"), conditions: conditions, accept: .compressed))
        #expect(again.head?.status == 304 && again.order == [.head, .finished] && again.outcome == .complete)
        let fields = try #require(server.requests.last?.fields)
        #expect(fields["if-none-match"] == conditions.etag)
        #expect(fields["if-modified-since"] == conditions.lastModified)
    }

    @Test("A condition with another tag or another time brings the whole body")
    func changed() async throws {
        let (server, transport) = (try server(), CurlTransport.quick())
        for conditions in [
            RequestConditions(etag: "\"0\"", lastModified: feed.lastModified),
            RequestConditions(lastModified: "Sun, 06 Nov 1994 08:49:36 GMT"),
        ] {
            let record = await transport.fetch(HTTPRequest(url: server.url("/feed"), conditions: conditions))
            #expect(record.head?.status == 200 && record.body == feed.body)
        }
    }

    @Test(
        "A condition with a line break or control character is not sent",
        arguments: ["\"a\"\r\nX-Evil: 1", "", "\u{7F}"])
    func broken(text: String) async throws {
        let (server, transport) = (try server(), CurlTransport.quick())
        let conditions = RequestConditions(etag: text, lastModified: text)
        let record = await transport.fetch(HTTPRequest(url: server.url("/feed"), conditions: conditions))
        #expect(record.head?.status == 200)
        let fields = try #require(server.requests.last?.fields)
        #expect(["if-none-match", "if-modified-since", "x-evil"].allSatisfy { fields[$0] == nil })
    }

    @Test("The head has the permanent address after permanent redirects")
    func moved() async throws {
        let server = try server()
        server.serve("/old", .redirect(to: "/older", code: 301))
        server.serve("/older", .redirect(to: "/tracker", code: 308))
        server.serve("/tracker", .redirect(to: "/feed", code: 302))
        let transport = CurlTransport.quick()
        let moved = await transport.fetch(server.url("/old"))
        #expect(moved.head?.permanentURL == server.url("/tracker") && moved.head?.finalURL == server.url("/feed"))
        #expect(await transport.fetch(server.url("/tracker")).head?.permanentURL == nil)
        #expect(await transport.fetch(server.url("/feed")).head?.permanentURL == nil)
    }

    @Test("Separate credentials are sent to their origin, not to the target of a redirect")
    func credentials() async throws {
        let other = try FaultServer(["/feed": [feed]], on: .second)
        let server = try FaultServer(["/feed": [.redirect(to: other.url("/feed"))]])
        let request = HTTPRequest(
            url: server.url("/feed"), credentials: Credentials(user: "me", password: "secret"))
        let record = await CurlTransport.quick().fetch(request)
        #expect(record.outcome == .complete && record.head?.credentials == .withheld)
        #expect(server.requests.map(\.authorization) == ["Basic bWU6c2VjcmV0"])
        #expect(other.requests.map(\.authorization) == [nil])
        #expect(!"\(request)".contains("secret"))
    }

    @Test("A host gets at most six connections, and all requests are answered")
    func connectionsPerHost() async throws {
        let paths = (0..<20).map { "/\($0)" }
        let server = try FaultServer()
        let arrivals = Atomic(0)
        let areSix = Gate()
        for path in paths {
            server.handle(path) { _, _ in
                // The first ones wait for each other.
                if arrivals.add(1, ordering: .relaxed).newValue == 6 { areSix.open() }
                areSix.pass()
                return feed
            }
        }
        let transport = CurlTransport.quick()
        let outcomes = await withTaskGroup(of: TransferOutcome?.self) { group in
            for path in paths { group.addTask { await transport.fetch(server.url(path)).outcome } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // If fewer arrived, the server still waits.
        areSix.open()
        #expect(outcomes == Array(repeating: .complete, count: paths.count))
        #expect(server.connections <= 6 && server.mostAtOnce == 6)
    }

    @Test(
        "Over TLS many requests share one connection if the server speaks HTTP/2", .enabled(if: NginxServer.isInstalled)
    )
    func multiplexed() async throws {
        let server = try NginxServer(["feed.xml": feed.body], tls: .http2)
        let port = try #require(server.tlsPort, "openssl made no certificate")
        let transport = CurlTransport.quick(certificates: server.certificates)
        let url = "https://127.0.0.1:\(port)/feed.xml"
        // The connection that the others share.
        #expect(await transport.fetch(url).outcome == .complete)
        let records = await withTaskGroup(of: CapturingReceiver.Record.self) { group in
            for _ in 0..<20 { group.addTask { await transport.fetch(HTTPRequest(url: url, accept: .compressed)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(records.allSatisfy { $0.outcome == .complete && $0.body == feed.body })
        // nginx writes its log after the response.
        #expect(await eventually { server.requests.count == 21 })
        #expect(Set(server.requests.map(\.connection)).count == 1)
    }
}
