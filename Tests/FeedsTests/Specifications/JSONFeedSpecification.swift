// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Feeds

@Suite("Specification: JSON Feed")
struct JSONFeedSpecification {
    @Test(
        "The fields of a feed are read",
        arguments: [
            (#""title": "T""#, \.title, "T"), (#""title": " Salt &amp; pepper ""#, \.title, "Salt & pepper"),
            (#""title": """#, \.title, nil), (#""title": null"#, \.title, nil), (#""title": 7"#, \.title, "7"),
            (#""home_page_url": "https://x.example/""#, \.link, "https://x.example/"),
            (#""home_page_url": "/""#, \.link, "https://feed.example/"),
            (#""home_page_url": "javascript:x""#, \.link, nil), (#""feed_url": "https://x.example/f""#, \.link, nil),
            (#""feed_url": "https://x.example/f""#, \.selfURL, "https://x.example/f"),
            (#""next_url": "https://x.example/2""#, \.nextPageURL, "https://x.example/2"),
            (#""next_url": "?p=2""#, \.nextPageURL, "https://feed.example/show/feed.xml?p=2"),
            (#""description": "D""#, \.description, "D"), (#""icon": "/i.png""#, \.image, "https://feed.example/i.png"),
            (#""favicon": "/f.ico""#, \.image, "https://feed.example/f.ico"),
            (#""favicon": "/f.ico", "icon": "/i.png""#, \.image, "https://feed.example/i.png"),
            (#""language": "en-GB""#, \.language, "en-GB"),
            (#""author": {"name": "Ada", "url": "https://x.example/"}"#, \.author, "Ada"),
            (#""authors": [{"name": "Ada"}, {"name": "Bo"}]"#, \.author, "Ada"), (#""authors": []"#, \.author, nil),
            (#""author": "Ada""#, \.author, "Ada"), (#""authors": ["Ada"]"#, \.author, "Ada"),
            (#""authors": {"name": "Ada"}"#, \.author, "Ada"),
            (#""authors": [{"url": "/"}, {"name": "Bo"}]"#, \.author, "Bo"),
            (#""user_comment": "x""#, \.description, nil),
            (#""hubs": [{"type": "x", "url": "https://no.example/", "title": "no"}]"#, \.title, nil),
            (#""_ext": {"title": "no", "items": [{"title": "no"}]}"#, \.title, nil),
        ] as [(String, FeedField, String?)])
    func feedFields(_ fields: String, _ field: FeedField, _ expected: String?) throws {
        #expect(
            try jsonFeed(
                fields
                    + #", "items": [{"id": "1", "title": "o", "author": {"name": "o"}, "image": "/o", "url": "/o"}]"#
            )[keyPath: field] == expected)
        #expect(try jsonFeed(#""items": [], "# + fields)[keyPath: field] == expected)
    }

    private typealias EpisodeField = @Sendable (ParsedEpisode) -> String?

    @Test(
        "The fields of an item are read",
        arguments: [
            (#""id": "abc""#, "id", "abc"), (#""id": 123"#, "id", "123"), (#""id": 1.50"#, "id", "1.50"),
            (#""id": " x ""#, "id", "x"), (#""id": "https://x.example/A""#, "id", "https://x.example/A"),
            (#""id": "https://x.example/A""#, "link", nil),
            (#""url": "/1""#, "id", "https://feed.example/1"),
            (#""id": null, "url": "/1""#, "id", "https://feed.example/1"),
            (#""id": "", "url": "/1""#, "id", "https://feed.example/1"),
            (#""url": "/1""#, "link", "https://feed.example/1"),
            (#""external_url": "/e""#, "link", "https://feed.example/e"),
            (#""external_url": "/e", "url": "/1""#, "link", "https://feed.example/1"),
            (#""url": "", "external_url": "/e""#, "link", "https://feed.example/e"), (#""title": "T""#, "title", "T"),
            (#""title": "a\nb\t c""#, "title", "a b c"), (#""title": "caf\u00e9 \ud83c\udfa7""#, "title", "café 🎧"),
            (#""title": "a\/b \"c\" \\""#, "title", "a/b \"c\" \\"), (#""title": "Vec<T>""#, "title", "Vec<T>"),
            (#""title": null"#, "title", nil),
            (#""content_html": "<p>x</p>""#, "html", "<p>x</p>"),
            (#""content_html": "<p onclick='x'>x</p>""#, "html", "<p>x</p>"),
            (#""content_html": "<a href='/x'>x</a>""#, "html", #"<a href="https://feed.example/x">x</a>"#),
            (#""content_text": "1 < 2 <b>""#, "html", "1 &lt; 2 &lt;b&gt;"),
            (#""content_text": "t", "content_html": "<p>h</p>""#, "html", "<p>h</p>"),
            (#""content_text": "t", "content_html": """#, "html", "t"), (#""summary": "s""#, "html", "s"),
            (#""summary": "s", "content_text": "t""#, "html", "t"), (#""summary": "s""#, "description", "s"),
            (#""content_text": "t""#, "description", nil), (#""image": "/i""#, "image", "https://feed.example/i"),
            (#""banner_image": "/b""#, "image", "https://feed.example/b"),
            (#""banner_image": "/b", "image": "/i""#, "image", "https://feed.example/i"),
            (#""date_published": "2024-02-29T18:30:00+01:00""#, "published", "2024-02-29T17:30:00Z"),
            (
                #""date_modified": "2024-03-01T00:00:00Z", "date_published": "2024-02-29T00:00:00Z""#, "published",
                "2024-02-29T00:00:00Z"
            ), (#""date_modified": "2024-03-01T00:00:00Z""#, "published", "2024-03-01T00:00:00Z"),
            (#""date_published": "soon""#, "published", nil), (#""date_published": null"#, "published", nil),
            (#""author": {"name": "Ada"}"#, "author", "Ada"),
            (#""authors": [{"name": "Ada"}, {"name": "Bo"}]"#, "author", "Ada"), (#""authors": null"#, "author", nil),
            (#""author": {"name": null, "url": "/"}"#, "author", nil),
            (#""authors": [{"url": "mailto:ada@x.example"}]"#, "author", "ada@x.example"),
            (#""authors": [{"url": "mailto:ada@x.example", "name": "Ada"}]"#, "author", "Ada"),
            (#""url": 1.2, "external_url": "/2""#, "link", "https://feed.example/2"),
            (#""content_html": true, "summary": 7, "content_text": "words""#, "html", "words"),
            (#""tags": ["title", "x"], "title": "T""#, "title", "T"),
            (#""_x": {"title": "no", "id": "no"}, "title": "T""#, "title", "T"),
            (#""attachments": [{"url": "/1.mp3", "title": "no"}], "title": "T""#, "title", "T"),
            (#""attachments": [{"url": "/1.mp3", "duration_in_seconds": 60}]"#, "duration", "60.0 seconds"),
            (#""attachments": [{"url": "/1.mp3", "duration_in_seconds": 60.5}]"#, "duration", "60.5 seconds"),
            (#""attachments": [{"url": "/1.mp3", "duration_in_seconds": "60"}]"#, "duration", "60.0 seconds"),
            (#""attachments": [{"url": "/1.mp3", "duration_in_seconds": 0}]"#, "duration", nil),
            (#""attachments": [{"url": "/1.mp3", "duration_in_seconds": null}]"#, "duration", nil),
            (#""title": "a", "title": "b""#, "title", "a"), (#""TITLE": "T""#, "title", "T"),
        ] as [(String, String, String?)])
    func itemFields(_ fields: String, _ name: String, _ expected: String?) throws {
        let parsed = try jsonItem(fields)
        let shown: [String: String?] = [
            "id": parsed.id.rawValue, "title": parsed.title, "link": parsed.link, "html": parsed.contentHTML,
            "description": parsed.description, "image": parsed.image, "published": parsed.published?.description,
            "author": parsed.author,
            "duration": parsed.duration.map { "\($0)" },
        ]
        #expect(try #require(shown[name]) == expected)
    }

    @Test(
        "Attachments are enclosures",
        arguments: [
            (#"{"url": "/1.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 7}"#, ["/1.mp3 audio/mpeg 7"]),
            (#"{"url": "/1.mp3"}"#, ["/1.mp3"]), (#"{"url": "/1.mp3", "size_in_bytes": "7"}"#, ["/1.mp3 7"]),
            (#"{"url": "/1.mp3", "size_in_bytes": 7.0}"#, ["/1.mp3 7"]),
            (#"{"url": "/1.mp3", "size_in_bytes": 1.5e3}"#, ["/1.mp3 1500"]),
            (#"{"url": "/1.mp3", "size_in_bytes": 0}"#, ["/1.mp3"]),
            (#"{"url": "/1.mp3", "size_in_bytes": -1}"#, ["/1.mp3"]),
            (#"{"url": "/1.mp3", "size_in_bytes": 1e99}"#, ["/1.mp3"]),
            (#"{"url": "/1.mp3", "size_in_bytes": null}"#, ["/1.mp3"]),
            (#"{"url": "/1.mp3"}, {"url": "/2.mp3"}"#, ["/1.mp3", "/2.mp3"]),
            (#"{"url": "/1.mp3"}, {"url": "/1.mp3"}"#, ["/1.mp3"]), (#"{"mime_type": "audio/mpeg"}"#, []),
            (#"{"url": "file:///x"}"#, []), (#"{"url": "/a b.mp3"}"#, ["/a%20b.mp3"]), (#"null"#, []),
            (#""/1.mp3""#, []),
            (#"{"mime_type": "Audio/MPEG", "url": "/1.mp3"}"#, ["/1.mp3 audio/mpeg"]),
        ])
    func attachments(_ attachments: String, _ expected: [String]) throws {
        let shown = try jsonItem("\"attachments\": [\(attachments)]").enclosures.map { enclosure in
            ([String(enclosure.url.dropFirst(20)), enclosure.type, enclosure.length.map { "\($0)" }] as [String?])
                .compactMap(\.self).joined(separator: " ")
        }
        #expect(shown == expected)
    }

    @Test(
        "Malformed JSON is repaired",
        arguments: [
            #"{"items": [{"title": "a"}, {"title": "b"}]}"#, #"{"items": [{"title": "a",}, {"title": "b",},],}"#,
            #"{"items": [{"title": "a"} {"title": "b"}]}"#,
            "\u{FEFF}" + #"{"items": [{"title": "a"}, {"title": "b"}]}"#,
            " \n\t" + #"{"items":[{"title":"a"},{"title":"b"}]}"#,
            #"{"items": [{"title": "a"}, {"title": "b"}]} junk {"title": "c"}"#,
            #"{"items": [{title: "a"}, {title: "b"}]}"#,
            #"{"version": "https://jsonfeed.org/version/1", "items": [{"title": "a"}, {"title": "b"}]}"#,
            #"{"items": [{"title": "a", "x": [1, [2, {"y": 3}]]}, {"title": "b"}]}"#,
            #"{"items": [{"title": "a"}, {"title": "b"]}"#, #"{"items": [{"title": "a"}], "items": [{"title": "b"}]}"#,
            #"{"items": [{"title": "a", "x": nonsense}, {"title": "b"}]}"#,
            #"{"items": [{"title": "a", "x"}, {"title": "b"}]}"#,
            #"{"items": [{"title": "a", "x": 1 2}, {"title": "b"}]}"#,
            #"{"items": [{"title": "a"}, {"title": "b"}"#,
            #"{"items": [{"title": "a"}, {"title": "b", "summary": "cut of"#,
            #"{"items": [{"title": "a"}, {"title": "b", "id": 12"#, #"{"items": [{"title": "a"}}, {"title": "b"}]}"#,
            #"{"items": [,,{"title": "a"},,{"title": "b"}]}"#,
            "{\"items\": [{\"title\": \"a\u{1}\"}, {\"title\": \"b\"}]}",
            "{\"items\": [{\"title\": \"a\n\"}, {\"title\": \"b\"}]}",
            #"{"items": [{"title": "\u0000a"}, {"title": "b\u001b"}]}"#,
            #"{"items": [{"title": "a"}, {"title": "b", "x": "\ud83c"}]}"#,
            #"{"items": [{"title": "a"}, {"title": "b", "x": "\u12"}]}"#,
        ])
    func tolerance(_ document: String) throws {
        #expect(try feed(document).episodes.map(\.title) == ["a", "b"])
    }

    @Test(
        "Escape sequences in strings are decoded",
        arguments: [
            (#"\u0041"#, "A"), (#"\u00E9"#, "é"), (#"\uD83C\uDFA7"#, "🎧"), (#"\ud83c\udfa7"#, "🎧"),
            (#"\ud83c"#, "\u{FFFD}"), (#"\udfa7"#, "\u{FFFD}"), (#"\ud83cx"#, "\u{FFFD}x"),
            (#"\ud83c\u0041"#, "\u{FFFD}A"), (#"\ud83c\ud83c\udfa7"#, "\u{FFFD}🎧"), (#"\u0000x"#, "x"),
            (#"\u001b[31m"#, "[31m"),
            (#"a\bb\fc"#, "abc"), (#"\q"#, "q"), (#"\u12zz"#, "zz"), (#"\uFEFFx"#, "\u{FEFF}x"),
            (#"\u0093x\u0094"#, "“x”"), (#"日本"#, "日本"), (#"\""#, "\""), (#"\\n"#, "\\n"), (#"\u2028x"#, "\u{2028}x"),
        ])
    func strings(_ text: String, _ expected: String) throws {
        #expect(try jsonItem(#""id": "\#(text)""#).id.rawValue == expected)
    }

    @Test(
        "JSON of another kind is not a feed",
        arguments: [
            "{}", "{", #"{"title": "x"}"#, #"{"version": 1, "title": "x"}"#, #"{"items": {"title": "x"}}"#,
            #"{"version": "1.0", "data": [{"items": []}]}"#, #"{"error": "not found"}"#, "{{{{", #"{"items": 3}"#,
        ])
    func strangers(_ document: String) {
        #expect(outcome(of: Array(document.utf8)) == .error(.notAFeed(.otherJSON)))
    }

    @Test("A version or a list of items is sufficient for a feed")
    func recognition() throws {
        #expect(try feed(#"{"version": "https://jsonfeed.org/version/1.1", "title": "T"}"#).title == "T")
        #expect(try feed(#"{"title": "T", "items": []}"#).title == "T")
        #expect(try feed(#"{"VERSION": "http://www.jsonfeed.org/version/1", "title": "T"}"#).title == "T")
    }

    @Test("A truncated document is marked as truncated, and the items before the cut are complete")
    func truncation() throws {
        let whole =
            #"{"version": "https://jsonfeed.org/version/1", "#
            + #""items": [{"id": "1", "title": "a"}, {"id": "2", "title": "b"}]}"#
        #expect(try feed(whole).isTruncated == false)
        let cut = try feed(String(whole.dropLast(8)))
        #expect(cut.isTruncated)
        #expect(cut.episodes.first?.title == "a")
        #expect(cut.episodes.map(\.id.rawValue) == ["1", "2"])
    }

    @Test("Nesting beyond the limit is skipped")
    func depth() throws {
        let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        #expect(try jsonItem(#""x": \#(deep), "title": "a""#).title == "a")
        let objects = String(repeating: #"{"x":"#, count: 5_000) + "1" + String(repeating: "}", count: 5_000)
        #expect(try jsonItem(#""x": \#(objects), "title": "a""#).title == "a")
    }

    @Test("RSS written as JSON is read")
    func rss() throws {
        let item = """
            {"title": "e", "link": "/1", "description": "d", "pubDate": "Thu, 29 Feb 2024 18:30:00 GMT",
            "guid": {"isPermaLink": "false", "#value": "g"}, "itunes:duration": "1:00",
            "enclosure": {"url": "/1.mp3", "type": "audio/mpeg", "length": "7"}}
            """
        let channel = """
            {"title": "t", "link": "/", "description": "c", "language": "en", "item": [\(item)]}
            """
        let feed = try feed("{\"rss\": {\"version\": \"2.0\", \"channel\": \(channel)}}")
        #expect([feed.title, feed.link, feed.description, feed.language] == ["t", "https://feed.example/", "c", "en"])
        let parsed = try #require(feed.episodes.first)
        #expect([parsed.title, parsed.id.rawValue, parsed.description] == ["e", "g", "d"])
        #expect(parsed.published?.description == "2024-02-29T18:30:00Z")
        #expect(parsed.duration == .seconds(60))
        let enclosure = ParsedEnclosure(url: "https://feed.example/1.mp3", type: "audio/mpeg", length: 7)
        #expect(parsed.enclosures == [enclosure])
    }

    @Test(
        "Text beyond the limit is cut at a character boundary",
        arguments: ["abcdé", "ab\\u0063d\\u00e9", "abcdéé", "abcd\\u00e9\\n"])
    func limit(_ text: String) throws {
        var limits = FeedLimits()
        limits.textBytes = 6
        let parser = FeedParser(baseURL: nil, contentType: nil, limits: limits)
        let document = Array("{\"items\": [{\"id\": \"\(text)\"}]}".utf8)
        for byte in document { try withUnsafeBytes(of: byte) { try parser.consume($0) } }
        #expect(try parser.finish().episodes.map(\.id.rawValue) == ["abcdé"])
    }

    @Test("An expired feed is marked as complete")
    func expired() throws {
        #expect(try jsonFeed(#""expired": true"#).isComplete)
        #expect(try !jsonFeed(#""expired": false"#).isComplete)
    }
}
