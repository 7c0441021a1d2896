// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("Transcripts in HTML and plain text")
struct TranscriptHTMLTests {
    @Test(
        "Paragraphs of HTML have the speaker and the time before them",
        arguments: [
            (
                "<cite>Kevin:</cite>\n<time>0:00</time>\n<p>We</p>\n<cite>Alban :</cite><time>0:09</time><p>You</p>",
                "0-9 Kevin: We\n9-9 Alban: You"
            ),
            (
                "<p><cite>Kevin</cite> <time>[1:02:03]</time> One</p><p>two</p>",
                "3723-3723 Kevin: One\n3723-3723 Kevin: two"
            ),
            ("<time>0:05</time><p>a</p><p>b</p><time>0:09</time><p>c</p>", "5-9 a\n5-9 b\n9-9 c"),
            ("<p>Intro</p><time>0:05</time><p>a</p>", "0-5 Intro\n5-5 a"),
            ("<p>I read <cite>Moby Dick</cite> on <time>May 1</time>.</p>", "I read Moby Dick on May 1."),
            ("<time>May 1</time><p>One</p>", "May 1\nOne"), ("<time>9:99</time><p>One</p>", "9:99\nOne"),
            ("<p>One</p><p>Two<br>Three</p>", "One\nTwo\nThree"),
            ("<h1>Title</h1><ul><li>a</li><li>b</li></ul>", "Title\na\nb"),
            ("<p>R&amp;B <b>caf&eacute;</b></p><script>x</script><style>y</style><!-- z -->", "R&B café"),
            ("<p>Mary: Hi</p><p>there</p><p>John: Ho</p>", "Mary: Hi\nMary: there\nJohn: Ho"),
            ("<!DOCTYPE html><html lang=en><head><title>t</title></head><body><p>One</p>", "One"),
            ("<cite>\(String(repeating: "long ", count: 40))", String(repeating: "long ", count: 39) + "long"),
            ("<p>bell&#7;&#27;[31m\u{202E}</p>", "bell[31m"),
        ])
    func html(_ document: String, _ expected: String) {
        #expect(TranscriptDump(document, type: "text/html").description == expected)
    }

    @Test(
        "The links and menus of a page are not words of the transcript",
        arguments: [
            ("<nav><ul><li><a href=/>Home</a></li></ul></nav><p>One</p>", "One"),
            ("<p>One<nav>Next</nav>two</p>", "One\ntwo"),
            ("<select><option>English<option>French</select><p>One</p>", "One"),
            ("<form><p>One</p><button>two</button></form>", "One\ntwo"),
            ("<header><cite>Mary</cite><time>0:05</time></header><p>One</p>", "5-5 Mary: One"),
            ("<nav><p>One</p>", "One"), ("<nav>a<nav>b</nav>c</nav><p>One</p>", "One"),
            ("<nav>Home<p>One</p><nav>Foot</nav>", "Home\nOne\nFoot"), ("<nav/><p>One</p><nav>Foot</nav>", "One\nFoot"),
        ])
    func pages(_ document: String, _ expected: String) {
        #expect(TranscriptDump(document, type: "text/html").description == expected)
    }

    @Test("The language of a page is used if the feed gives none")
    func language() {
        #expect(TranscriptDump("<html lang='fr-CA'><p>Un").transcript?.language == "fr-CA")
        #expect(TranscriptDump("<html lang='no language at all'><p>Un").transcript?.language == nil)
    }

    @Test(
        "Paragraphs of plain text are separated by empty lines, or else by line breaks",
        arguments: [
            ("One\ntwo\n\nThree", "One two\nThree"), ("One\nTwo", "One\nTwo"), ("\n\nOne\n\n\n\nTwo\n", "One\nTwo"),
            ("Mary: Hi\nthere\nJohn: Ho\n\nMary: Oh", "Mary: Hi there\nJohn: Ho\nMary: Oh"),
            ("Mary: Hi\n\nMore\n\nJohn: Ho", "Mary: Hi\nMary: More\nJohn: Ho"),
            ("5 < 6 & <i>x</i> &amp;", "5 < 6 & <i>x</i> &amp;"), ("[Music]", "[Music]"),
        ])
    func text(_ document: String, _ expected: String) {
        #expect(TranscriptDump(document, type: "text/plain").description == expected)
        #expect(TranscriptDump(document.replacing("\n", with: "\r\n"), type: "text/plain").description == expected)
    }
}
