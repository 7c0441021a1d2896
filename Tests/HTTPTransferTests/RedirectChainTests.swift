// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer
import Testing

@Suite("RedirectChain")
struct RedirectChainTests {
    private static let home = "https://me:secret@a.example/e"

    /// Follows redirects in turn, each from an address of class `source`.
    private func follow(
        _ url: String, _ locations: String..., from source: AddressClass = .public
    ) throws -> RedirectChain {
        var chain = try RedirectChain(url, reach: .any)
        for location in locations { try chain.follow(["Location": location], from: source) }
        return chain
    }

    @Test("A redirect has one of five statuses")
    func statuses() {
        #expect((0..<1000).filter(RedirectChain.isRedirect) == [301, 302, 303, 307, 308])
    }

    @Test("Credentials go only to their origin, and to no host once the chain has left it")
    func credentials() throws {
        #expect(try follow(Self.home).login == Credentials(user: "me", password: "secret"))
        let within = try follow(Self.home, "/b", "https://a.example:443/c", "https://A.EXAMPLE/d")
        #expect(within.login != nil && within.credentialUse == .sent)
        for away in ["https://b.example/", "https://a.example:444/", "https://a.example./", "https://x@a.example.b/"] {
            let left = try follow(Self.home, away)
            #expect(left.login == nil && left.credentialUse == .withheld)
            #expect(try follow(Self.home, away, "https://a.example/back").login == nil)
        }
    }

    @Test(
        "An address in a feed with a password uses that password if both have one origin",
        arguments: [
            ("https://a.example/e.mp3", "me"), ("https://you:x@a.example/e.mp3", "you"),
            ("http://a.example/e.mp3", nil), ("https://a.example:444/e.mp3", nil), ("https://b.example/e.mp3", nil),
        ] as [(String, String?)])
    func namedByFeed(url: String, user: String?) throws {
        #expect(try RedirectChain(url, namedBy: Self.home, reach: .any).login?.user == user)
        #expect(try RedirectChain("https://a.example/", namedBy: "no address", reach: .any).login == nil)
    }

    @Test(
        "Separate credentials go to the origin of the requested address, or of the feed that names it",
        arguments: [
            (nil, "https://a.example/e", "stored"), (nil, "https://you:x@a.example/e", "you"),
            ("https://a.example/feed", "https://a.example/e", "stored"),
            ("https://me:x@a.example/feed", "https://a.example/e", "me"),
            ("https://a.example/feed", "https://b.example/e", nil), ("no address", "https://a.example/e", nil),
        ] as [(String?, String, String?)])
    func givenApart(feed: String?, url: String, user: String?) throws {
        let stored = Credentials(user: "stored", password: "x")
        #expect(try RedirectChain(url, namedBy: feed, credentials: stored, reach: .any).login?.user == user)
    }

    @Test(
        "The permanent address is the target of the leading permanent redirects",
        arguments: [
            ([], nil), ([301], "/1"), ([308, 301], "/2"), ([301, 302, 301], "/1"), ([302, 301], nil), ([307], nil),
        ] as [([Int], String?)])
    func permanent(statuses: [Int], path: String?) throws {
        var chain = try RedirectChain("https://me:secret@a.example/0", reach: .any)
        for (hop, status) in statuses.enumerated() {
            try chain.follow(["Location": "/\(hop + 1)"], status: status, from: .public)
        }
        #expect(chain.permanentAddress?.text == path.map { "https://a.example" + $0 })
    }

    @Test(
        "A chain is proven if it uses TLS throughout or starts by upgrading the same address to TLS",
        arguments: [
            (["https://a.example/f"], true), (["http://a.example/f"], false),
            (["https://a.example/f", "https://b.example/g", "/h"], true),
            (["https://a.example/f", "http://b.example/g", "https://c.example/h"], false),
            (["http://a.example/f", "https://a.example/f"], true),
            (["http://a.example/f", "https://a.example/f", "https://b.example/g"], true),
            (["http://a.example/f", "https://a.example/g"], false),
            (["http://a.example/f", "https://b.example/f", "https://a.example/f"], false),
            (["http://a.example:8080/f", "https://a.example/f"], false),
        ] as [([String], Bool)])
    func proven(addresses: [String], isProven: Bool) throws {
        var chain = try RedirectChain(addresses[0], reach: .any)
        for address in addresses.dropFirst() { try chain.follow(["Location": address], from: .public) }
        #expect(chain.isProven == isProven)
    }

    @Test("A redirect cannot supply credentials")
    func foreignCredentials() throws {
        let chain = try follow("https://a.example/", "https://you:other@a.example/b")
        #expect(chain.login == nil && chain.credentialUse == .none)
        #expect(chain.address.text == "https://a.example/b")
        #expect(try follow(Self.home, "https://you:other@a.example/b").login?.user == "me")
    }

    @Test("With credentials https never becomes http, on any host or later hop; without them it may")
    func downgrade() throws {
        #expect(throws: TransferError.insecureRedirect(host: "a.example")) {
            try follow(Self.home, "http://a.example/e")
        }
        #expect(throws: TransferError.insecureRedirect(host: "c.example")) {
            try follow(Self.home, "https://b.example/", "http://c.example/")
        }
        #expect(try follow("https://a.example/", "http://a.example/").address.origin.scheme == .http)
        let upgraded = try follow("http://me:pw@a.example/", "https://a.example/")
        #expect(upgraded.login == nil && upgraded.credentialUse == .withheld)
    }

    @Test("Ten hops are followed, and a loop ends where it closes")
    func circles() throws {
        var chain = try RedirectChain("http://a.example/0", reach: .any)
        for hop in 1...10 { try chain.follow(["Location": "/\(hop)"], from: .public) }
        #expect(throws: TransferError.tooManyRedirects) { try chain.follow(["Location": "/11"], from: .public) }
        #expect(throws: TransferError.tooManyRedirects) { try follow("http://a.example/0", "/0") }
        #expect(throws: TransferError.tooManyRedirects) { try follow("http://a.example/0", "/1#x", "0#y") }
    }

    @Test("A redirect to itself with a cookie is not a loop until the cookie does not help")
    func cookieWall() throws {
        var chain = try RedirectChain("http://a.example/e", reach: .any)
        let wall: HeaderFields = ["Location": "/e", "Set-Cookie": "seen=1; Path=/"]
        try chain.follow(wall, from: .public)
        #expect(chain.cookieField == "seen=1")
        #expect(throws: TransferError.tooManyRedirects) { try chain.follow(wall, from: .public) }
    }

    @Test(
        "A redirect without a target is refused",
        arguments: [[:], ["Location": ""], ["Location": "  "]] as [HeaderFields])
    func nowhere(fields: HeaderFields) throws {
        var chain = try RedirectChain("http://a.example/e", reach: .any)
        #expect(throws: TransferError.redirectWithoutLocation) { try chain.follow(fields, from: .public) }
    }

    @Test("After a public hop only public addresses are allowed; among private ones all are")
    func reach() throws {
        #expect(try follow("http://a.example/", "/b").addressScope == .publicOnly())
        #expect(try follow("http://10.0.0.1/", "/b", from: .privateNetwork).addressScope == .any)
        var mixed = try follow("http://10.0.0.1/", "http://a.example/", from: .privateNetwork)
        try mixed.follow(["Location": "/c"], from: .public)
        try mixed.follow(["Location": "/d"], from: .loopback)
        #expect(mixed.addressScope == .publicOnly())
    }
}

@Suite("CookieJar")
struct CookieJarTests {
    private func origin(_ url: String) throws -> WebAddress.Origin { try WebAddress.parse(url).0.origin }

    private func jar(_ lines: String..., from url: String = "http://a.example/") throws -> CookieJar {
        var jar = CookieJar()
        var fields = HeaderFields()
        for line in lines { fields.append("Set-Cookie", line) }
        jar.keep(fields, from: try origin(url))
        return jar
    }

    @Test("Cookies are sent together, and a later one replaces its namesake")
    func together() throws {
        let jar = try jar("a=1; HttpOnly", " b = 2 ;Path=/x", "a=3", "c=")
        #expect(jar.field(for: try origin("http://a.example/y")) == "b=2; a=3; c=")
    }

    @Test(
        "A cookie is sent to no other host, even if its Domain allows it",
        arguments: ["b.a.example", "example", "a.example.b", "127.0.0.1"])
    func otherHost(host: String) throws {
        #expect(try jar("a=1; Domain=example").field(for: try origin("http://\(host)/")) == nil)
    }

    @Test("A cookie from https is sent over https only, one from http over both")
    func secure() throws {
        let secure = try jar("a=1", from: "https://a.example/")
        #expect(secure.field(for: try origin("http://a.example/")) == nil)
        #expect(secure.field(for: try origin("https://a.example/")) == "a=1")
        #expect(try jar("a=1").field(for: try origin("https://a.example/")) == "a=1")
    }

    @Test("An expired, unnamed or oversized cookie is not kept")
    func refused() throws {
        let long = "x=" + String(repeating: "y", count: 4096)
        let jar = try jar("a=1", "a=; Max-Age=0", "b=1; max-age = -5", "=1", "none", "", ";", "c=\u{1}", long)
        #expect(jar.field(for: try origin("http://a.example/")) == nil)
        var many = CookieJar()
        for number in 0..<100 { many.keep(["Set-Cookie": "c\(number)=1"], from: try origin("http://a.example/")) }
        #expect(many.field(for: try origin("http://a.example/"))?.split(separator: ";").count == 32)
    }
}
