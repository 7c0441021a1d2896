// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

@Suite("Limits for hostile feeds")
struct FeedLimitTests {
    private func parse(_ text: String, _ limits: FeedLimits = FeedLimits()) -> Outcome {
        let parser = FeedParser(baseURL: nil, contentType: nil, limits: limits)
        do {
            try Array(text.utf8).withUnsafeBytes { try parser.consume($0) }
            return .feed(try parser.finish())
        } catch let error as FeedError {
            return .error(error)
        } catch {
            Issue.record("the error has the wrong type")
            return .error(.notAFeed(.empty))
        }
    }

    private func feed(_ content: String) -> String {
        "<rss><channel><title>t</title><item><guid>1</guid>\(content)<title>after</title></item></channel></rss>"
    }

    @Test("A tag with thousands of attributes is skipped quickly")
    func boundsAttributes() {
        let attributes = (0..<20_000).map { " a\($0)='1'" }.joined()
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = parse(feed("<enclosure\(attributes) url='https://x.example/1.mp3'/>"))
        #expect(outcome.feed?.episodes.first?.title == "after")
        #expect(outcome.feed?.episodes.first?.enclosures.isEmpty == true)
        #expect(start.duration(to: clock.now) < TimeLimit.shortRun)
    }

    @Test("Nesting beyond the limit is skipped, and the following elements are read")
    func boundsDepth() {
        let depth = 5_000
        let outcome = parse(
            feed(String(repeating: "<x>", count: depth) + "y" + String(repeating: "</x>", count: depth)))
        #expect(outcome.feed?.episodes.first?.title == "after")
        let unclosed = parse(feed(String(repeating: "<x>", count: depth)).replacing("</item>", with: "</item><item/>"))
        #expect(unclosed.feed?.episodes.count == 2)
    }

    @Test("JSON items beyond the limit are skipped, and the feed is marked as truncated")
    func boundsItems() {
        var limits = FeedLimits()
        limits.items = 2
        let document = #"{"items": [{}, {}, {}], "title": "t"}"#
        let feed = parse(document, limits).feed
        #expect(feed?.episodes.count == 2)
        #expect(feed?.title == "t")
        #expect(feed?.isTruncated == true)
        limits.items = 3
        #expect(parse(document, limits).feed?.isTruncated == false)
    }

    @Test("A document beyond the limit is refused")
    func boundsDocument() {
        var limits = FeedLimits()
        limits.totalBytes = 100
        #expect(parse(feed(String(repeating: " ", count: 100)), limits) == .error(.tooLarge(limit: 100)))
    }

    @Test("Text beyond the limit is cut at a character boundary")
    func boundsText() {
        var limits = FeedLimits()
        limits.textBytes = 6
        #expect(
            parse("<rss><channel><title>ab\u{e9}\u{e9}\u{e9}</title></channel></rss>", limits).feed?.title == "abéé")
    }

    @Test("Long CDATA is read completely")
    func readsSections() {
        let text = String(repeating: "0123é]56789]]", count: 20_000)
        let feed = parse("<rss><channel><title><![CDATA[\(text)]]></title></channel></rss>").feed
        #expect(feed?.title == text)
    }

    @Test("Junk before the root is tolerated up to a limit")
    func boundsPreamble() {
        var limits = FeedLimits()
        limits.preambleBytes = 50
        #expect(parse("junk &amp; <br/> " + feed(""), limits).feed?.title == "t")
        let outcome = parse(String(repeating: "junk ", count: 20) + feed(""), limits)
        #expect(outcome == .error(.notAFeed(.notMarkup)))
    }

    @Test("Entities are limited in size, and their references in total size")
    func boundsEntities() {
        var limits = FeedLimits()
        (limits.entityBytes, limits.expandedBytes) = (4, 10)
        let head = "<!DOCTYPE rss [<!ENTITY a 'abcd'><!ENTITY b 'abcde'><!ENTITY c '&a;&a;'>]>"
        let titles = ["&a;", "&b;", "&c;", "&a;", "&a;"].map { "<item><title>\($0)</title></item>" }.joined()
        let outcome = parse(head + "<rss><channel>\(titles)</channel></rss>", limits)
        #expect(outcome.feed?.episodes.map(\.title) == ["abcd", "&b;", "&c;", "abcd", "&a;"])
    }

    @Test("After an error each call throws the same error")
    func repeatsError() throws {
        let parser = FeedParser(baseURL: nil)
        let page = Array(("<html>" + String(repeating: " ", count: 2_000)).utf8)
        #expect(throws: FeedError.notAFeed(.htmlPage)) { try page.withUnsafeBytes { try parser.consume($0) } }
        #expect(throws: FeedError.notAFeed(.htmlPage)) { try page.withUnsafeBytes { try parser.consume($0) } }
        #expect(throws: FeedError.notAFeed(.htmlPage)) { try parser.finish() }
    }

    @Test(
        "The charset of the header overrides that of the document",
        arguments: [("text/xml; charset=windows-1252", "caf\u{e9}"), ("text/xml", "caf\u{e9}")])
    func obeysContentType(_ contentType: String, _ expected: String) throws {
        let document =
            Array("<?xml version='1.0' encoding='koi8-r'?><rss><channel><title>caf".utf8)
            + [0xE9] + Array("</title></channel></rss>".utf8)
        let parser = FeedParser(baseURL: nil, contentType: contentType)
        try document.withUnsafeBytes { try parser.consume($0) }
        let title = try parser.finish().title
        #expect(title == (contentType.contains("charset") ? expected : "caf\u{418}"))
    }
}
