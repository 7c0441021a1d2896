// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("MarkupReader")
struct MarkupReaderTests {
    /// Returns the transcript of an item's content, read in pieces of this length.
    private func read(_ inside: String, pieces: Int, isStrictFirst: Bool) throws -> String {
        let document = Array("<rss><item>\(inside)</item><item></item></rss>".utf8)
        let reader = RecordedReader(roots: ["rss"], isStrictFirst: isStrictFirst)
        _ = try reader.read(document, pieces: [pieces])
        let all = reader.text
        #expect(all.hasPrefix("<rss><item>") && all.hasSuffix("</><item></></>"), "\(all)")
        return String(all.dropFirst("<rss><item>".count).dropLast("</><item></></>".count))
    }

    @Test(
        "Each kind of malformed markup is repaired",
        arguments: [
            // well-formed markup
            ("<a x=\"1\">t</a>", "<a x=1>t</>"), ("<a/>t", "<a></>t"), ("<a />", "<a></>"),
            ("<a x='1' y=\"2\"/>", "<a x=1 y=2></>"),
            ("<![CDATA[<b>&amp;]]>", "<b>&amp;"), ("a&amp;b&lt;c&gt;d&quot;e&apos;f", "a&b<c>d\"e'f"),
            ("&#65;&#x42;&#X43;", "ABC"),
            ("<a x=\"&amp;&#38;&lt;\"/>", "<a x=&&<></>"), ("<!-- <b> -- & -->t", "t"), ("<?php <b> ?>t", "t"),
            ("<a\n x = \"1\"\t>t</a >", "<a x=1>t</>"), ("<p:a p:x=\"1\"/>", "<p:a x=1></>"),
            ("<a x=\"1\n2\"/>", "<a x=1 2></>"),
            // references
            ("&nbsp;&eacute;&hellip;", "\u{A0}é…"), ("&Eacute;", "É"), ("&copy;&COPY;", "©©"), ("&thetasym;", "ϑ"),
            ("A & B", "A & B"), ("AT&T", "AT&T"), ("a&b;c", "a&b;c"), ("&", "&"), ("&&", "&&"), ("&;", "&;"),
            ("&#;", "&#;"),
            ("&#x;", "&#x;"), ("&unknown;", "&unknown;"), ("?a=1&b=2", "?a=1&b=2"), ("&copy=1", "&copy=1"),
            ("&amp", "&amp"),
            ("&#8;x", "x"), ("&#0;x", "x"), ("&#xD800;x", "x"), ("&#99999999999;x", "x"), ("&#x110000;x", "x"),
            ("&#146;", "’"),
            ("&#128;", "€"), ("&#xFFFF;", "\u{FFFD}"), ("&#x1F600;", "😀"), ("&amp;eacute;", "&eacute;"),
            ("&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;", "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;"),
            // < that does not begin a tag
            ("5 < 6", "5 < 6"), ("<3", "<3"), ("a <- b", "a <- b"), ("<", "<"), ("<<<", "<<<"),
            ("1<2<b>3</b>", "1<2<b>3</>"),
            ("<mail@x.example>", "<mail@x.example>"), ("if a<b&c>d", "if a<b&c>d"), ("a > b", "a > b"),
            ("a ]]> b", "a ]]> b"),
            // attributes
            ("<a x=1 y=2>t</a>", "<a x=1 y=2>t</>"), ("<a x>t</a>", "<a x=>t</>"),
            ("<a x=\"1\"y=\"2\"/>", "<a x=1 y=2></>"),
            ("<a x=\"?a=1&b=2\"/>", "<a x=?a=1&b=2></>"), ("<a x=\"1>2\"/>", "<a x=1>2></>"),
            ("<a x=\"1<2\"/>", "<a x=1<2></>"),
            ("<a x=\"&eacute;\"/>", "<a x=é></>"), ("<a x=\"1\" x=\"2\"/>", "<a x=1 x=2></>"),
            ("<a x='a\"b'/>", "<a x=a\"b></>"),
            ("<a \"x\"/>", "<a x=></>"), ("<a =1/>", "<a></>"),
            ("<a x=http://x.example/?a&b>t</a>", "<a x=http://x.example/?a&b>t</>"), ("<a X=\"1\"/>", "<a x=1></>"),
            // tags
            ("<b>t", "<b>t</>"), ("<b><i>t</b>", "<b><i>t</></>"), ("t</b>", "t"), ("<br>t", "<br>t</>"),
            ("<B>t</b>", "<B>t</>"),
            ("<a>1</b>2</a>", "<a>12</>"), ("</channel>", ""), ("<a<b>t</b>", "<a><b>t</></>"),
            // declarations, comments and CDATA
            ("<!DOCTYPE x>t", "t"), ("<!anything>t", "t"), ("<![endif]>t", "t"), ("<!-->t", "t"),
            ("<![CDATA[a]]]>", "a]"), ("<![CDATA[]]>", ""), ("<![CDATA[a]]b]]>", "a]]b"),
            ("<![CDATA[<![CDATA[a]]>b]]>", "<![CDATA[ab]]>"),
            ("<![CDATA[a]]><![CDATA[b]]>", "ab"), ("<![cdata[a]]>", ""),
        ])
    func repairs(_ inside: String, _ expected: String) throws {
        for isStrictFirst in [true, false] {
            for pieces in [.max, 1, 2, 3, 4] {
                let text = try read(inside, pieces: pieces, isStrictFirst: isStrictFirst)
                #expect(text == expected, "in pieces of \(pieces), strict first: \(isStrictFirst)")
            }
        }
    }

    @Test("An end tag without a matching element in the item is ignored, and a new item closes open elements")
    func items() throws {
        let reader = RecordedReader(roots: ["rss"])
        let document = "<rss><channel><item><a><item></b></image><b></channel><x/></rss>"
        #expect(try reader.read(Array(document.utf8)))
        #expect(reader.text == "<rss><channel><item><a></></><item><b></></></><x></></>")
    }
}
