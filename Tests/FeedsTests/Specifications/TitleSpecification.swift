// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: titles")
struct TitleSpecification {
    @Test(
        "A title is one line of plain text: references decoded, markup removed, white space collapsed",
        arguments: [
            ("Plain", "Plain"), ("  Led and trailed \n", "Led and trailed"), ("Two\n\t  lines", "Two lines"),
            ("Salt &amp; pepper", "Salt & pepper"), ("Salt &amp;amp; pepper", "Salt & pepper"),
            ("Salt &#38; pepper", "Salt & pepper"), ("Salt &#x26;amp; pepper", "Salt & pepper"),
            ("<![CDATA[Salt & pepper]]>", "Salt & pepper"), ("<![CDATA[Salt &amp; pepper]]>", "Salt & pepper"),
            ("<![CDATA[Salt &amp;amp; pepper]]>", "Salt & pepper"), ("It&apos;s &quot;on&quot;", "It's \"on\""),
            ("It&#39;s", "It's"), ("It&#8217;s", "It’s"), ("It&amp;#8217;s", "It’s"), ("It&rsquo;s", "It’s"),
            ("It&amp;rsquo;s", "It’s"), ("Caf&eacute;", "Café"), ("Caf&#233;", "Café"), ("Caf&#xE9;", "Café"),
            ("Caf&amp;eacute;", "Café"), ("1 &lt; 2", "1 < 2"), ("2 &gt; 1", "2 > 1"), ("2 > 1", "2 > 1"),
            ("<![CDATA[1 < 2]]>", "1 < 2"), ("&lt;b&gt;Bold&lt;/b&gt; move", "Bold move"),
            ("<![CDATA[<b>Bold</b> move]]>", "Bold move"), ("<b>Bold</b> move", "Bold move"),
            ("&amp;lt;b&amp;gt;Bold&amp;lt;/b&amp;gt; move", "Bold move"), ("A<br/>B", "A B"), ("A&lt;br&gt;B", "A B"),
            ("Half<![CDATA[ & ]]>half", "Half & half"), ("<![CDATA[One]]><![CDATA[ two]]>", "One two"),
            ("A<!-- not this -->B", "AB"), ("No&nbsp;break", "No break"), ("No\u{A0}break", "No break"),
            ("R&amp;B", "R&B"), ("R&B", "R&B"), ("Q&A: what?", "Q&A: what?"), ("C++ & C#", "C++ & C#"),
            ("Vec&lt;T&gt;", "Vec<T>"), ("Array&lt;Int&gt; explained", "Array<Int> explained"), ("日本語", "日本語"),
            ("Emoji 🎧 &#127911;", "Emoji 🎧 🎧"), ("&#x1F3A7;", "🎧"), ("Tab\tted", "Tab ted"), ("0", "0"),
            ("[Ep. 1] (pt. 2) {x}", "[Ep. 1] (pt. 2) {x}"), ("the &lt;script&gt; tag", "the <script> tag"),
            ("a &lt;title&gt; in a &lt;title&gt;", "a <title> in a <title>"),
            ("x&lt;script&gt;y()&lt;/script&gt;z", "x z"), ("50% off; 100%!", "50% off; 100%!"),
            ("a &copy= b", "a &copy= b"), ("x &notanentity; y", "x &notanentity; y"), ("bell&#7;", "bell"),
            ("\\u0041 stays", "\\u0041 stays"), ("“Quoted”", "“Quoted”"), ("e\u{301}", "e\u{301}"),
        ])
    func line(_ text: String, _ expected: String) throws {
        #expect(try episode("<title>\(text)</title>").title == expected)
        #expect(try channel("<title>\(text)</title>").title == expected)
        #expect(try entry("<title>\(text)</title>").title == expected)
    }

    @Test(
        "title comes first, then itunes:title, dc:title and media:title, in any order; an empty one is ignored",
        arguments: [
            (["<title>a</title>", "<itunes:title>b</itunes:title>", "<dc:title>c</dc:title>"], "a"),
            (["<itunes:title>b</itunes:title>", "<dc:title>c</dc:title>", "<media:title>d</media:title>"], "b"),
            (["<dc:title>c</dc:title>", "<media:title>d</media:title>"], "c"),
            (["<title/>", "<itunes:title>b</itunes:title>"], "b"),
            (["<title> </title>", "<dc:title>c</dc:title>"], "c"),
            (["<title><![CDATA[]]></title>", "<media:title>d</media:title>"], "d"),
            (["<title>&nbsp;</title>", "<itunes:title>b</itunes:title>"], "b"), (["<media:title>d</media:title>"], "d"),
            (["<title>a</title>", "<atom:title>x</atom:title>"], "a"), (["<atom:title>x</atom:title>"], "x"),
            (["<TITLE>a</TITLE>", "<itunes:Title>b</itunes:Title>"], "a"), (["<Title>a</Title>"], "a"),
        ])
    func precedence(_ elements: [String], _ expected: String) throws {
        for content in orders(elements) {
            #expect(try episode(content).title == expected)
            #expect(try channel(content).title == expected)
        }
    }

    @Test("The first of two titles is used")
    func first() throws {
        #expect(try episode("<title>a</title><title>b</title>").title == "a")
        #expect(try episode("<title/><title>b</title>").title == "b")
    }

    @Test(
        "An empty title is `nil`",
        arguments: ["", "<title/>", "<title></title>", "<title> \n </title>", "<title>&#7;</title>"])
    func none(_ content: String) throws {
        #expect(try episode("<guid>g</guid>" + content).title == nil)
        #expect(try channel(content).title == nil)
        #expect(try entry(content).title == nil)
    }

    @Test(
        "A title inside another element does not apply to the item",
        arguments: [
            "<image><title>x</title><url>https://x.example/i.png</url></image>",
            "<source url='https://x.example'>x</source>",
            "<atom:source><atom:title>x</atom:title></atom:source>", "<source><title>x</title></source>",
            "<podcast:liveItem><title>x</title></podcast:liveItem>", "<unknown><title>x</title></unknown>",
            "<media:content url='https://x.example/1.jpg' medium='image'><media:title>y</media:title></media:content>",
            "<media:group><media:title>y</media:title></media:group>", "<textInput><title>x</title></textInput>",
            "<psc:chapters><psc:chapter start='0' title='x'/></psc:chapters>",
            "<podcast:soundbite startTime='1' duration='2'>x</podcast:soundbite>",
            "<itunes:owner><title>x</title></itunes:owner>",
            """
            <podcast:alternateEnclosure title='x'><podcast:source uri='https://x.example/a'/>\
            </podcast:alternateEnclosure>
            """,
        ])
    func place(_ stranger: String) throws {
        for content in orders([stranger, "<title>own</title>"]) {
            #expect(try episode(content).title == "own")
        }
    }

    @Test(
        "A title inside another element does not apply to the channel",
        arguments: [
            "<image><title>x</title><link>https://x.example</link></image>", "<item><title>x</title></item>",
            "<textInput><title>x</title><link>https://x.example</link></textInput>",
            "<podcast:liveItem status='live'><title>x</title><guid>x</guid></podcast:liveItem>",
            """
            <podcast:trailer url='https://x.example/t.mp3' pubdate='Thu, 01 Apr 2021 08:00:00 EST'>x</podcast:trailer>
            """,
            "<podcast:podroll><podcast:remoteItem feedGuid='1' title='x'/><title>x</title></podcast:podroll>",
            "<itunes:owner><itunes:name>x</itunes:name></itunes:owner>", "<skipDays><title>x</title></skipDays>",
            "<itunes:category text='x'><itunes:category text='y'/></itunes:category>",
            "<podcast:value type='lightning'><podcast:valueRecipient name='x' address='a'/></podcast:value>",
        ])
    func channelPlace(_ stranger: String) throws {
        for content in orders([stranger, "<title>own</title>", "<link>https://own.example/</link>"]) {
            let feed = try channel(content)
            #expect(feed.title == "own")
            #expect(feed.link == "https://own.example/")
        }
    }
}
