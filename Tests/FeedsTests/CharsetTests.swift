// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("Charsets of feeds")
struct CharsetTests {
    private func title(_ bytes: [UInt8], in charset: String) -> String? {
        let head = "<?xml version='1.0' encoding='\(charset)'?><rss><channel><title>"
        return outcome(of: Array(head.utf8) + bytes + Array("</title></channel></rss>".utf8)).feed?.title
    }

    @Test(
        "what the declaration names is what the text is in",
        arguments: [
            ("windows-1251", [0xCF, 0xF0], "Пр"), ("koi8-r", [0xF0, 0xD2], "Пр"), ("iso-8859-2", [0xB1], "ą"),
            ("Shift_JIS", [0x93, 0xFA], "日"), ("euc-jp", [0xC6, 0xFC], "日"), ("big5", [0xA4, 0xE9], "日"),
            ("gb2312", [0xC8, 0xD5], "日"), ("euc-kr", [0xC0, 0xCF], "일"), ("tis-620", [0xA1], "ก"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
        ] as [(String, [UInt8], String)])
    func known(charset: String, bytes: [UInt8], text: String) {
        #expect(title(bytes, in: charset) == text)
    }

    @Test(
        "a charset in which the declaration could not have been read is not believed",
        arguments: ["utf-7", "UTF7", "iso-2022-kr", "cp037", "ibm930", "unicode", "wchar_t", "nonsense"])
    func impossible(charset: String) {
        #expect(title(Array("a +AGE- é".utf8), in: charset) == "a +AGE- é")
    }
}
