// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Testing

@Suite("Addresses without secrets")
struct PublicAddressTests {
    @Test(
        "A bare address has no user name and no password",
        arguments: [
            ("https://me:secret@host.example/a?b=c@d", "https://host.example/a?b=c@d"),
            ("https://me@host.example", "https://host.example"),
            ("https://host.example/@me", "https://host.example/@me"),
            ("https://a:b@c@host.example/x", "https://host.example/x"),
            ("https://me:secret@\u{301}host.example/x", "https://\u{301}host.example/x"),
            ("tag:me@host.example,2024:1", "tag:me@host.example,2024:1"), ("no address", "no address"), ("", ""),
        ])
    func bare(url: String, expected: String) {
        #expect(PublicAddress.text(url) == expected)
    }

    @Test(
        "A shown address has *** in place of a token and is otherwise unchanged",
        arguments: [
            ("https://me:pw@h.example/feed?token=s3cret&show=1#x", "https://h.example/feed?token=***&show=1#x"),
            ("https://h.example/rss?auth=abc", "https://h.example/rss?auth=***"),
            ("https://h.example/a.mp3?X-Amz-Signature=1&Key-Pair-Id=K&Expires=9&author=me",
                "https://h.example/a.mp3?X-Amz-Signature=***&Key-Pair-Id=***&Expires=9&author=me"),
            ("https://h.example/a.mp3?key=", "https://h.example/a.mp3?key="),
            ("https://h.example/feed?8f14e45fceea167a5a36", "https://h.example/feed?***"),
            ("https://api.h.example/feed/podcast/12/private/e73c998e-6e60-432f-8610-ae210140c5b1.rss",
                "https://api.h.example/feed/podcast/12/private/***.rss"),
            ("https://h.example/private/feed.xml", "https://h.example/private/feed.xml"),
            ("https://show.supportingcast.fm/content/eyJ0eXAiOiJKV1QiLCJhbGci.rss",
                "https://show.supportingcast.fm/content/***.rss"),
            // Public feeds with numbers in their addresses.
            ("https://www.omnycontent.com/d/e73c998e-6e60-432f-8610-ae210140c5b1/podcast.rss",
                "https://www.omnycontent.com/d/e73c998e-6e60-432f-8610-ae210140c5b1/podcast.rss"),
            ("https://h.example/f?id=5f0c1d2e3a4b5c6d7e8f9a0b", "https://h.example/f?id=5f0c1d2e3a4b5c6d7e8f9a0b"),
            ("https://h.example/?p=417&format=rss", "https://h.example/?p=417&format=rss"),
            ("no address?token=1", "no address?token=1"), ("", ""),
        ])
    func shown(url: String, expected: String) {
        #expect(PublicAddress.shown(url) == expected)
        #expect(PublicAddress.shown(expected) == expected)
        #expect(PublicAddress.lacksSecrets(url) == false)
    }

    @Test("In the address of a private feed every random part is a token")
    func privateFeed() {
        let url = "https://h.example/shows/5f0c1d2e3a4b5c6d7e8f9a0b/feed?id=e73c998e6e60432f8610"
        #expect(PublicAddress.shown(url, isPrivate: true) == "https://h.example/shows/***/feed?id=***")
        #expect(PublicAddress.shown(url) == url)
    }

    @Test(
        "A typed address may have no scheme, and words and paths are unchanged",
        arguments: [
            ("me:secret@host.example:8080/a@b", "host.example:8080/a@b"), ("me:secret@host", "host"),
            ("me:s@cret@host.example", "host.example"), ("http://me:secret@host.example/x", "http://host.example/x"),
            ("host.example:80/x", "host.example:80/x"), ("talk: me@home", "talk: me@home"),
            ("/podcasts/a:b@c.mp3", "/podcasts/a:b@c.mp3"), ("me@home.mp3", "me@home.mp3"), ("", ""),
        ])
    func typed(text: String, expected: String) {
        #expect(PublicAddress.typed(text) == expected)
    }
}
