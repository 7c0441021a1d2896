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
        "The text is decoded with the declared charset",
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
        "A charset that could not encode its own declaration is ignored",
        arguments: ["utf-7", "UTF7", "iso-2022-kr", "cp037", "ibm930", "unicode", "wchar_t", "nonsense"])
    func impossible(charset: String) {
        #expect(title(Array("a +AGE- é".utf8), in: charset) == "a +AGE- é")
    }

    @Test(
        "Every charset in use is decoded under its usual labels",
        arguments: [
            ("utf-8", "5a6fc3ab20e2809320d09fd180d0b8d0bcd0b5d18020e697a5e69cac", "Zoë – Пример 日本"),
            ("windows-1250", "8e6c759d209620a3f3649f", "Žluť – Łódź"),
            ("windows-1251", "cff0e8ece5f0209620e4e0", "Пример – да"),
            ("windows-1252", "5a6feb2096209378942080", "Zoë – “x” €"),
            ("windows-1253", "cae1ebe7ecddf1e1", "Καλημέρα"), ("windows-1254", "dd7374616e62756c20fe", "İstanbul ş"),
            ("windows-1255", "f9ece5ed", "שלום"), ("windows-1256", "e3d1cdc8c7", "مرحبا"),
            ("windows-1257", "c0fe756f6c6173", "Ąžuolas"), ("windows-1258", "5669ea74", "Viêt"),
            ("windows-1258", "fd6e67", "ưng"),
            ("iso-8859-1", "5a6feb20e920df", "Zoë é ß"), ("latin1", "5a6feb", "Zoë"),
            ("iso-8859-2", "ae6c75bb20b1", "Žluť ą"), ("iso-8859-5", "bfe0d8dcd5e0", "Пример"),
            ("iso-8859-7", "cae1ebe7", "Καλη"), ("iso-8859-9", "dd7374616e62756c", "İstanbul"),
            ("iso-8859-15", "5a6feb20a4", "Zoë €"), ("Shift_JIS", "93fa967b8cea20834a", "日本語 カ"),
            ("windows-31j", "93fa967b8cea8740", "日本語①"), ("euc-jp", "c6fccbdcb8ec20a5ab", "日本語 カ"),
            ("iso-2022-jp", "1b2442467c4b5c386c1b28422061", "日本語 a"), ("koi8-r", "f0d2c9cdc5d2", "Пример"),
            ("koi8-u", "f0d2c9cbccc1c420a7", "Приклад ї"), ("gb2312", "d6d0cec4b2a5bfcd", "中文播客"),
            ("gbk", "d6d0cec4e667b2a5", "中文鎔播"), ("gb18030", "d6d0cec4b2a5bfcd", "中文播客"),
            ("Big5", "a4a4a4e5bcbdabc8", "中文播客"), ("euc-kr", "c7d1b1b9beee", "한국어"),
            ("ks_c_5601-1987", "c7d1b1b9beee208c63", "한국어 똠"), ("tis-620", "c0d2c9d2e4b7c2", "ภาษาไทย"),
            ("windows_1251", "cff0", "Пр"), ("viscii", "5669ae74", "Việt"), ("tcvn-5712", "5669d674", "Việt"),
            ("x-mac-ce", "ec6c757a", "žluz"), ("macintosh", "5a6f91", "Zoë"), ("x-sjis", "93fa967b", "日本"),
            ("cp1251", "c4e0", "Да"),
        ])
    func labels(label: String, hexadecimal: String, text: String) {
        #expect(title(bytes(hexadecimal), in: label) == text)
    }

    @Test(
        "UTF-16 and UTF-32 are detected by their byte order mark or by the zeros of their first characters",
        arguments: WideForm.all)
    func wide(_ form: WideForm) {
        let document = "<?xml version='1.0' encoding='UTF-16'?><rss><channel><title>Zoë – 日本 𝄞</title></channel></rss>"
        #expect(outcome(of: form.encode(document)).feed?.title == "Zoë – 日本 𝄞")
        #expect(outcome(of: form.encode(document), pieces: [3]).feed?.title == "Zoë – 日本 𝄞")
    }

    @Test(
        "EBCDIC is detected by its first characters, and its variant by the declaration",
        arguments: [
            (
                "4c6fa7949340a58599a28996957e7df14bf07d4085958396848995877e7d8397f2f7f37d6f6e4c99a2a26e4c83888195"
                    + "9585936e4ca389a393856ee99653406387996aa18599fc4c61a389a393856e4c61838881959585936e4c6199a2a26e",
                "Zoë [größer]"
            ),
            ("4c6fa7949340a58599a28996957e7df14bf07d6f6e4c99a2a26e4c838881959585936e4ca389a393856ee99653", "Zoë"),
        ])
    func ebcdic(hexadecimal: String, text: String) {
        #expect(outcome(of: bytes(hexadecimal)).feed?.title == text)
        #expect(outcome(of: bytes(hexadecimal), pieces: [3]).feed?.title == text)
    }

    @Test("The byte order mark overrides the declaration")
    func markFirst() {
        let head = "\u{FEFF}<?xml version='1.0' encoding='iso-8859-1'?>"
        let document = Array("\(head)<rss><channel><title>Zoë</title></channel></rss>".utf8)
        #expect(outcome(of: document).feed?.title == "Zoë")
    }

    @Test(
        "UTF-8 with a wrong declaration is decoded as UTF-8",
        arguments: [
            "iso-8859-1", "windows-1252", "windows-1251", "windows-1258", "shift_jis", "gb2312", "utf-16", "ucs-2",
        ],
        ["Zoë", "Пример", "日本語のタイトル"])
    func wronglyDeclared(charset: String, text: String) {
        #expect(title(Array(text.utf8), in: charset) == text)
    }

    @Test("ISO 8859-1 with a capital before a quotation mark is not mistaken for UTF-8")
    func nearlyUTF8() {
        #expect(title([0xAB, 0x43, 0x41, 0x46, 0xC9, 0xBB], in: "iso-8859-1") == "«CAFÉ»")
    }

    @Test(
        "A byte that is not valid UTF-8 is decoded as windows-1252, and the rest is unchanged",
        arguments: [
            ("e9", "é"), ("c3a9e9c3a9", "ééé"), ("93c3a994", "“é”"), ("80", "€"),
            ("e28093e9", "–é"), ("f09f98", "ðŸ˜"), ("eda080", "í €"), ("c080", "À€"), ("fffe", "ÿþ"),
            ("410042", "AB"), ("c293", "“"), ("c285", "…"), ("41007f1b42", "AB"), ("410d0a42", "A B"),
            ("410d42", "A B"),
        ])
    func mixed(hexadecimal: String, text: String) {
        #expect(title(bytes(hexadecimal), in: "utf-8") == text)
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }
}

/// An encoding with two or four bytes per unit.
struct WideForm: CustomTestStringConvertible {
    let width: Int
    let isBigEndian: Bool
    let hasMark: Bool

    static let all = [2, 4].flatMap { width in
        [true, false].flatMap { order in [true, false].map { WideForm(width: width, isBigEndian: order, hasMark: $0) } }
    }

    var testDescription: String {
        "UTF-\(8 * width)\(isBigEndian ? "BE" : "LE")\(hasMark ? " with its mark" : "")"
    }

    func encode(_ text: String) -> [UInt8] {
        let marked = hasMark ? "\u{FEFF}" + text : text
        let units = width == 2 ? marked.utf16.map(UInt32.init) : marked.unicodeScalars.map(\.value)
        return units.flatMap { unit in
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
    }
}
