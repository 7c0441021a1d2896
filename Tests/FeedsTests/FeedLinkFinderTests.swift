// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Testing

@Suite("Feeds linked from a page")
struct FeedLinkFinderTests {
    private func feeds(_ page: String) -> [String] {
        Array(page.utf8).withUnsafeBytes { FeedLinkFinder.feeds(in: $0, baseURL: "https://p.example/show/index.html") }
    }

    @Test(
        "A link element identifies its feed",
        arguments: [
            "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"https://p.example/show/f\">",
            "<link rel=alternate type=application/rss+xml href=https://p.example/show/f>",
            "<LINK REL='Alternate' TYPE='Application/RSS+XML' HREF='f'>",
            "<link href=f type=application/atom+xml rel=alternate />",
            "<link rel='alternate' type='application/feed+json' href='/show/f'>",
            "<link rel='alternate home' type='text/xml; charset=utf-8' href=' f '>",
            "<link rel=alternate type=application/rdf+xml href=//p.example/show/f>",
            "<base href='/show/'><link rel=alternate type=application/rss+xml href=f>",
            "<base href='/show/x'><base href=/y/><link rel=alternate type=application/rss+xml href=f>",
            "<html><head><title><link></title><script>'<link rel=alternate type=text/xml href=no>'</script>"
                + "<link rel=alternate type=application/rss+xml href=f><p",
            "<!-- <link rel=alternate type=text/xml href=no> --><link rel=feed href=f>",
            "<link rel=alternate type=text/xml href=f><link rel=alternate type=text/xml href=./f>",
            "<a href='feed:https://p.example/show/f'>subscribe</a>",
        ])
    func finds(_ page: String) {
        #expect(feeds(page) == ["https://p.example/show/f"])
    }

    @Test(
        "A link that looks like a feed is used if no link element identifies one",
        arguments: [
            ("podcast.rss", true), ("feed.xml", true), ("/feed/", true), ("/feed", true), ("rss", true),
            ("x.RDF", true),
            ("https://feeds.p.example/show", true), ("feed.json", true), ("x/atom", true),
            ("pcast://p.example/f", true),
            ("sitemap.xml", false), ("index.html", false), ("/feedback", false), ("", false), ("#feed", false),
            ("javascript:x.rss", false), ("mailto:a@b.rss", false), ("file:///x.rss", false),
            ("ftp://x/feed.xml", false),
        ])
    func guesses(_ address: String, _ isFeed: Bool) {
        #expect(feeds("<a href='\(address)'>x</a>").isEmpty == !isFeed)
    }

    @Test(
        "Other links are ignored",
        arguments: [
            "", "<link rel=stylesheet type=text/xml href=f>", "<link rel=alternate hreflang=de href=/de>",
            "<link rel=alternate type=application/json href=/wp-json/wp/v2/posts/1>",
            "<link rel=alternate type=application/rss+xml>",
            "<link rel=alternate type=application/rss+xml href='javascript:x'>",
            "<link rel=alternate type=application/rss+xml href='f", "plain text",
        ])
    func passesOver(_ page: String) {
        #expect(feeds(page) == [])
    }

    @Test("A podcast's feed comes first, comments come last, and guesses come after link elements")
    func order() {
        let page = """
            <a href="/guess.xml">x</a>
            <link rel="alternate" type="application/rss+xml" title="Comments Feed" href="/comments/feed/">
            <link rel="alternate" type="application/feed+json" title="News" href="/feed.json">
            <link rel="alternate" type="application/rss+xml" title="News" href="/news/feed/">
            <link rel="alternate" type="application/rss+xml" title="The Podcast (MP3)" href="/mp3">
            <a href="https://p.example/mp3">again</a>
            """
        #expect(
            feeds(page)
                == ["/mp3", "/news/feed/", "/feed.json", "/comments/feed/", "/guess.xml"].map {
                    "https://p.example" + $0
                })
    }

    @Test(
        "A damaged page is searched to its end",
        arguments: [
            "<html><body></body></html>\n\n<a href=g.xml>x</a>", "<svg><g></html> <a href=g.xml>x</a>",
            "<p title=\"x\"y\">z <a href=g.xml>x</a>", "<!DOCTYPE \"x><a href=g.xml>x</a>",
            String(repeating: "<div>", count: 1_000) + "<a href=g.xml>x</a>",
            "<p title='x'y'>\(String(repeating: "z ", count: 100_000))<a href=g.xml>x</a>",
            "<a href=g.xml 'y>x</a>\(String(repeating: "z ", count: 100_000))",
        ])
    func damaged(_ page: String) {
        #expect(feeds(page) == ["https://p.example/show/g.xml"])
    }

    @Test("A page truncated anywhere produces its first links and never traps")
    func cuts() {
        let page =
            "<base href=/b/><link rel='alternate' type=\"application/rss+xml\" title=x href='f?a=1&amp;b=2'>"
            + "<a href=g.xml>"
        let whole = feeds(page + "</a>")
        #expect(whole == ["https://p.example/b/f?a=1&b=2", "https://p.example/b/g.xml"])
        for length in 0..<page.utf8.count {
            let cut = feeds(String(page.prefix(length)))
            #expect(cut.elementsEqual(whole.prefix(cut.count)), "truncated at \(length)")
        }
    }
}
