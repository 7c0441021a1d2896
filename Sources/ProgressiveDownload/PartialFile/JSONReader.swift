// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses one `JSONValue` from untrusted bytes.
struct JSONReader {
    private static let deepest = 4
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some Collection<UInt8>) { bytes = Array(text) }

    /// Skips white space and returns true if no other byte is left.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return index == bytes.count
    }

    mutating func value(depth: Int) -> JSONValue? {
        skipSpace()
        guard depth <= Self.deepest, index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "n"): return consume("null") ? .null : nil
        default: return integer().map(JSONValue.integer)
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        guard consume("{") else { return nil }
        var members: [String: JSONValue] = [:]
        if consume("}") { return .object(members) }
        repeat {
            skipSpace()
            guard let key = string(), consume(":"), let value = value(depth: depth + 1) else { return nil }
            guard members.updateValue(value, forKey: key) == nil else { return nil }
        } while consume(",")
        return consume("}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONValue? {
        guard consume("[") else { return nil }
        var values: [JSONValue] = []
        if consume("]") { return .array(values) }
        repeat {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
        } while consume(",")
        return consume("]") ? .array(values) : nil
    }

    private mutating func string() -> String? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        index += 1
        var text: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case 0..<0x20: return nil
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text += Array(String(scalar).utf8)
            default: text.append(byte)
            }
        }
        return nil
    }

    /// Parses the part of an escape after the backslash. Surrogate pairs are rejected: the writer escapes control
    /// characters only.
    private mutating func escape() -> Unicode.Scalar? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): return codePoint()
        default: return nil
        }
    }

    private mutating func codePoint() -> Unicode.Scalar? {
        guard bytes.count - index >= 4 else { return nil }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        index += 4
        return Unicode.Scalar(value)
    }

    private mutating func integer() -> Int64? {
        let digits = bytes[index...].prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        index += digits.count
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    /// Skips white space and then `word`; returns false if another word follows.
    private mutating func consume(_ word: StaticString) -> Bool {
        skipSpace()
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[index...].starts(with: expected) else { return false }
        index += expected.count
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }
}
