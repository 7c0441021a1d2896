// SPDX-License-Identifier: GPL-3.0-or-later

/// One start tag, rewritten so that an XML parser takes it: every value quoted, every reference known, a blank between
/// attributes.
struct StartTag {
    let name: ArraySlice<UInt8>
    let isEmptyElement: Bool
    /// From `<` to `>`.
    private(set) var markup: [UInt8]

    /// - Parameter source: what stands between `<` and `>`.
    /// - Returns: nil where it is no tag, or has more attributes than the limit.
    init?(_ source: [UInt8], attributeLimit: Int) {
        var body = source[...]
        isEmptyElement = body.last == UInt8(ascii: "/")
        if isEmptyElement { body.removeLast() }
        name = body.prefix { !ASCII.isSpace($0) && $0 != UInt8(ascii: "/") }
        guard Self.isName(name) else { return nil }
        markup = [UInt8(ascii: "<")]
        markup.append(contentsOf: name)
        guard appendAttributes(body[name.endIndex...], limit: attributeLimit) else { return nil }
        if isEmptyElement { markup.append(UInt8(ascii: "/")) }
        markup.append(UInt8(ascii: ">"))
    }

    static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, ASCII.isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return name.last != UInt8(ascii: ":") && name.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"): true
        default: ASCII.isLetterOrDigit(byte)
        }
    }

    private mutating func appendAttributes(_ source: ArraySlice<UInt8>, limit: Int) -> Bool {
        var scanner = AttributeScanner(source)
        var count = 0
        while let attribute = scanner.next() {
            guard Self.isName(attribute.name) else { continue }
            count += 1
            guard count <= limit else { return false }
            append(attribute)
        }
        return true
    }

    private mutating func append(_ attribute: AttributeScanner.Attribute) {
        markup.append(UInt8(ascii: " "))
        markup.append(contentsOf: attribute.name)
        markup.append(contentsOf: "=\"".utf8)
        var rest = attribute.value
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "&"): rest = appendReference(rest)
            case UInt8(ascii: "<"): markup.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: "\""): markup.append(contentsOf: "&quot;".utf8)
            default: markup.append(byte)
            }
        }
        markup.append(UInt8(ascii: "\""))
    }

    /// - Returns: what follows the reference.
    private mutating func appendReference(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let name = rest.prefix(CharacterReference.longestName).prefix(while: CharacterReference.isNameByte)
        let isTerminated = name.endIndex < rest.endIndex && rest[name.endIndex] == UInt8(ascii: ";")
        CharacterReference.appendXML(name, isTerminated: isTerminated, to: &markup)
        return rest[(name.endIndex + (isTerminated ? 1 : 0))...]
    }
}
