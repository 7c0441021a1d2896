// SPDX-License-Identifier: GPL-3.0-or-later

/// The charset of a document, determined from its first bytes and its Content-Type.
///
/// Source: RFC 7303, 3: the byte order mark, else the header's charset, else the XML declaration, else UTF-8.
struct Charset: Equatable {
    /// The name for `iconv`; `nil` for UTF-8.
    var name: String?
    var byteOrderMarkLength = 0
    /// The name in the document or its header, in lower case.
    var label: String?
    /// The fault of the label.
    var labelFault: FeedRepair.Kind?

    /// The number of bytes of the document's head that are examined.
    static let headLength = 1_024

    static func isEnough(_ head: [UInt8]) -> Bool {
        var index = 1
        while index < head.count, head[index] != UInt8(ascii: ">") || head[index - 1] != UInt8(ascii: "?") {
            index += 1
        }
        return head.count >= headLength || index < head.count
    }

    init(head: [UInt8], contentType: String?) {
        label = contentType.flatMap(Self.parameter) ?? Self.declared(head)
        if let (name, length) = Self.marked(head) ?? Self.wide(head) ?? Self.ebcdic(head) {
            (self.name, byteOrderMarkLength) = (name, length)
            if let label, !Self.isSame(label, name ?? "utf-8") {
                labelFault = .wrongEncoding(declared: FeedRepair.quoted(label.utf8), actual: name ?? "UTF-8")
            }
        } else if let label, !CharsetLabel.isUTF8(label) {
            name = CharsetLabel.converterName(label)
            if name == nil { labelFault = .unknownEncoding(FeedRepair.quoted(label.utf8)) }
        }
    }

    private static func marked(_ head: [UInt8]) -> (String?, Int)? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (nil, 3) }
        if head.starts(with: [0xFF, 0xFE, 0, 0]) { return ("UTF-32LE", 4) }
        if head.starts(with: [0, 0, 0xFE, 0xFF]) { return ("UTF-32BE", 4) }
        if head.starts(with: [0xFF, 0xFE]) { return ("UTF-16LE", 2) }
        if head.starts(with: [0xFE, 0xFF]) { return ("UTF-16BE", 2) }
        return nil
    }

    /// Detects a charset without a byte order mark, by the zeros beside two ASCII characters.
    private static func wide(_ head: [UInt8]) -> (String?, Int)? {
        guard head.count >= 4 else { return nil }
        let isASCII = head.prefix(8).map { 0x09..<0x7F ~= $0 }
        let isZero = head.prefix(8).map { $0 == 0 }
        if isASCII[0], isZero[1], isZero[2], isZero[3] { return ("UTF-32LE", 0) }
        if isZero[0], isZero[1], isZero[2], isASCII[3] { return ("UTF-32BE", 0) }
        if isASCII[0], isZero[1], isASCII[2], isZero[3] { return ("UTF-16LE", 0) }
        if isZero[0], isASCII[1], isZero[2], isASCII[3] { return ("UTF-16BE", 0) }
        return nil
    }

    /// Detects EBCDIC by its encoding of `<?xm` (XML 1.0, F.1). The declaration names the variant, in letters that
    /// all variants encode alike.
    private static func ebcdic(_ head: [UInt8]) -> (String?, Int)? {
        guard head.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) else { return nil }
        var text: [UInt8] = []
        CharsetConverter(charset: "IBM037")?.convert(head, into: &text)
        return (declared(text).flatMap { CharsetLabel.ebcdicName($0, head: head) } ?? "IBM037", 0)
    }

    /// Returns true if a label and a converter's name mean the same charset, ignoring the byte order.
    private static func isSame(_ label: String, _ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix(label) || CharsetLabel.isUTF8(label) && name == "utf-8"
    }

    /// Returns the `charset=` of a Content-Type.
    private static func parameter(_ contentType: String) -> String? {
        let bytes = Array(contentType.utf8)
        guard let key = ASCII.range(of: "charset=", in: bytes) else { return nil }
        return label(bytes[key.upperBound...])
    }

    /// Returns the `encoding=` of an XML declaration.
    private static func declared(_ head: [UInt8]) -> String? {
        guard let start = ASCII.range(of: "<?xml", in: head), let end = ASCII.range(of: "?>", in: head),
            let key = ASCII.range(of: "encoding", in: head), key.lowerBound > start.lowerBound,
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
}
