// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import EpisodeLibrary

@Suite("Identity of enclosure addresses")
struct EnclosureIdentityTests {
    @Test(
        "Scheme, query, fragment, login and counting services are ignored",
        arguments: [
            ("https://host.example/a.mp3", "host.example/a.mp3"),
            ("http://host.example/a.mp3", "host.example/a.mp3"),
            ("HTTPS://Host.Example/a.mp3", "host.example/a.mp3"),
            ("https://www.host.example/a.mp3", "host.example/a.mp3"),
            ("https://host.example/a.mp3?token=1&t=2", "host.example/a.mp3"),
            ("https://host.example/a.mp3#t=10", "host.example/a.mp3"),
            ("https://user:secret@host.example/a.mp3", "host.example/a.mp3"),
            ("https://count.example/e/host.example/a.mp3", "host.example/a.mp3"),
            ("https://one.example/e/two.example/x/host.example/shows/a.mp3", "host.example/shows/a.mp3"),
            ("https://count.example/redirect.mp3/host.example/a.mp3", "host.example/a.mp3"),
            ("https://count.example/track.php/host.example/a.mp3", "host.example/a.mp3"),
            ("https://host.example//a//b.mp3", "host.example/a/b.mp3"),
            ("https://host.example/v1.2/a.mp3", "host.example/v1.2/a.mp3"),
            ("https://host.example/a.b.ogg", "host.example/a.b.ogg"),
            ("host.example/a.mp3", "host.example/a.mp3"),
        ])
    func alike(url: String, identity: String) {
        #expect(EnclosureIdentity.text(url) == identity)
    }

    @Test(
        "The path and its case distinguish two addresses",
        arguments: [
            ("https://host.example/a.mp3", "https://host.example/b.mp3"),
            ("https://host.example/a.mp3", "https://host.example/A.mp3"),
            ("https://host.example/1/audio.mp3", "https://host.example/2/audio.mp3"),
            ("https://host.example/a.mp3", "https://other.example/a.mp3"),
        ])
    func different(one: String, other: String) {
        #expect(EnclosureIdentity.text(one) != EnclosureIdentity.text(other))
    }

    @Test(
        "An address without a path has no identity",
        arguments: ["", "https://", "https://host.example", "https://host.example/?a=b"])
    func nothing(url: String) {
        #expect(EnclosureIdentity.text(url) == nil)
    }
}
