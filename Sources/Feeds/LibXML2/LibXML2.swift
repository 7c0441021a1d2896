// SPDX-License-Identifier: GPL-3.0-or-later
import CXML2

/// Conventions of libxml2.
enum LibXML2 {
    /// An array of C strings, some of which may be missing.
    typealias Strings = UnsafeBufferPointer<UnsafePointer<UInt8>?>

    /// Prepares the library for use by several threads.
    static func initialize() { _ = isInitialized }

    private static let isInitialized: Bool = {
        xmlInitParser()
        return true
    }()

    /// Returns true for warnings, for namespaces whose name is not an absolute URI, and for undeclared prefixes.
    static func isTolerated(_ error: xmlError) -> Bool {
        let codes = [XML_NS_ERR_UNDEFINED_NAMESPACE, XML_WAR_NS_URI, XML_WAR_NS_URI_RELATIVE]
        return error.level == XML_ERR_WARNING || codes.contains { CInt($0.rawValue) == error.code }
    }

    static func bytes(_ string: UnsafePointer<UInt8>?) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: string, count: Int(xmlStrlen(string)))
    }

    /// Returns true if `text` begins with a character that `XMLCharacterFilter` maps to another or drops: a reference
    /// to a control character of C1, to U+007F, or to a noncharacter.
    static func isReadAsAnother(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch text.count {
        case 1: text[0] == 0x7F
        case 2: text[0] == 0xC2 && text[1] < 0xA0
        case 4: text[1] & 0x0F == 0x0F && text[2] == 0xBF && text[3] >= 0xBE
        default: false
        }
    }

    /// Returns the value of an attribute.
    ///
    /// - Parameter value: the value with references decoded, except for ampersands, which are `&#38;`: libxml2 keeps
    ///   these for the parser of the entities that a value could refer to.
    /// - Returns: `nil` if the value contains a character that is read as another, or another reference.
    static func decoded(_ value: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let plainEnd = ByteScan.firstIndex(in: value, from: 0) {
            ~ByteScan.hits(in: 0x20...0x7E, in: $0) & ByteScan.highBits | ByteScan.hits(of: UInt8(ascii: "&"), in: $0)
        }
        guard plainEnd < value.count else { return Array(value) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(value.count)
        decoded.append(contentsOf: value[..<plainEnd])
        var index = plainEnd
        while index < value.count {
            let byte = value[index]
            let length = byte < 0x80 ? 1 : (~byte).leadingZeroBitCount
            let end = min(index + length, value.count)
            let character = UnsafeBufferPointer(rebasing: value[index..<end])
            guard !isReadAsAnother(character) else { return nil }
            // XML 1.0, 3.3.3: white space becomes spaces. Here this includes references to white space.
            if byte < 0x20 { decoded.append(0x20) } else { decoded.append(contentsOf: character) }
            index = end
            guard byte == ampersand[0] else { continue }
            index += ampersand.count - 1
            guard value[..<min(index, value.count)].suffix(ampersand.count).elementsEqual(ampersand) else { return nil }
        }
        return decoded
    }

    private static let ampersand = Array("&#38;".utf8)
}
