// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

@Suite("Show notes as text")
struct ShowNotesTextTests {
    private func text(_ html: String, width: Int = 30, links: ShowNotesText.Links = .footnotes) -> String {
        ShowNotesText.lines(html, width: width, links: links).joined(separator: "\n")
    }

    @Test(
        "HTML is laid out as text",
        arguments: [
            ("", ""), ("words", "words"), ("<p>One</p><p>Two</p>", "One\n\nTwo"), ("one<br>two", "one\ntwo"),
            ("<p> a \n b&nbsp;c </p>", "a b c"),
            ("one\n two\n\n<b>three</b>\nfour\n", "one\ntwo\n\nthree\nfour"),
            ("Caf&eacute; &amp; &lt;b&gt;", "Café & <b>"), ("a<b>b</b>c", "abc"),
            ("<div>a</div><div>b</div>", "a\nb"), ("<p></p><p>a</p><p> </p>", "a"),
            ("a<hr>b", "a\n\n--------------------\n\nb"),
            ("<ul><li>one</li><li>two</li></ul>", "• one\n• two"),
            ("<p>a</p><ul><li>b</li></ul><p>c</p>", "a\n\n• b\n\nc"),
            ("<ul><li><p>one</p></li><li><p>two</p></li></ul>", "• one\n• two"),
            ("<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"),
            ("<ol start=9><li>a</li><li>b</li></ol>", "9. a\n10. b"),
            ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "• a\n  • b\n• c"), ("<li>a<li>b", "• a\n• b"),
            ("<ul><li>words that go on to the next line</li></ul>", "• words that go on to the next\n  line"),
            ("<h2>Links</h2><p>a</p>", "Links\n-----\n\na"), ("<p>a</p><h3>日本</h3>", "a\n\n日本\n----"),
            ("<blockquote><p>said</p></blockquote>b", "> said\n\nb"), ("<pre>a  b\n  c</pre>d", "a  b\n  c\n\nd"),
            ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
            ("<img src=x alt='A picture'>", "[A picture]"), ("a<img src=x>b", "ab"), ("a<script>b</script>c", "a c"),
            ("a<!-- b -->c", "ac"), ("<dl><dt>t</dt><dd>d</dd></dl>", "t\nd"), ("5 &lt; 6", "5 < 6"), ("<p>a", "a"),
            ("</p>a", "a"),
            ("bell&#7;&#27;[31m\u{202E}x\u{200B}", "bell[31mx"), ("a\u{85}b\u{AD}c", "a bc"),
        ])
    func lays(_ html: String, _ expected: String) {
        #expect(text(html) == expected)
    }

    @Test(
        "Links are numbered or follow their words, and a visible address is not repeated",
        arguments: [
            ("<a href='https://x.example/'>one</a>.", "one [1].", "one <https://x.example/>."),
            ("<a href='https://x.example/a'>https://x.example/a</a>", "https://x.example/a", "https://x.example/a"),
            ("<a href='https://x.example/'>x.example</a>", "x.example", "x.example"),
            ("<a href='mailto:a@b.example'>mail</a>", "mail", "mail"), ("<a>one</a>", "one", "one"),
            ("<a href='https://x.example/'></a>", "[1]", "<https://x.example/>"),
        ])
    func links(_ html: String, _ numbered: String, _ inline: String) {
        #expect(text(html, width: 80).split(separator: "\n").first.map(String.init) == numbered)
        #expect(text(html, width: 80, links: .inline) == inline)
    }

    @Test("The addresses are listed at the end, each once")
    func footnotes() {
        let link = { (number: Int, words: String) in "<a href='https://x.example/\(number)'>\(words)</a>" }
        let html = "<p>\(link(1, "a")) \(link(2, "b")) \(link(1, "c"))"
        #expect(text(html, width: 80) == "a [1] b [2] c [1]\n\n[1] https://x.example/1\n[2] https://x.example/2")
        #expect(text(html, width: 80, links: .none) == "a b c")
    }

    @Test(
        "Lines fill the width",
        arguments: [
            ("aaa bbb ccc", 7, "aaa bbb\nccc"), ("aaa bbb ccc", 6, "aaa\nbbb\nccc"),
            ("aaaaaaaaaa", 4, "aaaa\naaaa\naa"),
            ("日本語のテキスト", 6, "日本語\nのテキ\nスト"), ("ab 日本語", 6, "ab 日\n本語"),
            ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
            ("see https://x.example/long now", 10, "see\nhttps://x.example/long\nnow"), ("a b", 1, "a\nb"),
            ("a b", 0, "a\nb"),
            ("<ul><li>日本語</li></ul>", 6, "• 日本\n  語"), ("<blockquote>aaa bbb</blockquote>", 5, "> aaa\n> bbb"),
        ])
    func wraps(_ html: String, _ width: Int, _ expected: String) {
        #expect(text(html, width: width) == expected)
    }

    @Test(
        "Text for a search is one line of words",
        arguments: [
            ("<p>One</p><p>Two</p>", "One Two"), ("a<b>b</b>c", "abc"), ("a<br>b", "a b"),
            ("<td>a</td><td>b</td>", "a b"),
            ("Caf&eacute;&nbsp;&amp;\n x", "Café & x"), ("<a href='https://x.example/'>one</a>", "one"),
            ("<script>x</script>a", "a"), ("a\u{202E}b\u{0}c&#27;d", "abcd"), ("", ""),
            ("日本 語\u{3000}x", "日本 語\u{3000}x"),
        ])
    func words(_ html: String, _ expected: String) {
        #expect(ShowNotesText.words(html) == expected)
    }

    @Test("No line of any notes has a control character or exceeds the width")
    func anyNotes() {
        var random = SeededGenerator(seed: 3)
        let pieces = [
            "<p>", "</p>", "<ul>", "<li>", "</ul>", "<ol start=999999999999>", "<a href='https://x.example/'>", "</a>",
            "word ",
            "日本語", "&#27;", "\u{9B}", "<pre>", "</pre>", "\n", "<h1>", "</h1>", "<blockquote>", "&", "<", ">",
            "\u{202E}", "e\u{301}",
        ]
        for _ in 0..<300 {
            let html = (0..<40).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            for line in ShowNotesText.lines(html, width: 40) {
                let isSafe = line.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control && $0 != "\u{202E}"
                }
                #expect(isSafe)
            }
            #expect(!ShowNotesText.words(html).contains("  "))
        }
    }
}
