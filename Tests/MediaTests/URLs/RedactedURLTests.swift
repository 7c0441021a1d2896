// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@Suite("RedactedURL")
struct RedactedURLTests {
    @Test(
        "User name, password, query and fragment are removed",
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
            ("see https://me:secret@a.example/e", "see https://a.example/e", "a.example"),
        ])
    func redacted(url: String, shown: String, host: String) {
        #expect(RedactedURL(url).description == shown)
        #expect(RedactedURL(url).host == host)
        #expect(!RedactedURL(url).description.contains("secret"))
    }

    @Test(
        "A token in the path is replaced, and a number in an address without a password is not",
        arguments: [
            ("https://h.example/private/e73c998e6e60.rss?x", "https://h.example/private/***.rss"),
            (
                "https://show.supportingcast.fm:443/c/eyJ0eXAiOiJKV1QiLCJhbGci.rss",
                "https://show.supportingcast.fm:443/c/***.rss"
            ),
            (
                "https://h.example/d/e73c998e-6e60-432f-8610-ae210140c5b1/podcast.rss",
                "https://h.example/d/e73c998e-6e60-432f-8610-ae210140c5b1/podcast.rss"
            ),
            (
                "https://me:pw@h.example/d/e73c998e-6e60-432f-8610-ae210140c5b1/podcast.rss",
                "https://h.example/d/***/podcast.rss"
            ),
        ])
    func tokens(url: String, shown: String) {
        #expect(RedactedURL(url).description == shown)
    }

    @Test(
        "A URL without secrets keeps the harmless values of its query and fragment",
        arguments: [
            ("https://me:pw@h/f?token=s3cret&show=1#key=a&x", "https://h/f?token=***&show=1#key=***&x"),
            ("https://h/f?a=1&\u{301}token=s3cret", "https://h/f?a=1&\u{301}token=***"),
            ("https://h/f?token=\u{301}s3cret", "https://h/f?token=***"),
            ("https://me:pa/ss@h/f?a", "https://h/f?a"), ("https://me:pa?ss@h/f", "https://"),
        ])
    func withoutSecrets(url: String, shown: String) {
        #expect(WebURL(url).withoutSecrets(isPrivate: false).text == shown)
    }
}
