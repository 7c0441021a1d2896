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
        var end = endOfPlainRun(value, from: 0)
        guard end < value.count else { return Array(value) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(value.count)
        var start = 0
        while end < value.count {
            decoded.append(contentsOf: UnsafeBufferPointer(rebasing: value[start..<end]))
            guard let next = decode(value, at: end, into: &decoded) else { return nil }
            start = next
            end = endOfPlainRun(value, from: next)
        }
        decoded.append(contentsOf: UnsafeBufferPointer(rebasing: value[start...]))
        return decoded
    }

    /// - Returns: the index after the character at `index`.
    private static func decode(
        _ value: UnsafeBufferPointer<UInt8>, at index: Int, into decoded: inout [UInt8]
    ) -> Int? {
        let byte = value[index]
        let length = byte < 0x80 ? 1 : (~byte).leadingZeroBitCount
        let character = UnsafeBufferPointer(rebasing: value[index...].prefix(length))
        guard !isReadAsAnother(character) else { return nil }
        // XML 1.0, 3.3.3: white space becomes spaces. Here this includes references to white space.
        if byte < 0x20 { decoded.append(0x20) } else { decoded.append(contentsOf: character) }
        guard byte == ampersand[0] else { return index + character.count }
        return value[index...].starts(with: ampersand) ? index + ampersand.count : nil
    }

    /// - Returns: the index of the first byte that is a control character, an ampersand or not ASCII.
    private static func endOfPlainRun(_ value: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        ByteScan.firstIndex(in: value, from: start) {
            ~ByteScan.hits(in: 0x20...0x7E, in: $0) & ByteScan.highBits | ByteScan.hits(of: UInt8(ascii: "&"), in: $0)
        }
    }

    private static let ampersand = Array("&#38;".utf8)
}
