// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Testing

@Suite("An address as it may be passed on")
struct PublicAddressTests {
    @Test(
        "has no user name and password",
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
        "as it was typed may have no scheme; words and paths stay",
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
