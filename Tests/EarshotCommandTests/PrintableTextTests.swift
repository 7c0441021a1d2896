// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Testing

@testable import TerminalInterface

@Suite("Untrusted text on one line")
struct PrintableTextTests {
    @Test(
        "Control characters are removed, and white space becomes one space",
        arguments: [
            ("a\u{1B}[31mb", "a[31mb"), ("a\u{202E}b\u{2066}c", "abc"), ("  a \n\t b\u{2028}c  ", "a b c"),
            ("\u{9B}31m", "31m"), ("a\u{0}b\u{7F}", "ab"), ("\u{FEFF}a\u{200B}", "a"), ("\r\n", ""),
        ])
    func harmless(raw: String, expected: String) {
        #expect(PrintableText(raw).text == expected)
    }

    @Test(
        "The column count is the maximum over all terminals",
        arguments: [
            ("abc", 3), ("日本語", 6), ("한국", 4), ("ｆｕ", 4), ("e\u{301}", 1), ("Grüße", 5), ("🎧", 2), ("❤\u{FE0F}", 2),
            ("👩‍🎤", 4), ("👩‍👩‍👧‍👦", 8), ("👍🏽", 4), ("🇳🇴", 2), ("—", 1), ("", 0), ("समाचार", 6), ("บ้านน้ำ", 5), ("각", 2),
            ("\u{1100}\u{1161}\u{11A8}", 2),
        ])
    func columns(text: String, expected: Int) {
        #expect(PrintableText(text).columns == expected)
    }

    @Test(
        "Text that is too wide is cut with an ellipsis, never inside a wide character",
        arguments: [
            ("Hello", 5, "Hello"), ("Hello", 4, "Hel…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab cd", 4, "ab…"),
            ("abc", 1, ""), ("abc", 0, ""),
        ])
    func cut(text: String, limit: Int, expected: String) {
        let cut = PrintableText(text).cut(to: limit, ellipsis: "…")
        #expect(cut.text == expected)
        #expect(cut.columns <= limit)
    }

    @Test("The number of combining marks on a letter is limited")
    func piledMarks() {
        let text = PrintableText("a" + String(repeating: "\u{301}", count: 10_000))
        #expect(text.text.unicodeScalars.count <= 8)
    }

    @Test(
        "No text has fewer columns than the sum of the C library's wcwidth",
        arguments: [
            "हिन्दी समाचार और कहानियाँ", "ข่าวภาษาไทยวันนี้กำลังมา", "বাংলা সংবাদ", "தமிழ் செய்திகள்", "မြန်မာ သတင်း", "ខ្មែរ",
            "👨‍👩‍👧‍👦 family 👩🏽‍🚀",
            "日本語のニュース", "한국어 뉴스", "שָׁלוֹם", "العَرَبِيَّة", "🇳🇴 Norsk", "Tiếng Việt",
        ])
    func widthOfTheLibrary(text: String) throws {
        let locale = try #require(newlocale(CInt(LC_CTYPE_MASK), "C.UTF-8", nil))
        // The headers declare `wcwidth` only for X/Open programs.
        typealias Width = @convention(c) (wchar_t) -> CInt
        let wcwidth = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Width.self)
        let before = uselocale(locale)
        let columns = text.unicodeScalars.reduce(0) { $0 + Int(max(0, wcwidth(wchar_t($1.value)))) }
        uselocale(before)
        freelocale(locale)
        #expect(PrintableText(text).columns >= columns)
    }

    @Test("A text of several columns keeps its combining marks and is cut to the width")
    func marks() {
        #expect(PrintableText(keepingSpaces: "e\u{301}  हिन्दी", cutTo: 20).text == "e\u{301}  हिन्दी")
        #expect(PrintableText(keepingSpaces: "日本語", cutTo: 5).columns == 4)
    }

    @Test("Without UTF-8 only ASCII is shown, in the same columns")
    func asciiOnly() {
        #expect(PrintableText("Grüße 日", asciiOnly: true).text == "Gr??e ?")
        #expect(PrintableText.inASCII("Grüße 日\r\n") == "Gr??e ??\r\n")
    }
}
