// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

@Suite("Plain text and clean HTML")
struct TextTests {
    @Test(
        "A line has no markup, no references and single spaces",
        arguments: [
            ("  One\n  two ", "One two"), ("Tom &amp; Jerry", "Tom & Jerry"), ("Tom &amp;amp; Jerry", "Tom & Jerry"),
            ("Caf&eacute;&nbsp;&#8212; &#x41;", "Café — A"), ("a <b>bold</b> thing", "a bold thing"),
            ("one<br/>two", "one two"), ("5 < 6 & 7 > 3", "5 < 6 & 7 > 3"), ("Vec<T> explained", "Vec<T> explained"),
            ("R&B; &unknown; &", "R&B; &unknown; &"), ("x<script>alert(1)</script>y", "x y"), ("a<!-- b -->c", "ac"),
            ("&lt;i&gt;slanted&lt;/i&gt;", "slanted"),
            ("<p>the &lt;b&gt; tag, R&amp;amp;D</p>", "the <b> tag, R&D"),
            ("a <code>&lt;script&gt;</code> here, and &lt;/script&gt; there", "a <script> here, and </script> there"),
            ("one <T> two &lt;b&gt;three&lt;/b&gt;", "one <T> two three"),
            ("bell&#7;&#27;[31m", "bell[31m"), ("&#146;", "’"),
        ])
    func makesLine(_ text: String, _ expected: String) {
        #expect(PlainText.line(Array(text.utf8)) == expected)
    }

    @Test("A line of text without tags is that of literal text")
    func lineWithoutTags() {
        var random = SeededGenerator(seed: 7)
        let pieces = ["a", "b", " ", " ", "&", "&amp;", ";", "&#32;", "é", "\u{A0}", "\n", "word "]
        for _ in 0..<20_000 {
            let text = Array(
                (0..<Int(random.next() % 20)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined().utf8)
            #expect(PlainText.line(text) == PlainText.literalLine(text), "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test("Text without a word produces no line", arguments: ["", " \n", "&nbsp;", "<p></p>", "<br>"])
    func refusesEmptyLine(_ text: String) {
        #expect(PlainText.line(Array(text.utf8)) == nil)
    }

    @Test(
        "HTML keeps its words and harmless markup",
        arguments: [
            (
                "<p>Hello <a href='x.html'>there</a></p>",
                "<p>Hello <a href=\"https://n.example/s/x.html\">there</a></p>"
            ),
            ("<p onclick=\"a()\" style='x'>Hi</p>", "<p>Hi</p>"),
            ("<a href=\"javascript:a()\">words</a>", "<a>words</a>"),
            ("<a href=\"&#106;ava\tscript:a()\">words</a>", "<a>words</a>"),
            ("<a href=' &#1;javascript:a()'>words</a>", "<a>words</a>"),
            ("<img src=/i.png alt=A onerror=a()>", "<img src=\"https://n.example/i.png\" alt=\"A\">"),
            ("<script>a()</script>b<style>c</style>", "b"), ("<iframe src=x>in</iframe> out", "in out"),
            ("<a href=\"https://x.example/?a=1&amp;b=2\">l</a>", "<a href=\"https://x.example/?a=1&amp;b=2\">l</a>"),
            ("5 < 6 & 7", "5 &lt; 6 &amp; 7"), ("&eacute;&lt;b&gt;", "&eacute;&lt;b&gt;"),
            ("<a href=\"mailto:a@b.example\">m</a>", "<a href=\"mailto:a@b.example\">m</a>"),
            ("<a href=\"#t=5\">5</a>", "<a href=\"#t=5\">5</a>"), ("<svg><script>x</script></svg>z", "z"),
            ("<SCRIPT >a()</ScRiPt >b", "b"), ("<a href=\"data:text/html,x\">d</a>", "<a>d</a>"),
        ])
    func cleans(_ html: String, _ expected: String) {
        #expect(HTMLCleaner.clean(Array(html.utf8), base: "https://n.example/s/feed.xml") == expected)
    }

    @Test(
        "HTML without a word or an image is `nil`", arguments: ["", "<p> </p>", "<script>x</script>", "<!-- x -->"])
    func refusesEmptyHTML(_ html: String) {
        #expect(HTMLCleaner.clean(Array(html.utf8), base: nil) == nil)
    }
}
