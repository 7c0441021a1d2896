// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer
import Testing

@Suite("Addresses")
struct AddressTests {
    @Test(
        "RedactedURL removes user name, password, query and fragment",
        arguments: [
            ("https://user:secret@a.example:8080/e.mp3?token=secret#x", "https://a.example:8080/e.mp3", "a.example"),
            ("HTTP://A.example", "http://A.example", "A.example"),
            ("http://a.example?q", "http://a.example", "a.example"),
            ("http://us@er@a.example/@x", "http://a.example/@x", "a.example"),
            ("http://[::1]:80/", "http://[::1]:80/", "[::1]"),
            ("a.example/e.mp3?secret", "a.example/e.mp3", "a.example"), ("", "", ""), ("://", "", ""),
            ("me:secret@a.example/e", "a.example/e", "a.example"),
            ("//me:secret@a.example/e", "a.example/e", "a.example"),
            ("https:/me:secret@a.example/e", "https://a.example/e", "a.example"),
            ("https:///me:secret@a.example/e", "https://a.example/e", "a.example"),
            ("https://me:sec/ret@a.example/e", "https://a.example/e", "a.example"),
            ("https://me:secret#1@a.example/e", "https://", ""),
            ("https://m\\e:secret@a.example/e", "https://a.example/e", "a.example"),
            ("https://me:secret@\u{301}a.example/e", "https://\u{301}a.example/e", "\u{301}a.example"),
            (" https:/me:secret@a.example/e", "https://a.example/e", "a.example"),
            ("https://a.example/e?\u{301}secret", "https://a.example/e", "a.example"),
            ("file:///home/me/feed.xml", "file:///home/me/feed.xml", ""),
        ])
    func redacted(url: String, shown: String, host: String) {
        #expect(RedactedURL(url).description == shown)
        #expect(RedactedURL(url).host == host)
        #expect(!RedactedURL(url).description.contains("secret"))
    }

    @Test(
        "EscapedURL encodes spaces and non-ASCII characters only after the host",
        arguments: [
            ("http://a.example/e.mp3?a=b%20c", "http://a.example/e.mp3?a=b%20c"),
            (" http://a.example/my show.mp3\n", "http://a.example/my%20show.mp3"),
            ("http://müller.example/ü?ü", "http://müller.example/%C3%BC?%C3%BC"),
            ("http://a.example?x y", "http://a.example?x%20y"),
            ("my show.mp3", "my%20show.mp3"), ("/ü?u=http://a b", "/%C3%BC?u=http://a%20b"),
            ("//müller.example/ü", "//müller.example/%C3%BC"),
        ])
    func escaped(url: String, text: String) {
        #expect(EscapedURL(url)?.text == text)
    }

    @Test(
        "EscapedURL refuses empty addresses and control characters",
        arguments: ["", "  ", "http://a/\r\nX: y", "http://a/\0"])
    func unfit(url: String) {
        #expect(EscapedURL(url) == nil)
    }

    @Test("The description of a request has no secrets")
    func request() {
        let request = HTTPRequest(url: "https://me:secret@a.example/e?secret", range: 5)
        #expect("\(request)" == "GET https://a.example/e, bytes 5-")
    }

    @Test("A half-open range is sent as an inclusive one, and an impossible range is not sent")
    func rangeText() {
        #expect(HTTPRequest(url: "", range: 0).rangeText == "0-")
        #expect(HTTPRequest(url: "", range: 500, rangeEnd: 1000).rangeText == "500-999")
        #expect(HTTPRequest(url: "", range: 500, rangeEnd: 500).rangeText == nil)
        #expect(HTTPRequest(url: "", range: -1).rangeText == nil)
        #expect(HTTPRequest(url: "", rangeEnd: 500).rangeText == nil)
    }
}
