// SPDX-License-Identifier: GPL-3.0-or-later

/// Which charset a document is in, from its first bytes and its Content-Type.
///
/// Source: RFC 7303, 3: the byte order mark, else the header's charset, else the XML declaration, else UTF-8.
struct Charset: Equatable {
    /// What `iconv` calls it; nil is UTF-8.
    var name: String?
    var byteOrderMarkLength = 0
    /// What is wrong with the label.
    var doubt: FeedRepair.Kind?

    /// How much of the document's head is looked at.
    static let headLength = 1_024

    static func isEnough(_ head: [UInt8]) -> Bool {
        var index = 1
        while index < head.count, head[index] != UInt8(ascii: ">") || head[index - 1] != UInt8(ascii: "?") {
            index += 1
        }
        return head.count >= headLength || index < head.count
    }

    init(head: [UInt8], contentType: String?) {
        if let marked = Self.marked(head) {
            self = marked
        } else {
            let label = contentType.flatMap(Self.parameter) ?? Self.declared(head)
            name = label.flatMap(Self.converterName)
        }
    }

    private init(name: String?, byteOrderMarkLength: Int = 0) {
        self.name = name
        self.byteOrderMarkLength = byteOrderMarkLength
    }

    private static func marked(_ head: [UInt8]) -> Charset? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return Charset(name: nil, byteOrderMarkLength: 3) }
        if head.starts(with: [0xFF, 0xFE, 0, 0]) { return Charset(name: "UTF-32LE", byteOrderMarkLength: 4) }
        if head.starts(with: [0, 0, 0xFE, 0xFF]) { return Charset(name: "UTF-32BE", byteOrderMarkLength: 4) }
        if head.starts(with: [0xFF, 0xFE]) { return Charset(name: "UTF-16LE", byteOrderMarkLength: 2) }
        if head.starts(with: [0xFE, 0xFF]) { return Charset(name: "UTF-16BE", byteOrderMarkLength: 2) }
        if head.starts(with: [0x3C, 0]) { return Charset(name: "UTF-16LE") }
        if head.starts(with: [0, 0x3C]) { return Charset(name: "UTF-16BE") }
        return nil
    }

    /// `charset=` of a Content-Type.
    private static func parameter(_ contentType: String) -> String? {
        let bytes = Array(contentType.utf8)
        guard let key = range(of: "charset=", in: bytes) else { return nil }
        return label(bytes[key.upperBound...])
    }

    /// `encoding=` of an XML declaration.
    private static func declared(_ head: [UInt8]) -> String? {
        guard let start = range(of: "<?xml", in: head), let end = range(of: "?>", in: head),
            let key = range(of: "encoding", in: head), key.lowerBound > start.lowerBound,
            key.upperBound < end.lowerBound
        else { return nil }
        return label(head[key.upperBound..<end.lowerBound].drop { ASCII.isSpace($0) || $0 == UInt8(ascii: "=") })
    }

    private static func label(_ bytes: ArraySlice<UInt8>) -> String? {
        let isQuote: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let label = bytes.drop { isQuote($0) || ASCII.isSpace($0) }
            .prefix { !isQuote($0) && !ASCII.isSpace($0) && $0 != UInt8(ascii: ";") }
        return label.isEmpty ? nil : ASCII.lowercasedString(label)
    }

    /// The charset that documents under this label are really in.
    private static func converterName(_ label: String) -> String? {
        switch label {
        case "utf-8", "utf8", "us-ascii", "ascii": nil
        // Whoever says UTF-16 in readable ASCII does not write UTF-16.
        case let label where label.hasPrefix("utf-16") || label.hasPrefix("utf-32") || label.hasPrefix("ucs-"): nil
        case "iso-8859-1", "latin1", "latin-1", "iso8859-1", "windows-1252": "CP1252"
        case "iso-8859-9", "latin5": "CP1254"
        case "gb2312", "gbk", "x-gbk": "GB18030"
        case "shift_jis", "shift-jis", "sjis", "x-sjis": "CP932"
        case "euc-kr", "ks_c_5601-1987": "CP949"
        // Of the others, those in which the label itself could not have been read are not believed.
        default: CharsetConverter.keepsASCII(label) ? label : nil
        }
    }

    private static func range(of text: StaticString, in bytes: [UInt8]) -> Range<Int>? {
        let length = text.utf8CodeUnitCount
        guard bytes.count >= length else { return nil }
        return (0...(bytes.count - length)).lazy.map { $0..<($0 + length) }
            .first { ASCII.equalsIgnoringCase(bytes[$0], text) }
    }
}
