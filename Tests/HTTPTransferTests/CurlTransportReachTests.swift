// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import HTTPTransfer

/// In these tests 127.0.0.2 stands for a server on the internet; the other two hosts are plain loopback addresses.
@Suite("CurlTransport: addresses that a public server may lead to", .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportReachTests {
    private let body = pattern(1000)
    private let transport = CurlTransport.quick(strangers: [.second])

    private func server(_ routes: [String: [FaultScript]] = [:], on host: LoopbackHost) throws -> FaultServer {
        let server = try FaultServer(routes, on: host)
        server.serve("/e", FaultScript(body: body))
        return server
    }

    @Test("An address that the listener typed may be of any class, and the head has the class")
    func typed() async throws {
        for (host, source) in [(LoopbackHost.first, AddressClass.loopback), (.second, .public), (.v6, .loopback)] {
            let server = try server(on: host)
            let record = await transport.fetch(server.url("/e"))
            #expect(record.body == body && record.head?.source == source)
        }
    }

    @Test(
        "A private address that a public feed names is refused without a connection",
        arguments: [LoopbackHost.first, .v6])
    func named(host: LoopbackHost) async throws {
        let inside = try server(on: host)
        let record = await transport.fetch(HTTPRequest(url: inside.url("/e"), reach: .publicOnly()))
        #expect(record.outcome == .failed(.privateAddress(host: host.rawValue)))
        #expect(record.order == [.finished] && inside.connections == 0)
        let outside = try server(on: .second)
        #expect(await transport.fetch(HTTPRequest(url: outside.url("/e"), reach: .publicOnly())).outcome == .complete)
    }

    @Test(
        "Alternative notations of a private address are refused",
        arguments: [
            "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
            "0.0.0.0", "0", "[::]", "localhost", "10.0.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
            "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "255.255.255.255",
        ])
    func disguised(host: String) async throws {
        let inside = try server(on: .first)
        let outside = try server(["/away": [.redirect(to: "http://\(host):\(inside.port)/e")]], on: .second)
        let url = "http://\(host):\(inside.port)/e"
        for request in [HTTPRequest(url: url, reach: .publicOnly()), HTTPRequest(url: outside.url("/away"))] {
            guard case .failed(.privateAddress) = await transport.fetch(request).outcome else {
                Issue.record("\(host) was reached")
                return
            }
        }
        #expect(inside.connections == 0)
    }

    @Test("A redirect from a public to a private address is refused unless the listener has allowed the host")
    func redirect() async throws {
        let inside = try server(on: .first)
        let outside = try server(["/away": [.redirect(to: inside.url("/e"))]], on: .second)
        let denied = await transport.fetch(outside.url("/away"))
        #expect(denied.outcome == .failed(.privateAddress(host: "127.0.0.1")))
        #expect(inside.requests.isEmpty)
        for reach in [AddressScope.any(allowing: ["127.0.0.1"]), .publicOnly(allowing: ["127.0.0.1"])] {
            let allowed = await transport.fetch(HTTPRequest(url: outside.url("/away"), reach: reach))
            #expect(allowed.outcome == .complete)
        }
    }

    @Test("A redirect may lead from private to private or public addresses, but not back to a private one")
    func redirectFromInside() async throws {
        let home = try server(on: .v6)
        let inside = try server(["/home": [.redirect(to: home.url("/e"))]], on: .first)
        let outside = try server(["/in": [.redirect(to: inside.url("/e"))]], on: .second)
        inside.serve("/out", .redirect(to: outside.url("/e")))
        inside.serve("/out-in", .redirect(to: outside.url("/in")))
        #expect(await transport.fetch(inside.url("/home")).outcome == .complete)
        #expect(await transport.fetch(inside.url("/out")).outcome == .complete)
        let record = await transport.fetch(inside.url("/out-in"))
        #expect(record.outcome == .failed(.privateAddress(host: "127.0.0.1")))
    }

    @Test("An open connection is not reused for a request that may not connect to its address")
    func reuse() async throws {
        let inside = try server(on: .first)
        #expect(await transport.fetch(inside.url("/e")).outcome == .complete)
        let record = await transport.fetch(HTTPRequest(url: inside.url("/e"), reach: .publicOnly()))
        #expect(record.outcome == .failed(.privateAddress(host: "127.0.0.1")))
        #expect(inside.requests.count == 1)
    }

    @Test("A proxy on the local network is used, and the check applies to the requested address")
    func proxy() async throws {
        let proxy = try FaultServer()
        proxy.serve("http://podcast.invalid/e", FaultScript(body: body))
        let transport = CurlTransport.quick(proxies: ["http_proxy": proxy.url("")])
        let record = await transport.fetch(HTTPRequest(url: "http://podcast.invalid/e", reach: .publicOnly()))
        #expect(record.outcome == .complete && record.body == body)
        #expect(record.head?.source == nil)
        // The last two are "127.0.0.1" and "localhost" in ASCII.
        for host in ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "１２７.0.0.1", "ｌｏｃａｌｈｏｓｔ"] {
            let denied = await transport.fetch(HTTPRequest(url: "http://\(host)/e", reach: .publicOnly()))
            guard case .failed(.privateAddress) = denied.outcome else {
                Issue.record("\(host): \(String(describing: denied.outcome))")
                return
            }
        }
        #expect(proxy.requests.count == 1)
    }

    @Test("A proxy receives an internationalized name in ASCII, and no host that it could read in another way")
    func proxiedName() async throws {
        let proxy = try FaultServer()
        proxy.serve("http://xn--mnchen-3ya.invalid/e", FaultScript(body: body))
        let transport = CurlTransport.quick(proxies: ["http_proxy": proxy.url("")])
        #expect(await transport.fetch("http://München.invalid/e").body == body)
        for host in ["a@b@127.0.0.1", "127%2e0.0.1", "0x7f.1.", "256.1", "a\\@b|c", "ex℀mple.invalid"] {
            let url = "http://\(host)/e"
            let record = await transport.fetch(url)
            #expect(record.outcome == .failed(.badURL(RedactedURL(url).description)), "\(host)")
        }
        #expect(proxy.requests.count == 1)
    }
}
