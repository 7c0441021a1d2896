// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Listening
import Testing

@Suite("Addresses as people write them")
struct FeedSchemeTests {
    @Test(
        "what is meant is https, http by the schemes of old, or what is written",
        arguments: [
            ("https://host.example/x", "https://host.example/x"), ("http://host.example/x", "http://host.example/x"),
            ("feed://host.example/x", "http://host.example/x"), ("FEED://host.example/x", "http://host.example/x"),
            ("feed:https://host.example/x", "https://host.example/x"),
            ("feed:http://host.example/x", "http://host.example/x"),
            ("itpc://host.example/x", "http://host.example/x"), ("pcast://host.example/x", "http://host.example/x"),
            ("podcast://host.example", "http://host.example"), ("rss://host.example", "http://host.example"),
            ("host.example/x", "https://host.example/x"), ("host.example:8080/x", "https://host.example:8080/x"),
            ("me:secret@host.example/x", "https://me:secret@host.example/x"),
            ("  https://host.example/x", "https://host.example/x"), ("ftp://host.example", "ftp://host.example"),
            ("", "https://"), (":", "https://:"), ("feed:", ""),
        ])
    func address(written: String, meant: String) { #expect(FeedScheme.webAddress(written) == meant) }

    @Test(
        "in a message it has no password",
        arguments: [
            "me:secret@host.example/x", "https://me:secret@host.example/x", "feed:https://me:secret@host.example/x",
            "me:sec/ret@host.example/x",
        ])
    func shown(written: String) { #expect(Subscribing.shown(written) == "https://host.example/x") }

    @Test(
        "a target to be played has none either; a path stays as it is",
        arguments: [
            ("me:secret@host.example/x", "host.example/x"),
            ("https://me:secret@host.example/x", "https://host.example/x"),
            ("a/me:b@c.mp3", "a/me:b@c.mp3"), ("rain: part 2", "rain: part 2"),
        ])
    func target(written: String, shown: String) { #expect(TargetResolver.shown(written) == shown) }
}
