// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Testing

@Suite("Width of text on a terminal")
struct TerminalColumnsTests {
    @Test(
        "Wide characters have two columns, combining marks none",
        arguments: [
            ("abc", 3), ("日本語", 6), ("한국", 4), ("ｆｕ", 4), ("e\u{301}", 1), ("🎧", 2), ("❤\u{FE0F}", 2), ("❤", 1),
            ("1\u{FE0F}\u{20E3}", 2), ("👩‍🎤", 4), ("👍🏽", 4), ("🇳🇴", 2), ("समाचार", 6), ("บ้านน้ำ", 5),
            ("\u{1100}\u{1161}\u{11A8}", 2), ("co\u{AD}op", 5), ("שָׁלוֹם", 4), ("", 0),
        ])
    func columns(text: String, expected: Int) {
        #expect(text.terminalColumns == expected)
    }

    @Test("No character has fewer columns than in the C library")
    func library() throws {
        let locale = try #require(newlocale(CInt(LC_CTYPE_MASK), "C.UTF-8", nil))
        // The headers declare `wcwidth` only for X/Open programs.
        typealias Width = @convention(c) (wchar_t) -> CInt
        let wcwidth = unsafeBitCast(try #require(dlsym(nil, "wcwidth")), to: Width.self)
        let before = uselocale(locale)
        defer {
            uselocale(before)
            freelocale(locale)
        }
        let narrow = (0x20...UInt32(0xE0FFF)).lazy.compactMap(Unicode.Scalar.init).filter { scalar in
            let isAssigned = scalar.properties.generalCategory != .unassigned
            return isAssigned && scalar.terminalColumns < Int(wcwidth(wchar_t(scalar.value)))
        }
        #expect(narrow.map { String($0.value, radix: 16) } == [])
    }
}
