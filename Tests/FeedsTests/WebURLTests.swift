// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Feeds

@Suite("WebURL")
struct WebURLTests {
    private static let base = "http://a/b/c/d;p?q"

    @Test(
        "A reference is resolved according to RFC 3986, section 5.4",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
            (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."),
            ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ])
    func resolves(_ reference: String, _ expected: String) {
        #expect(WebURL.resolve(reference, base: Self.base) == expected)
    }

    @Test(
        "An absolute address is cleaned and otherwise unchanged",
        arguments: [
            (" https://x.example/a b.mp3 ", "https://x.example/a%20b.mp3"),
            ("HTTPS://X.example/A.mp3?b=C", "https://X.example/A.mp3?b=C"),
            ("https://x.example/a\n\tb", "https://x.example/ab"),
            ("https://x.example/?a=1&amp;b=2", "https://x.example/?a=1&b=2"),
            ("//x.example/a", "https://x.example/a"),
            ("https://x.example/<\">", "https://x.example/%3C%22%3E"),
            ("https://x.example/a\u{1B}[2Jb\u{90}\u{9B}", "https://x.example/a[2Jb%C2%90%C2%9B"),
            ("https://x.example/caf\u{E9}", "https://x.example/caf\u{E9}"),
        ])
    func cleans(_ reference: String, _ expected: String) {
        #expect(WebURL.resolve(reference, base: nil) == expected)
    }

    @Test(
        "A reference that is not http or https, or has no host, is rejected",
        arguments: [
            "", "  ", "javascript:alert(1)", " JavaScript:alert(1)", "java\nscript:x", "file:///etc/passwd",
            "ftp://x/y",
            "data:text/html,x", "http://", "http:///x", "https:x", "mailto:a@b.example",
        ])
    func refuses(_ reference: String) {
        #expect(WebURL.resolve(reference, base: Self.base) == nil)
        #expect(WebURL.resolve(reference, base: nil) == nil)
    }

    @Test("Without a base a relative reference is rejected", arguments: ["g", "/g", "?y", "www.x.example/a"])
    func needsBase(_ reference: String) {
        #expect(WebURL.resolve(reference, base: nil) == nil)
    }
}
