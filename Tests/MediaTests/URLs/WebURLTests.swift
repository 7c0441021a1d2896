// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@Suite("WebURL")
struct WebURLTests {
    struct Parts: Sendable, CustomTestStringConvertible {
        let text: String
        var scheme: String?
        var userInfo: String?
        var host: String?
        var port: String?
        var path = ""
        var query: String?
        var fragment: String?

        var testDescription: String { text }
    }

    static let parts = [
        Parts(text: ""), Parts(text: "a/b", path: "a/b"), Parts(text: "/a:b", path: "/a:b"),
        Parts(
            text: "https://me:pw@h.example:81/a/b?c=d#e", scheme: "https", userInfo: "me:pw", host: "h.example",
            port: "81", path: "/a/b", query: "c=d", fragment: "e"),
        Parts(text: "//h?q", host: "h", query: "q"), Parts(text: "?q?r#f#g", query: "q?r", fragment: "f#g"),
        Parts(text: "#a?b", fragment: "a?b"), Parts(text: "HTTP://H:", scheme: "http", host: "H", port: ""),
        Parts(text: "http://h#@g/", scheme: "http", host: "h", fragment: "@g/"),
        Parts(text: "http://h?@g/", scheme: "http", host: "h", query: "@g/"),
        Parts(text: "http://a@b@h/", scheme: "http", userInfo: "a@b", host: "h", path: "/"),
        Parts(text: "http://a\\b@h/", scheme: "http", userInfo: "a\\b", host: "h", path: "/"),
        Parts(text: "http://[::1]:80/", scheme: "http", host: "[::1]", port: "80", path: "/"),
        Parts(text: "http://h:1:2/", scheme: "http", host: "h", port: "1:2", path: "/"),
        Parts(text: "mailto:a@b.example", scheme: "mailto", path: "a@b.example"),
        Parts(text: "file:///a/b", scheme: "file", host: "", path: "/a/b"),
        Parts(text: "1a://h", path: "1a://h"), Parts(text: ":a", path: ":a"),
        Parts(text: "http://me@\u{301}h/\u{301}", scheme: "http", userInfo: "me", host: "\u{301}h", path: "/\u{301}"),
        // One slash, or more than two, introduce the authority of a web URL too.
        Parts(text: "http:/h/a", scheme: "http", host: "h", path: "/a"),
        Parts(text: "https:////h", scheme: "https", host: "h"), Parts(text: "http:h", scheme: "http", path: "h"),
    ]

    @Test("A reference is split according to RFC 3986, section 3", arguments: parts)
    func split(parts: Parts) {
        let url = WebURL(" \n\(parts.text)\t")
        #expect(url.scheme == parts.scheme)
        #expect(url.userInfo.map(String.init) == parts.userInfo)
        #expect(url.host.map(String.init) == parts.host)
        #expect(url.port.map(String.init) == parts.port)
        #expect(url.path == parts.path)
        #expect(url.query.map(String.init) == parts.query)
        #expect(url.fragment.map(String.init) == parts.fragment)
    }

    @Test(
        "Typed text begins with the host, with or without a scheme",
        arguments: [
            ("h.example/a?b", nil, "h.example", "/a"), ("h:80/a", nil, "h", "/a"), ("me:pw@h/a", nil, "h", "/a"),
            ("https://h/a", "https", "h", "/a"), ("//h/a", nil, "h", "/a"),
            ("see https://me:pw@h/a", "see https", "h", "/a"),
            ("", nil, "", ""), ("://", "", "", ""),
        ] as [(String, String?, String, String)])
    func typed(text: String, scheme: String?, host: String, path: String) {
        let url = WebURL(typed: text)
        #expect(url.scheme == scheme && url.host.map(String.init) == host && url.path == path)
    }

    @Test(
        "A URL with a well-formed host and port can be requested",
        arguments: [
            "http://h", "HTTPS://h.example:81/a b", "http://[::1]/", "http://[fe80::1%25eth0]/", "http://ü/",
            "http://h:/", "http://h:0/", "http://a_b-c.d~/", "http://me:p w@h/", "http:/h", "http:///h",
        ])
    func web(text: String) {
        #expect(WebURL(text).isWeb)
    }

    @Test(
        "Any other text cannot be requested",
        arguments: [
            "", "h", "//h", "ftp://h", "http:", "http://", "http://:80/", "http://a b/", "http://a%2eb/",
            "http://h:99999/", "http://h:a/", "http://h:+1/", "http://h:1:2/", "http://a\\b/", "http://a,b/",
            "http://[::1/", "http://[]/", "http://[::1]x/", "http://::1/", "see http://h",
            "http:////h",
        ])
    func other(text: String) {
        #expect(!WebURL(text).isWeb)
    }

    @Test("Random text is split without loss", arguments: UInt64(1)...4)
    func lossless(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "http", "https", "file", ":", "/", "//", "?", "#", "@", "[", "]", ".", "..", "%", "ü", "1"]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let url = WebURL(text)
            let isWhole = url.slashes == 2 || url.host == nil || url.scheme == "file"
            if isWhole { #expect(url.text == text, "\(text)") }
            #expect(WebURL(url.text).text == url.text, "\(text)")
            #expect(url.withoutUserInfo.userInfo == nil, "\(text)")
        }
    }

    @Test(
        "A path loses its dot segments according to RFC 3986, section 5.2.4",
        arguments: [
            ("http://h", "http://h/"), ("http://h/a/./b", "http://h/a/b"), ("http://h/a/../b?../c", "http://h/b?../c"),
            ("http://h/..", "http://h/"), ("http://h/a//../b/.", "http://h/a/b/"), ("http://h/.../x", "http://h/.../x"),
            ("http://h/a/%2e%2e/b", "http://h/a/%2e%2e/b"),
        ])
    func dots(text: String, result: String) {
        #expect(WebURL(text).withoutDotSegments.text == result)
    }

    @Test(
        "Spaces and non-ASCII characters are encoded only after the host",
        arguments: [
            ("http://a.example/e.mp3?a=b%20c", "http://a.example/e.mp3?a=b%20c"),
            (" http://a.example/my show.mp3\n", "http://a.example/my%20show.mp3"),
            ("http://müller.example/ü?ü", "http://müller.example/%C3%BC?%C3%BC"),
            ("http://a.example?x y", "http://a.example?x%20y"),
            ("my show.mp3", "my%20show.mp3"), ("/ü?u=http://a b", "/%C3%BC?u=http://a%20b"),
            ("//müller.example/ü", "//müller.example/%C3%BC"),
        ])
    func escaped(text: String, result: String) {
        #expect(WebURL(text).escaped.text == result)
    }

    @Test(
        "The file extension is that of the last segment",
        arguments: [
            ("https://h.example/a.b/c.MP3?x=y.z", "mp3"), ("https://h.example/a.b/c", nil), ("https://h.example", nil),
            ("a.Opus#b", "opus"), ("/.mp3", "mp3"), ("a.", ""),
        ] as [(String, String?)])
    func fileExtension(text: String, result: String?) {
        #expect(WebURL(text).fileExtension == result)
    }

    @Test("Percent-encoding keeps visible ASCII characters, and decoding reverts it")
    func percent() {
        #expect(PercentEncoding.encoded("/my ü/50%?#", and: "%?#") == "/my%20%C3%BC/50%25%3F%23")
        #expect(PercentEncoding.decoded("/my%20%c3%BC/50%25%3F%23") == "/my ü/50%?#")
        #expect(PercentEncoding.decoded("%%4%4g%+4") == "%%4%4g%+4")
    }
}
