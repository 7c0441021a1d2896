// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import HTTPTransfer

/// docs/decisions/0058-one-url-type.md: libcurl decides where a transfer goes, and `WebURL` says it before.
@Suite("Agreement of WebURL and libcurl")
struct URLAgreementTests {
    /// The parts on which the security of a transfer depends. A numeric host is in the form of its bytes.
    private struct Parts: Equatable {
        let scheme, host, path: String?
        let port: Int?

        init(_ url: WebURL) {
            (scheme, port, path) = (url.scheme, url.portNumber, url.path.isEmpty ? "/" : String(url.path))
            host = url.host.map { Self.normalized(String($0)) }
        }

        init(_ url: borrowing CurlURL) {
            (scheme, port, path) = (url.scheme, url.port, url.path)
            host = url.host.map(Self.normalized)
        }

        private static func normalized(_ host: String) -> String {
            IPAddress(numericHost: host).map { "\($0.bytes)" } ?? host.lowercased()
        }
    }

    private func isAccepted(_ text: String) -> Bool {
        do throws(TransferError) { _ = try WebAddress.parse(text) } catch { return false }
        return true
    }

    /// - Returns: the parts if both accept the text and agree, else `nil`.
    private func agreedParts(_ text: String) -> Parts? {
        let url = WebURL(text)
        guard url.isWeb, let other = CurlURL(text) else { return nil }
        let parts = Parts(url)
        return parts == Parts(other) ? parts : nil
    }

    @Test(
        "Both split a usual URL alike",
        arguments: [
            "http://h", "http://h/", "HTTP://H.example/A?b#c", "https://me:pw@h.example:8443/a/b.mp3?c=d&e",
            "http://h?a/b@c", "http://h#@g/", "http://h:/", "http://h:00080/a", "http://h:0/", "http://:@h/",
            "http://u\\v@h/", "http://u:p:q@h/", "http://u;o=x@h/", "http:/h/a", "http:///h/a", "http://h//a//b/",
            "http://h/a/../b/./c/..", "http://h/a/%2e%2e/%c3%bc", "http://127.1/", "http://0x7f.0.0.1/", "http://0/",
            "http://2130706433/", "http://0177.0.0.1/", "http://[::1]/", "http://[0:0::0001]:81/",
            "http://[::FFFF:127.0.0.1]/", "http://[fe80::1%25eth0]/", "http://a_b-c.d~/", "http://münchen.example/",
            "http://a./", "http://a..b/", "http://h/a\\b", "http://h/?", "http://xn--mnchen-3ya.example/",
        ])
    func usual(text: String) {
        #expect(agreedParts(text) != nil)
        #expect(isAccepted(text))
    }

    @Test(
        "A URL that the two split differently, or that only one accepts, is refused",
        arguments: [
            // libcurl ends the user name at the first "@", and decodes percent signs in the host.
            "http://a@b@h/", "http://a%2eb/", "http://127%2e0.0.1/", "http://a%00b/", "http://a%2Fb/",
            // libcurl accepts other characters in a host than WebURL, and fewer slashes.
            "http://a|b/", "http:////h/", "http://[::g]/", "http://[::1%]/",
            "http://a\\b/", "http://a,b/", "http://a;b/", "http://(a)/", "http://a!/", "http://[v1.x]/",
            "http://h:80:90/", "http://::1/", "http://h:+80/", "http://h:65536/", "http://h:8 0/", "http:h/",
            // A host that ends in a number is an address, and a malformed one is refused.
            "http://256.1.1.1/", "http://1.2.3.4.5/", "http://08.0.0.1/", "http://4294967296/", "http://0x7f.1./",
            "http://127.0.0.1../", "http://h.0x/", "http://h.example.1/",
            // The ASCII forms are "exa/mple.com", "0x7f.1." and "a@b".
            "http://ex℀mple.com/", "http://０x7f.1./", "http://a＠b/",
        ])
    func different(text: String) {
        #expect(!isAccepted(text))
    }

    @Test(
        "The host is checked in the ASCII form to which libcurl connects",
        arguments: [
            ("http://１２７.0.0.1/e", "127.0.0.1"), ("http://127。0。0。1/e", "127.0.0.1"),
            ("http://０x7f.1/e", "127.0.0.1"), ("http://ｌｏｃａｌｈｏｓｔ/e", "localhost"),
            ("http://nas.ｌｏｃａｌ/e", "nas.local"), ("http://München.example/e", "xn--mnchen-3ya.example"),
        ])
    func international(text: String, host: String) throws {
        let (address, _) = try WebAddress.parse(text)
        #expect(address.origin.host == host)
        #expect(address.text == "http://\(host)/e")
    }

    private static let pieces: [[String]] = [
        ["http://", "https://", "http://", "HTTPS://", "http:/", "http:///", "http:////", "http:", "//", "ftp://", ""],
        ["", "", "", "me@", "me:pw@", ":@", "a@b@", "u\\v@", "u%40@", "ü:p@", "a:80@", "[::1]@"],
        [
            "h", "h.example", "H.Example.", "127.0.0.1", "127.1", "0x7F.1", "2130706433", "017700000001", "1.2.3.256",
            "127.0.0.1.", "[::1]", "[::FFFF:7f00:1]", "[fe80::1%25eth0]", "[::1%eth0]", "[::1", "a%2eb", "a_b", "a~b",
            "a|b", "a,b", "münchen.example", "１２７.0.0.1", "ex℀mple", "", ".", "localhost", "-", "xn--a", "1", "0x",
        ],
        ["", "", "", ":", ":80", ":0080", ":443", ":65536", ":a", ":1:2", ":-1", ":8@g", ":80\\"],
        ["", "/", "/a", "//a", "/a/../b", "/./..//", "/@g", "/a:b@c/", "/%2e%2e/%C3", "\\g", "/ü", "/a b", "/\\g/"],
        ["", "", "?", "?a=b", "?@g/", "?a#b", "?//g/", "?ü"], ["", "", "#", "#@g/", "#a?b", "#//g"],
    ]

    /// Returns a URL of random pieces, sometimes with a byte changed.
    private func randomURL(_ random: inout SeededGenerator) -> String {
        var bytes = Self.pieces.flatMap { Array(($0.randomElement(using: &random) ?? "").utf8) }
        if Int.random(in: 0..<3, using: &random) == 0, !bytes.isEmpty {
            let marks = Array("/\\?#@:[]%.~0x é".utf8)
            let index = Int.random(in: 0..<bytes.count, using: &random)
            bytes[index] = marks.randomElement(using: &random) ?? 0
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Random URLs that both accept are split alike, and all others are refused", arguments: UInt64(1)...8)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (agreed, refused) = (0, 0)
        for _ in 0..<5000 {
            // Without white space and characters that are encoded before libcurl sees them.
            let text = WebURL(randomURL(&random)).escaped.text
            let parts = agreedParts(text)
            if parts == nil {
                #expect(!isAccepted(text), "\(text)")
                refused += 1
            } else if isAccepted(text) {
                try holdAddress(text)
                agreed += 1
            }
        }
        #expect(agreed > 500 && refused > 500)
    }

    /// Checks that the form passed to libcurl has the same parts for both again.
    private func holdAddress(_ text: String) throws {
        let (address, _) = try WebAddress.parse(text)
        guard let again = CurlURL(address.text) else {
            Issue.record("libcurl does not accept \(address.text)")
            return
        }
        let (parts, host, port, url) = (Parts(again), again.host?.lowercased(), again.port, WebURL(address.text))
        #expect(parts == Parts(url) && url.isWeb && !url.hasUserInfo && url.fragment == nil, "\(text)")
        #expect(host == address.origin.host && port == address.origin.port, "\(text)")
        #expect(try WebAddress.parse(address.text).0 == address, "\(text)")
        #expect(address.text.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "\(text)")
    }
}
