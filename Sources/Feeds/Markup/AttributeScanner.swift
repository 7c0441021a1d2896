// SPDX-License-Identifier: GPL-3.0-or-later

/// The attributes of a tag as HTML would read them: values quoted, unquoted or missing, blanks or none between.
struct AttributeScanner: Sequence, IteratorProtocol {
    struct Attribute {
        let name: ArraySlice<UInt8>
        /// Without its quotes, references as they stand; empty where there is none.
        let value: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    /// - Parameter source: what follows the tag's name.
    init(_ source: ArraySlice<UInt8>) {
        rest = source
    }

    mutating func next() -> Attribute? {
        rest = rest.drop { !Self.isNameByte($0) }
        guard !rest.isEmpty else { return nil }
        let name = rest.prefix(while: Self.isNameByte)
        let after = rest[name.endIndex...].drop(while: ASCII.isSpace)
        guard after.first == UInt8(ascii: "=") else {
            rest = rest[name.endIndex...]
            return Attribute(name: name, value: rest.prefix(0))
        }
        return Attribute(name: name, value: value(after.dropFirst().drop(while: ASCII.isSpace)))
    }

    private mutating func value(_ source: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let quote = source.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let value = source.prefix { !ASCII.isSpace($0) }
            rest = source[value.endIndex...]
            return value
        }
        let value = source.dropFirst().prefix { $0 != quote }
        rest = source[value.endIndex...].dropFirst()
        return value
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: "<"),
            UInt8(ascii: ">"), UInt8(ascii: "&"):
            false
        default: !ASCII.isSpace(byte)
        }
    }
}
