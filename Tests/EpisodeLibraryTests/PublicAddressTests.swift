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
            ("https://me:secret@\u{301}host.example/x", "https://\u{301}host.example/x"), ("no address", "no address"), ("", ""),
        ])
    func bare(url: String, expected: String) {
        #expect(PublicAddress.text(url) == expected)
    }
}
