// SPDX-License-Identifier: GPL-3.0-or-later

/// The charset that documents with a label actually use. Labels are in lower case.
///
/// Source: WHATWG Encoding Standard, 4.2 (names and labels), with the C library's names.
enum CharsetLabel {
    static func isUTF8(_ label: String) -> Bool {
        ["utf-8", "utf8", "us-ascii", "ascii", "unicode-1-1-utf-8", "utf8mb4", "utf_8"].contains(label)
    }

    /// - Returns: `nil` if the label is unknown or cannot be correct.
    static func converterName(_ label: String) -> String? {
        // A document that declares UTF-16 in readable ASCII is not UTF-16.
        if label.hasPrefix("utf-16") || label.hasPrefix("utf-32") || label.hasPrefix("ucs-") { return nil }
        if let name = wider[label] { return name }
        let plain = label.hasPrefix("x-") || label.hasPrefix("cs") ? String(label.dropFirst(2)) : label
        let hyphenated = hyphenated(label)
        if let name = wider[hyphenated] { return name }
        // Ignore a label of a charset in which the label itself would have been unreadable.
        return [label, plain, hyphenated].first(where: CharsetConverter.keepsASCII)
    }

    /// - Parameter head: the beginning of a document in a variant of EBCDIC.
    /// - Returns: `nil` if the label is unknown, or `head` is not XML in that charset.
    static func ebcdicName(_ label: String, head: [UInt8]) -> String? {
        [label, hyphenated(label)].first { name in
            var text: [UInt8] = []
            CharsetConverter(charset: name)?.convert(head, into: &text)
            return text.starts(with: "<?xml".utf8)
        }
    }

    private static func hyphenated(_ label: String) -> String { label.replacing("_", with: "-") }

    /// Labels that mean a charset with more characters, or one with a different name in the C library.
    private static let wider: [String: String] = {
        var names: [String: String] = [:]
        for (name, labels) in [
            (
                "CP1252",
                "iso-8859-1 iso8859-1 iso_8859-1 iso88591 latin1 latin-1 l1 8859-1 windows-1252 cp1252 x-cp1252 ansi "
                    + "ansi_x3.4-1968 cp819 ibm819 western"
            ),
            ("CP1250", "x-cp1250"), ("CP1251", "x-cp1251 win-1251 win1251"), ("CP1253", "x-cp1253"),
            ("CP1254", "iso-8859-9 iso8859-9 latin5 l5 x-cp1254"), ("ISO-8859-8", "iso-8859-8-i logical"),
            ("CP874", "iso-8859-11 tis-620 dos-874 windows-874"), ("KOI8-R", "koi koi8 koi8_r"), ("KOI8-U", "koi8-ru"),
            ("MACINTOSH", "mac x-mac-roman macroman"), ("MAC-CYRILLIC", "x-mac-cyrillic"),
            ("MAC-CENTRALEUROPE", "maccentraleurope maclatin2 x-mac-ce"), ("MAC-IS", "maciceland x-mac-icelandic"),
            ("CP861", "cp-is"),
            (
                "GB18030",
                "gb2312 gbk x-gbk gb_2312 gb_2312-80 gb2312-80 csgb2312 chinese euc-cn cp936 windows-936 iso-ir-58"
            ),
            ("CP932", "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j ms932 csshiftjis cp932"),
            ("CP949", "euc-kr euckr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cseuckr"),
            ("EUC-JP-MS", "euc-jp eucjp x-euc-jp"), ("BIG5-HKSCS", "big5 big-5 big5-hkscs x-x-big5 cn-big5 csbig5"),
        ] {
            for label in labels.split(separator: " ") { names[String(label)] = name }
        }
        return names
    }()
}
