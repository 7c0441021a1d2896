// SPDX-License-Identifier: GPL-3.0-or-later

/// A scanner for the attributes of a tag by the rules of HTML: values may be quoted, unquoted or missing, and the
/// white space between attributes may be missing.
struct AttributeScanner: Sequence, IteratorProtocol {
    struct Attribute {
        let name: UnsafeBufferPointer<UInt8>
        /// The value without its quotes, with undecoded references; empty if the value is missing.
        let value: UnsafeBufferPointer<UInt8>

        /// The value with references decoded and white space replaced by spaces (XML 1.0, 3.3.3).
        var decodedValue: [UInt8] {
            let isPlain = value.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "&") }
            guard !isPlain else { return Array(value) }
            var decoded: [UInt8] = []
            decoded.reserveCapacity(value.count)
            CharacterReference.decode(value, into: &decoded)
            for index in decoded.indices where decoded[index] < 0x20 { decoded[index] = 0x20 }
            return decoded
        }
    }

    private let source: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// - Parameter source: the part of the tag after its name; it must outlive the scanner.
    init(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
    }

    mutating func next() -> Attribute? {
        skip { !Self.isNameByte($0) }
        guard index < source.count else { return nil }
        let name = consume(while: Self.isNameByte)
        let behindName = index
        skip(ASCII.isSpace)
        guard index < source.count, source[index] == UInt8(ascii: "=") else {
            index = behindName
            return Attribute(name: name, value: UnsafeBufferPointer(rebasing: source[index..<index]))
        }
        index += 1
        skip(ASCII.isSpace)
        return Attribute(name: name, value: value())
    }

    private mutating func value() -> UnsafeBufferPointer<UInt8> {
        guard index < source.count, source[index] == UInt8(ascii: "\"") || source[index] == UInt8(ascii: "'") else {
            return consume { !ASCII.isSpace($0) }
        }
        let quote = source[index]
        index += 1
        let end = ByteScan.firstIndex(of: quote, in: source, from: index)
        defer { index = Swift.min(end + 1, source.count) }
        return UnsafeBufferPointer(rebasing: source[index..<end])
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while index < source.count, isSkipped(source[index]) { index += 1 }
    }

    private mutating func consume(while isTaken: (UInt8) -> Bool) -> UnsafeBufferPointer<UInt8> {
        let start = index
        skip(isTaken)
        return UnsafeBufferPointer(rebasing: source[start..<index])
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
