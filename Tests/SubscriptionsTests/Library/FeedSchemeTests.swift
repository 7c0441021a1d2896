// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Testing

@testable import EpisodeSources
@testable import Subscriptions

@Suite("Typed feed addresses")
struct FeedSchemeTests {
    @Test(
        "An address without a scheme is https, and an old feed scheme is http",
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
            ("", "https://"), (":", "https://:"), ("feed:", ""), ("//host.example/x", "https://host.example/x"),
        ])
    func address(written: String, meant: String) { #expect(FeedAddress.typed(written) == meant) }

    @Test(
        "An address in a message contains no password",
        arguments: [
            "me:secret@host.example/x", "https://me:secret@host.example/x", "feed:https://me:secret@host.example/x",
            "me:sec/ret@host.example/x",
        ])
    func shown(written: String) { #expect(Subscribing.shown(written) == "https://host.example/x") }

    @Test(
        "A play target in a message contains no password, and a path is unchanged",
        arguments: [
            ("me:secret@host.example/x", "host.example/x"),
            ("https://me:secret@host.example/x", "https://host.example/x"),
            ("a/me:b@c.mp3", "a/me:b@c.mp3"), ("rain: part 2", "rain: part 2"),
        ])
    func target(written: String, shown: String) { #expect(TargetResolver.shown(written) == shown) }
}
