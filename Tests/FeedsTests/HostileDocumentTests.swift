// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

/// Hostile content for an item, in a size that would take minutes if parsing were quadratic.
struct HostileText: CustomTestStringConvertible {
    let name: String
    let text: @Sendable (Int) -> String

    var testDescription: String { name }

    private init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
        (self.name, self.text) = (name, text)
    }

    static let all = [
        HostileText("a long attribute") { "<a x='" + String(repeating: "y", count: 20 * $0) + "'/>" },
        HostileText("long CDATA") { described(String(repeating: "y]", count: 10 * $0)) },
        HostileText("a long comment") { "<!--" + String(repeating: "y-", count: 10 * $0) + "-->" },
        HostileText("a long instruction") { "<?" + String(repeating: "y?", count: 10 * $0) + "?>" },
        HostileText("a long name") { "<" + String(repeating: "y", count: 4 * $0) + ">" },
        HostileText("deep nesting") { String(repeating: "<x>", count: $0) + String(repeating: "</x>", count: $0) },
        HostileText("unclosed elements") { String(repeating: "<x>", count: $0) },
        HostileText("stray end tags") { String(repeating: "</x>", count: $0) },
        HostileText("other end tags deep inside") {
            String(repeating: "<x>", count: 60) + String(repeating: "</y>", count: $0)
        },
        HostileText("many attributes") { "<a " + (0..<$0).map { "x\($0)=''" }.joined(separator: " ") + "/>" },
        HostileText("many namespaces") { "<a " + (0..<$0).map { "xmlns:x\($0)='u'" }.joined(separator: " ") + "/>" },
        HostileText("namespaces at every element") { count in
            (0..<count / 4).map { "<a xmlns:x\($0)='u'/>" }.joined()
        },
        HostileText("namespaces in scope at every attribute") { count in
            let scope = (0..<50).map { level in "<n \((0..<60).map { "xmlns:p\(level)_\($0)='u' " }.joined())>" }
            let attributes = (0..<60).map { "p0_\($0):a\($0)=''" }.joined(separator: " ")
            return scope.joined() + String(repeating: "<n \(attributes)/>", count: count / 60)
                + String(repeating: "</n>", count: 50)
        },
        HostileText("other names each time") { (0..<$0).map { "<x\($0)/>" }.joined() },
        HostileText("undeclared prefixes") { (0..<$0).map { "<x\($0):y/>" }.joined() },
        HostileText("references") { String(repeating: "&amp;&#8230;&eacute;", count: $0) },
        HostileText("references in an attribute") { "<a x='" + String(repeating: "&amp;", count: $0) + "'/>" },
        HostileText("CDATA sections") { String(repeating: "<![CDATA[]]>", count: $0) },
        HostileText("bare ampersands") { String(repeating: "&", count: $0) + String(repeating: "&x", count: $0) },
        HostileText("bare less-than signs") { String(repeating: "<", count: $0) + String(repeating: "<x", count: $0) },
        HostileText("quotes that never end") { String(repeating: "<a x=\"", count: $0) + "'>" },
        HostileText("brackets") { "<![CDATA[" + String(repeating: "]", count: 4 * $0) + "]]>" },
        HostileText("line ends") { String(repeating: "\r\n&", count: $0) },
        HostileText("HTML of broken tags") { described(String(repeating: "<a b=\"", count: $0)) },
        HostileText("HTML of unclosed comments") { described(String(repeating: "<!--", count: $0)) },
        HostileText("HTML of unclosed scripts") { described(String(repeating: "<script>", count: $0)) },
        HostileText("HTML of attributes") { described(String(repeating: "<a b='' c>", count: $0)) },
        HostileText("dots in an address") {
            "<link>https://x.example/" + String(repeating: "a/../", count: $0) + "</link>"
        },
        HostileText("dots in a relative address") {
            "<link>/" + String(repeating: "a/", count: $0) + String(repeating: "../", count: $0) + "</link>"
        },
        HostileText("a long duration") {
            "<itunes:duration>" + String(repeating: "1:", count: $0) + "</itunes:duration>"
        },
        HostileText("a long date") { "<pubDate>" + String(repeating: "1 Jan ", count: $0) + "</pubDate>" },
        HostileText("enclosures") { String(repeating: "<enclosure url='https://x.example/'/>", count: $0 / 4) },
    ]

    private static func described(_ html: String) -> String { "<description><![CDATA[\(html)]]></description>" }
}

@Suite("Hostile documents")
struct HostileDocumentTests {
    private static let size = LongTests.size(20_000, inFull: 400_000)

    @Test("Parsing takes linear time, and the next item is intact", arguments: HostileText.all)
    func bounded(_ hostile: HostileText) throws {
        let items = "<item>\(hostile.text(Self.size))</item><item><title>after</title></item>"
        let document = "<rss \(namespaces)><channel><title>t</title>\(items)</channel></rss>"
        let bytes = Array(document.utf8)
        let clock = ContinuousClock()
        let start = clock.now
        for pieces in [1_000, .max] {
            let feed = outcome(of: bytes, pieces: [pieces]).feed
            #expect(feed?.title == "t")
            #expect(feed?.episodes.last?.title == "after" || hostile.name == "quotes that never end")
        }
        #expect(start.duration(to: clock.now) < TimeLimit.shortRun)
    }

    @Test(
        "No external entity is opened or fetched, and references to it remain as text",
        arguments: [
            "<!ENTITY x SYSTEM 'file:///etc/passwd'>", "<!ENTITY x PUBLIC '-//x//y' 'file:///etc/passwd'>",
            "<!ENTITY x SYSTEM '/etc/passwd'>", "<!ENTITY % x SYSTEM 'https://x.example/'> %x;",
            "<!ENTITY % x \"<!ENTITY x 'boom'>\"> %x;", "<!ENTITY x '&x;'>", "<!ENTITY x",
        ])
    func opensNothing(_ declaration: String) {
        let document = "<!DOCTYPE rss [\(declaration)]><rss><channel><title>&x;</title></channel></rss>"
        #expect(outcome(of: Array(document.utf8)).feed?.title == "&x;")
    }

    @Test("Nested entities and repeated references have a bounded expansion")
    func bombs() throws {
        let laughs = (1...30).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>" }.joined()
        let documents = [
            ("<!ENTITY e0 'ha'>" + laughs, String(repeating: "&e30;&e3;", count: 1_000)),
            ("<!ENTITY a '\(String(repeating: "a", count: 1_000))'>", String(repeating: "&a;", count: 100_000)),
        ]
        for (entities, text) in documents {
            let item = "<item><title>e</title><description>\(text)</description></item>"
            let document = "<!DOCTYPE rss [\(entities)]><rss><channel>\(item)</channel></rss>"
            let episode = try #require(outcome(of: Array(document.utf8)).feed?.episodes.first)
            #expect(try #require(episode.contentHTML).utf8.count < 5 * text.utf8.count + 300_000)
        }
    }

    @Test(
        "References to external resources are skipped",
        arguments: [
            "<!DOCTYPE rss SYSTEM 'file:///etc/passwd'>", "<!DOCTYPE rss PUBLIC '-//x//y' 'https://x.example/x.dtd'>",
            "<?xml-stylesheet href='https://x.example/x.xsl' type='text/xsl'?>",
        ])
    func passesOver(_ head: String) {
        let include = "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='file:///etc/passwd'/>"
        let channel = "<channel>\(include)<title>t</title></channel>"
        let document = "\(head)<rss xsi:schemaLocation='x https://x.example/'>\(channel)</rss>"
        #expect(outcome(of: Array(document.utf8)).feed?.title == "t")
    }

    @Test(
        "Numbers out of range are ignored",
        arguments: ["9223372036854775808", "18446744073709551616", "-1", "1e99", "99999999999999999999999999", "0x7F"])
    func numbers(_ number: String) throws {
        let episode = try episode(
            """
            <enclosure url="https://x.example/1.mp3" length="\(number)"/><itunes:episode>\(number)</itunes:episode>
            <itunes:season>\(number)</itunes:season><itunes:duration>\(number)</itunes:duration>
            <itunes:duration>\(number):\(number):\(number)</itunes:duration>
            """)
        #expect(episode.enclosures.map(\.length) == [nil])
        #expect(episode.number == nil && episode.season == nil && episode.duration == nil)
    }

    @Test("Items beyond the limit are skipped, and the feed is marked as truncated")
    func boundsItems() throws {
        var limits = FeedLimits()
        limits.items = 3
        let parser = FeedParser(baseURL: nil, contentType: nil, limits: limits)
        let document = "<rss><channel><title>t</title>" + String(repeating: "<item/>", count: 9) + "</channel></rss>"
        try Array(document.utf8).withUnsafeBytes { try parser.consume($0) }
        let feed = try parser.finish()
        #expect(feed.episodes.count == 3 && feed.isTruncated && feed.title == "t")
    }
}
