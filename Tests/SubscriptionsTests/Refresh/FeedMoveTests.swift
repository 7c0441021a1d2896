// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Subscriptions

@Suite("FeedMove")
struct FeedMoveTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let asked: String
        var permanent: String?
        var announced: String?
        var isRead = true
        var isProven = true
        var left: [String] = []
        let move: FeedMove

        var testDescription: String { rule }
    }

    static let cases: [Case] = [
        Case(rule: "no redirect and no announcement", asked: "https://a.example/f", move: .stays),
        Case(
            rule: "a permanent redirect", asked: "https://a.example/f", permanent: "https://b.example/f",
            move: .moved(to: "https://b.example/f")),
        Case(
            rule: "a redirect to https", asked: "http://a.example/f", permanent: "https://a.example/f",
            move: .moved(to: "https://a.example/f")),
        Case(
            rule: "a redirect over http to https on the same host", asked: "http://a.example/f",
            permanent: "https://a.example/f",
            isProven: false, move: .moved(to: "https://a.example/f")),
        Case(
            rule: "https at another port may be another server", asked: "http://a.example:8080/f",
            permanent: "https://a.example:8443/f", isProven: false,
            move: .refused("https://a.example:8443/f", .unproven)),
        Case(
            rule: "a redirect over http to another host", asked: "http://a.example/f", permanent: "https://b.example/f",
            isProven: false, move: .refused("https://b.example/f", .unproven)),
        Case(
            rule: "a redirect over http to another path on the same host", asked: "http://a.example/f",
            permanent: "http://a.example/g", isProven: false, move: .refused("http://a.example/g", .unproven)),
        Case(
            rule: "a redirect with one hop over http", asked: "https://a.example/f",
            permanent: "https://b.example/f", isProven: false, move: .refused("https://b.example/f", .unproven)),
        Case(
            rule: "a redirect from https to http", asked: "https://a.example/f", permanent: "http://b.example/f",
            move: .refused("http://b.example/f", .insecure)),
        Case(
            rule: "a redirect to a page that is not a feed", asked: "https://a.example/f",
            permanent: "https://b.example/login", isRead: false,
            move: .refused("https://b.example/login", .notRead)),
        Case(
            rule: "an added slash is not a move", asked: "https://me:x@A.example:443/f#top",
            permanent: "https://a.example/f/",
            move: .stays),
        Case(
            rule: "the feed announces its own URL", asked: "https://a.example/f", announced: "https://a.example/f/",
            move: .stays),
        Case(
            rule: "the feed announces the URL it was read from", asked: "https://a.example/f",
            permanent: "https://b.example/f", announced: "https://b.example/f",
            move: .moved(to: "https://b.example/f")),
        Case(
            rule: "the feed announces its former URL", asked: "https://a.example/f", permanent: "https://b.example/f",
            announced: "https://a.example/f", move: .moved(to: "https://b.example/f")),
        Case(
            rule: "the feed announces another URL", asked: "https://a.example/f", announced: "https://b.example/f",
            move: .announced(at: "https://b.example/f")),
        Case(
            rule: "an announcement takes precedence over a redirect", asked: "https://a.example/f",
            permanent: "https://b.example/f", announced: "https://c.example/f",
            move: .announced(at: "https://c.example/f")),
        Case(
            rule: "an announcement read over http is not proven", asked: "http://a.example/f",
            announced: "https://b.example/f", isProven: false,
            move: .refused("https://b.example/f", .unproven)),
        Case(
            rule: "an announcement read over http for the same host is not proven", asked: "http://a.example/f",
            announced: "https://a.example/g",
            isProven: false, move: .refused("https://a.example/g", .unproven)),
        Case(
            rule: "an announced https URL is proven by reading it", asked: "http://a.example/f",
            announced: "https://a.example/f", isProven: false, move: .announced(at: "https://a.example/f")),
        Case(
            rule: "an announcement does not lead from https to http", asked: "https://a.example/f",
            announced: "http://a.example/g",
            move: .refused("http://a.example/g", .insecure)),
        Case(
            rule: "a document that is not a feed announces nothing", asked: "https://a.example/f",
            announced: "https://b.example/f",
            isRead: false, move: .refused("https://b.example/f", .notRead)),
        Case(
            rule: "a redirect back to a former URL", asked: "https://b.example/f", permanent: "https://a.example/f",
            left: ["https://a.example/f"], move: .refused("https://a.example/f", .circle)),
        Case(
            rule: "an announcement of a former URL is outdated", asked: "https://b.example/f",
            announced: "https://a.example/f", left: ["https://a.example/f"], move: .stays),
    ]

    @Test("A podcast moves to an address that is announced, proven and new", arguments: cases)
    func decide(example: Case) {
        let move = FeedMove.decide(
            from: example.asked, redirectedTo: example.permanent, announcing: example.announced,
            isRead: example.isRead, isProven: example.isProven, left: example.left)
        #expect(move == example.move)
    }
}
