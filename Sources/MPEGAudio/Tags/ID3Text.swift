// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The text of ID3 frames: a byte for the encoding, then the encoded text. Source: ID3v2.4 structure §4; ID3v2.3
/// §3.3.
enum ID3Text {
    enum Encoding: UInt8 {
        case latin1, utf16, utf16BigEndian, utf8

        /// The length of the zero terminator in bytes.
        var unit: Int { self == .utf16 || self == .utf16BigEndian ? 2 : 1 }
    }

    /// Returns the first non-empty value of a text frame.
    static func first(of frame: ArraySlice<UInt8>) -> String? {
        guard let encoding = frame.first.flatMap(Encoding.init) else { return nil }
        var rest = frame.dropFirst()
        while !rest.isEmpty {
            let (text, after) = split(rest, encoding)
            if let text = string(text, encoding) { return text }
            rest = after
        }
        return nil
    }

    /// Splits the bytes at the first zero, which belongs to neither part.
    static func split(
        _ bytes: ArraySlice<UInt8>, _ encoding: Encoding
    ) -> (text: ArraySlice<UInt8>, after: ArraySlice<UInt8>) {
        let unit = encoding.unit
        var place = bytes.startIndex
        while place + unit <= bytes.endIndex {
            if bytes[place..<place + unit].allSatisfy({ $0 == 0 }) {
                return (bytes[..<place], bytes[(place + unit)...])
            }
            place += unit
        }
        return (bytes, bytes[bytes.endIndex...])
    }

    /// Returns the decoded text without leading and trailing white space; `nil` if it is empty.
    static func string(_ bytes: ArraySlice<UInt8>, _ encoding: Encoding) -> String? {
        let text =
            switch encoding {
            case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            case .utf8: String(decoding: bytes, as: UTF8.self)
            case .utf16: utf16(bytes)
            case .utf16BigEndian: String(decoding: units(bytes, isBigEndian: true), as: UTF16.self)
            }
        let blanks: (Unicode.Scalar) -> Bool = { $0.value <= 0x20 || $0.value == 0xFEFF }
        var scalars = text.unicodeScalars[...]
        while scalars.first.map(blanks) ?? false { scalars.removeFirst() }
        while scalars.last.map(blanks) ?? false { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }

    /// Decodes UTF-16 with a byte order mark; without one, the text is big-endian (RFC 2781, 4.3).
    private static func utf16(_ bytes: ArraySlice<UInt8>) -> String {
        let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
        return String(decoding: units(bytes, isBigEndian: !isLittleEndian), as: UTF16.self)
    }

    private static func units(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt16] {
        stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
    }
}
