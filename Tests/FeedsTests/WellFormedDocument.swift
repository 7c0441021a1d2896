// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// A generator of random feeds that are well-formed XML, in most notations that XML has.
struct WellFormedDocument {
    private var random: SeededGenerator
    private var depth = 0
    private(set) var text = ""

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        head()
        switch number(4) {
        case 0: element("feed", " xmlns='http://www.w3.org/2005/Atom'") { $0.fields(and: "entry") }
        case 1:
            element("rdf:RDF", " xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'") { $0.fields(and: "item") }
        default: element("rss", " version=\"2.0\"") { $0.element("channel") { $0.fields(and: "item") } }
        }
        for _ in 0..<number(3) { text += blank() + misc() }
    }

    private mutating func head() {
        text += pick([
            "", "", "\n\n", "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone='yes' ?>\n",
            "<?xml version = '1.0' encoding='koi8-r'?>\n", "<?xml version=\"1.1\"?>",
        ])
        for _ in 0..<number(3) { text += blank() + misc() }
        text += pick([
            "", "", "<!DOCTYPE rss>", "<!DOCTYPE html >\n",
            "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\"\n 'http://x.example/rss-0.91.dtd'>",
        ])
        text += blank() + (number(3) == 0 ? misc() : "")
    }

    private mutating func fields(and item: String) {
        for _ in 0..<number(5) { content() }
        for _ in 0..<number(6) {
            text += blank()
            element(item) { for _ in 0..<$0.number(8) { $0.content() } }
        }
        if number(20) == 0 { nest(64 - depth - number(3)) }
    }

    /// Nests elements, up to the limit.
    private mutating func nest(_ levels: Int) {
        guard levels > 0 else { return text += "deep" }
        element("n") { $0.nest(levels - 1) }
    }

    private mutating func element(_ name: String, _ given: String = "", inside: (inout Self) -> Void) {
        depth += 1
        text +=
            "<\(name)\(given)\(attributes(except: given.contains(" xmlns=") ? "xmlns" : nil))"
            + pick(["", "", "", " ", "\n"]) + ">"
        inside(&self)
        text += "</\(name)" + pick(["", "", "", " ", "\n\t"]) + ">"
        depth -= 1
    }

    private mutating func content() {
        switch number(12) {
        case 0: text += blank()
        case 1: text += misc()
        case 2, 3: text += "<\(name())\(attributes())" + pick(["/>", " />", "\n/>"])
        default:
            element(name()) {
                for _ in 0..<$0.number(5) { $0.text += $0.piece() }
                if $0.depth < 20, $0.number(4) == 0 { $0.content() }
            }
        }
    }

    /// A piece of text.
    private mutating func piece() -> String {
        switch number(16) {
        case 0: "<![CDATA[" + pick(["", "a & b", "<b>&amp;</b>", "]", "]]", "]] >", "é\n]", "x]]]", ">"]) + "]]>"
        case 1: "<![CDATA[" + long() + "]]>"
        case 2: long()
        case 3: misc()
        case 4...8: reference()
        default: words()
        }
    }

    private mutating func reference() -> String {
        pick([
            "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#65;", "&#x42;", "&#233;", "&#xE9;", "&#8217;", "&#x1F3A7;",
            "&#039;", "&#10;", "&#9;", "&#13;", "&#x0000000041;", "&#00000000000000000000000000000000000065;",
            "&#160;", "&#xA0;", "&#xFFFD;", "&amp;amp;", "&amp;#38;", "&#38;lt;", "&lt;b&gt;",
        ])
    }

    private mutating func words() -> String {
        pick([
            "word", " two words ", "\n", "\t", "é", "日本語", "😀", "a]]b", "a > b", "]]", "12:34", "; ", "\"q'", "yes",
            "Thu, 01 Jan 2026 00:00:00 GMT", "https://x.example/1.mp3", "\u{A0}", "\u{2028}", "e\u{301}", "#",
        ])
    }

    private mutating func long() -> String {
        let word = words()
        return String(
            repeating: word + pick(["x", "é", " ", "\n"]), count: number(30) == 0 ? number(5_000) : number(400))
    }

    private mutating func attributes(except name: String? = nil) -> String {
        var taken = Set([name].compactMap(\.self))
        var text = ""
        for _ in 0..<number(4) {
            let name = pick([
                "a", "b", "url", "length", "xml:base", "xml:lang", "xml:space", "itunes:href", "u:v", "type", "Type",
                "xmlns", "xmlns:itunes", "xmlns:u", "xmlns:q", "xmlns:xml", "é", "_x.y-z",
            ])
            guard taken.insert(name).inserted else { continue }
            let quote = pick(["\"", "'"])
            let value = name.hasPrefix("xmlns") ? uri(name) : value(quote)
            text += pick([" ", "  ", "\n", "\t"]) + name + pick(["=", " = ", "\n="]) + quote + value + quote
        }
        return text
    }

    private mutating func uri(_ name: String) -> String {
        guard name != "xmlns:xml" else { return "http://www.w3.org/XML/1998/namespace" }
        return pick(["http://x.example/\(name)", "urn:\(name)", "relative \(name)", "http://x.example/?a&amp;\(name)"])
    }

    private mutating func value(_ quote: String) -> String {
        var value = ""
        for _ in 0..<number(4) {
            value += number(3) == 0 ? reference() : words()
        }
        return value.replacing(quote, with: "")
    }

    /// A comment or an instruction.
    private mutating func misc() -> String {
        pick([
            "<!-- comment -->", "<!---->", "<!-- <b> & ]]> -->", "<!--- x -->", "<!-- é -\n- -->",
            "<?php echo '<b>' ?>",
            "<?x?>", "<?xml-stylesheet href=\"a?b\" ?>", "<?x ? > ?>",
        ])
    }

    private mutating func name() -> String {
        pick([
            "title", "link", "description", "guid", "pubDate", "enclosure", "Title", "itunes:duration", "itunes:title",
            "content:encoded", "atom:link", "u:x", "x", "a.b", "_u", "a-b", "summary", "author", "name", "content",
            "xml:x",
        ])
    }

    private mutating func blank() -> String { pick(["", " ", "\n", "\n  ", "\t"]) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

    /// Returns a number below `limit`.
    private mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
}
