// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media
import Testing

@Suite("Specification: show notes and short texts")
struct ShowNotesSpecification {
    private static let encoded = "<content:encoded>&lt;p&gt;encoded&lt;/p&gt;</content:encoded>"
    private static let content = "<atom:content type='html'>&lt;p&gt;content&lt;/p&gt;</atom:content>"
    private static let marked = "<description>&lt;p&gt;marked&lt;/p&gt;</description>"
    private static let plain = "<description>plain</description>"
    private static let markedSummary = "<itunes:summary>&lt;p&gt;summed&lt;/p&gt;</itunes:summary>"
    private static let summary = "<itunes:summary>summary</itunes:summary>"
    private static let subtitle = "<itunes:subtitle>subtitle</itunes:subtitle>"
    private static let atomSummary = "<atom:summary>atom summary</atom:summary>"
    private static let media = "<media:description>media</media:description>"

    @Test(
        "The richest text becomes the show notes, in any order, and an empty one is ignored",
        arguments: [
            ([encoded, content, marked, summary], "<p>encoded</p>"), ([content, marked, summary], "<p>content</p>"),
            ([marked, markedSummary], "<p>marked</p>"), ([plain, markedSummary], "<p>summed</p>"),
            ([plain, summary], "plain"),
            ([summary, subtitle], "summary"), ([subtitle, atomSummary], "atom summary"), ([subtitle], "subtitle"),
            ([atomSummary, media], "atom summary"),
            ([media], "media"), ([media, plain], "plain"), (["<content:encoded/>", plain], "plain"),
            (["<content:encoded> </content:encoded>", marked], "<p>marked</p>"),
            (["<content:encoded><![CDATA[<p></p>]]></content:encoded>", plain], "plain"),
            (["<content:encoded><![CDATA[<!-- x -->]]></content:encoded>", plain], "plain"),
            (["<content:encoded><![CDATA[<script>x</script>]]></content:encoded>", marked], "<p>marked</p>"),
            ([encoded, "<description/>"], "<p>encoded</p>"),
            (["<dc:description>dublin</dc:description>", media], "dublin"),
            (["<googleplay:description>google</googleplay:description>"], "google"),
            (["<media:text type='plain'>words</media:text>"], "words"),
            (["<media:group>" + media + "</media:group>"], "media"),
            (["<body xmlns='http://www.w3.org/1999/xhtml'><p>body</p></body>", plain], "<p>body</p>"),
            (
                ["<xhtml:body xmlns:xhtml='http://www.w3.org/1999/xhtml'><xhtml:p>body</xhtml:p></xhtml:body>", plain],
                "<p>body</p>"
            ),
            (["<content>unprefixed</content>", plain], "unprefixed"), (["<encoded>bare</encoded>", plain], "bare"),
            (["<fullitem>&lt;p&gt;full&lt;/p&gt;</fullitem>", marked], "<p>full</p>"),
            (["<x:description xmlns:x='urn:x'>no</x:description>", plain], "plain"),
            (["<x:encoded xmlns:x='urn:x'>no</x:encoded>", plain], "plain"),
            (["<summary>unprefixed</summary>"], "unprefixed"),
        ])
    func richest(_ elements: [String], _ expected: String) throws {
        for item in orders(elements) { #expect(try episode(item).contentHTML == expected) }
    }

    @Test(
        "The short text contains no markup",
        arguments: [
            ([summary, marked, subtitle], "summary"), ([marked, subtitle], "marked"),
            ([subtitle, atomSummary], "subtitle"), ([atomSummary, media], "atom summary"),
            ([markedSummary, plain], "summed"), (["<itunes:summary/>", plain], "plain"),
            (["<itunes:summary> </itunes:summary>", marked], "marked"),
            (["<itunes:summary><![CDATA[<br>]]></itunes:summary>", plain], "plain"), ([media], "media"),
            (["<dc:description>d</dc:description>"], "d"),
            (["<description>one &lt;br/&gt; two</description>"], "one two"),
            (["<description>AT&amp;amp;T</description>"], "AT&T"),
            (["<description><![CDATA[<p>one</p><p>two</p>]]></description>"], "one two"),
            (["<description><p>one</p><p>two</p></description>"], "one two"),
            (["<description><![CDATA[<ul><li>one</li><li>two</li></ul>]]></description>"], "one two"),
            (["<description><![CDATA[see <a href='https://x.example'>this</a>!]]></description>"], "see this!"),
            (["<description><![CDATA[a<style>p {}</style>b]]></description>"], "a b"), ([encoded], nil),
            (["<description>1 &lt; 2 &amp;&amp; 3 &gt; 2</description>"], "1 < 2 && 3 > 2"),
            (["<description>&lt;![CDATA[all &lt;i&gt;the&lt;/i&gt; words]]&gt;.</description>"], "all the words."),
            (["<description>&lt;![CDATA[no end</description>"], "no end"),
            (["<description>one &lt;! two</description>"], "one <! two"),
            (["<description>one &lt;? two ?&gt;</description>"], "one <? two ?>"),
            (["<description>one &lt;!DOCTYPE</description>"], "one <!DOCTYPE"),
            (["<description>one &lt;!-- two</description>"], "one two"),
            (["<description>one&lt;!-- two &gt; three</description>"], "one three"),
            (["<description>in &lt;st1:City&gt;Ulm&lt;/st1:City&gt;&lt;o:p&gt;&lt;/o:p&gt;.</description>"], "in Ulm."),
            (
                ["<description>&lt;https://x.example&gt;, &lt;a-b@x.example&gt;</description>"],
                "<https://x.example>, <a-b@x.example>"
            ),
        ] as [([String], String?)])
    func short(_ elements: [String], _ expected: String?) throws {
        for item in orders(elements) { #expect(try episode(item).description == expected) }
    }

    @Test(
        "The description of a channel is read",
        arguments: [
            ([summary, plain], "summary"), ([plain, subtitle], "plain"), ([marked], "marked"), ([subtitle], "subtitle"),
            (["<description/>", subtitle], "subtitle"),
            (["<googleplay:description>google</googleplay:description>"], "google"),
            (["<dc:description>dublin</dc:description>"], "dublin"),
            (["<atom:subtitle>sub</atom:subtitle>"], "sub"), (["<description>two\n lines</description>"], "two lines"),
            (["<image><description>x</description></image>", plain], "plain"),
            (["<textInput><description>x</description></textInput>", plain], "plain"),
        ])
    func channelDescription(_ elements: [String], _ expected: String) throws {
        for content in orders(elements) { #expect(try channel(content).description == expected) }
    }

    @Test(
        "Show notes keep words and harmless markup, lose scripts and handlers, and get absolute addresses",
        arguments: [
            ("<p>Hello</p>", "<p>Hello</p>"), ("<P CLASS=x>Hello</P>", "<p>Hello</p>"),
            ("<a href='n.html'>n</a>", "<a href=\"https://feed.example/show/n.html\">n</a>"),
            ("<a href=\"/n?a=1&b=2\">n</a>", "<a href=\"https://feed.example/n?a=1&amp;b=2\">n</a>"),
            ("<img src='i.png'>", "<img src=\"https://feed.example/show/i.png\">"),
            ("<a href='#t'>t</a>", "<a href=\"#t\">t</a>"),
            ("<a href='mailto:a@x.example'>m</a>", "<a href=\"mailto:a@x.example\">m</a>"),
            ("<a href='javascript:x()'>words</a>", "<a>words</a>"),
            ("<a href='JaVaScRiPt:x()'>words</a>", "<a>words</a>"),
            ("<a href='&#106;avascript:x()'>words</a>", "<a>words</a>"),
            ("<a href='vbscript:x'>words</a>", "<a>words</a>"),
            ("<a href='data:text/html,x'>words</a>", "<a>words</a>"),
            ("<p onclick='x()' onmouseover=x()>words</p>", "<p>words</p>"),
            ("<p style='color:red'>words</p>", "<p>words</p>"), ("<script>x</script>words", "words"),
            ("words<script>x", "words"), ("<textarea>words", "words"), ("the <title> words", "the  words"),
            ("<SCRIPT type=x>x</SCRIPT>words", "words"), ("<style>x</style>words", "words"),
            ("<iframe src='https://x.example'></iframe>words", "words"),
            ("<object><embed src=x>words</object>", "words"), ("<form><input name=x>words</form>", "words"),
            ("<svg onload=x><circle/></svg>words", "words"),
            ("<math><mi>a</mi><mo>+</mo><mn>1</mn></math>", "a+1"), ("<marquee>words</marquee>", "words"),
            ("<math><mi>a</mi><annotation>\\a</annotation></math>", "a"), ("words<o:p></o:p>", "words"),
            ("<my-player src=x>words</my-player>", "words"), ("<![CDATA[<b>words</b>]]&gt;", "<b>words</b>]]&gt;"),
            ("<title> a <!-- > --> b <!-- c", "a  b  c"),
            ("words<!-- <script> x", "words"), ("<!-- one <b>two</b>", "one <b>two</b>"),
            ("<!-- > <script>x</script>words", "words"),
            ("<b>b</b> <i>i</i> <em>e</em> <strong>s</strong>", "<b>b</b> <i>i</i> <em>e</em> <strong>s</strong>"),
            ("<br/>x<hr/>", "<br>x<hr>"),
            ("<ul><li>1</li></ul>", "<ul><li>1</li></ul>"), ("<h2>T</h2>", "<h2>T</h2>"),
            ("<pre>a  b</pre>", "<pre>a  b</pre>"), ("<foo>words</foo>", "words"),
            ("AT&T", "AT&amp;T"), ("a &lt; b", "a &lt; b"), ("&eacute;", "&eacute;"), ("<!-- gone -->words", "words"),
            ("<a href='https://x.example'>x", "<a href=\"https://x.example\">x"),
            ("<a href='feed:x'>words</a>", "<a>words</a>"),
            ("<img src=x onerror=alert(1)>", "<img src=\"https://feed.example/show/x\">"),
            ("<base href='https://x.example'>words", "words"),
            ("<meta http-equiv=refresh content='0;url=x'>words", "words"),
            ("<link rel=stylesheet href=x>words", "words"), ("<p>one<p>two", "<p>one<p>two"),
            ("<a title=\"a'b\" href='/'>x</a>", "<a title=\"a'b\" href=\"https://feed.example/\">x</a>"),
            ("<td colspan=2>x</td>", "<td colspan=\"2\">x</td>"),
        ])
    func safe(_ html: String, _ expected: String) throws {
        #expect(try episode("<content:encoded><![CDATA[\(html)]]></content:encoded>").contentHTML == expected)
        #expect(try entry("<content type='html'><![CDATA[\(html)]]></content>").contentHTML == expected)
    }

    @Test(
        "Relative references in the notes use the base of their element",
        arguments: [
            (
                "<content:encoded xml:base='https://b.example/'>&lt;a href='x'&gt;y&lt;/a&gt;</content:encoded>",
                "https://b.example/x"
            ),
            ("<content:encoded>&lt;a href='x'&gt;y&lt;/a&gt;</content:encoded>", "https://feed.example/show/x"),
            (
                "<atom:content type='xhtml' xml:base='https://b.example/'><div><a href='x'>y</a></div></atom:content>",
                "https://b.example/x"
            ),
            (
                "<atom:content type='xhtml'><div xml:base='https://b.example/'><a href='x'>y</a></div></atom:content>",
                "https://b.example/x"
            ),
            (
                "<description xml:base='sub/'>&lt;a href='x'&gt;y&lt;/a&gt;</description>",
                "https://feed.example/show/sub/x"
            ),
        ])
    func base(_ element: String, _ expected: String) throws {
        #expect(try episode(element).contentHTML == "<a href=\"\(expected)\">y</a>")
        #expect(try episode("<xml:x/>" + element + "<link>z</link>").link == "https://feed.example/show/z")
    }

    @Test("Without a base a relative reference is unchanged")
    func noBase() throws {
        let element = "<content:encoded>&lt;a href='x'&gt;y&lt;/a&gt;</content:encoded>"
        #expect(try episode(element, base: nil).contentHTML == "<a href=\"x\">y</a>")
    }
}
