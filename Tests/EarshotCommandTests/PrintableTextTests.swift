// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import TerminalInterface

@Suite("Text from outside on one line")
struct PrintableTextTests {
    @Test(
        "what would drive the terminal is dropped, white space is one space",
        arguments: [
            ("a\u{1B}[31mb", "a[31mb"), ("a\u{202E}b\u{2066}c", "abc"), ("  a \n\t b\u{2028}c  ", "a b c"),
            ("\u{9B}31m", "31m"), ("a\u{0}b\u{7F}", "ab"), ("\u{FEFF}a\u{200B}", "a"), ("\r\n", ""),
        ])
    func harmless(raw: String, expected: String) {
        #expect(PrintableText(raw).text == expected)
    }

    @Test(
        "columns are counted as terminals do",
        arguments: [
            ("abc", 3), ("日本語", 6), ("한국", 4), ("ｆｕ", 4), ("e\u{301}", 1), ("Grüße", 5), ("🎧", 2), ("❤\u{FE0F}", 2),
            ("👩‍🎤", 2), ("—", 1), ("", 0),
        ])
    func columns(text: String, expected: Int) {
        #expect(PrintableText(text).columns == expected)
    }

    @Test(
        "what is too wide is cut with an ellipsis, never inside a wide character",
        arguments: [
            ("Hello", 5, "Hello"), ("Hello", 4, "Hel…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab cd", 4, "ab…"),
            ("abc", 1, ""), ("abc", 0, ""),
        ])
    func cut(text: String, limit: Int, expected: String) {
        let cut = PrintableText(text).cut(to: limit, ellipsis: "…")
        #expect(cut.text == expected)
        #expect(cut.columns <= limit)
    }

    @Test("marks piled on one letter are bounded")
    func piledMarks() {
        let text = PrintableText("a" + String(repeating: "\u{301}", count: 10_000))
        #expect(text.text.unicodeScalars.count <= 8)
    }

    @Test("without UTF-8 only ASCII is shown")
    func asciiOnly() {
        #expect(PrintableText("Grüße 日", asciiOnly: true).text == "Gr??e ?")
    }
}
