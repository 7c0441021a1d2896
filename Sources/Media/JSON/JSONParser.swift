// SPDX-License-Identifier: GPL-3.0-or-later

/// A malformed JSON document.
public enum JSONError: Error, Sendable, Equatable {
    /// The byte at this offset, or the end of the document there, does not belong to the grammar.
    case syntax(offset: Int)
    /// The nesting exceeds `JSONValue.deepest`.
    case tooDeep
}

extension JSONValue {
    /// The deepest nesting of arrays and objects that `init(parsing:)` accepts.
    public static let deepest = 64

    /// Parses a document strictly. Its memory is proportional to the length of `text`. Source: RFC 8259.
    public init(parsing text: String) throws(JSONError) {
        var parser = JSONParser(bytes: Array(text.utf8))
        self = try parser.document()
    }
}

/// A recursive descent parser over valid UTF-8.
private struct JSONParser {
    let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONError) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard index == bytes.count else { throw unexpected }
        return value
    }

    private var unexpected: JSONError { .syntax(offset: index) }

    /// The byte at the index; `nil` at the end.
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    /// Skips the character if it is the next one.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ text: StaticString) throws(JSONError) {
        for offset in 0..<text.utf8CodeUnitCount {
            guard next == text.utf8Start[offset] else { throw unexpected }
            index += 1
        }
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"):
            return .object(try list(closedBy: "}") { (parser) throws(JSONError) in try parser.member() })
        case UInt8(ascii: "["):
            return .array(try list(closedBy: "]") { (parser) throws(JSONError) in try parser.value() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        default: return try number()
        }
    }

    /// Parses a list from its opening bracket to its closing one.
    private mutating func list<Element>(
        closedBy bracket: Unicode.Scalar, _ element: (inout JSONParser) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        guard depth < JSONValue.deepest else { throw .tooDeep }
        (depth, index) = (depth + 1, index + 1)
        defer { depth -= 1 }
        var elements: [Element] = []
        skipBlanks()
        if skip(bracket) { return elements }
        while true {
            elements.append(try element(&self))
            skipBlanks()
            if skip(bracket) { return elements }
            guard skip(",") else { throw unexpected }
        }
    }

    private mutating func member() throws(JSONError) -> JSONValue.Member {
        skipBlanks()
        let key = try string()
        skipBlanks()
        guard skip(":") else { throw unexpected }
        return .init(key, try value())
    }
}

// MARK: Numbers
extension JSONParser {
    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        _ = skip("-")
        if !skip("0") { try digits() }
        var isInteger = true
        if skip(".") {
            isInteger = false
            try digits()
        }
        if skip("e") || skip("E") {
            isInteger = false
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return (isInteger ? Int64(text) : nil).map(JSONValue.integer) ?? .number(text)
    }

    /// Skips one digit or more.
    private mutating func digits() throws(JSONError) {
        let start = index
        while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
        guard index > start else { throw unexpected }
    }
}

// MARK: Strings
extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        guard skip("\"") else { throw unexpected }
        var text: [UInt8] = []
        while let byte = next, byte >= 0x20 {
            if skip("\"") { return String(decoding: text, as: UTF8.self) }
            if skip("\\") {
                text.append(contentsOf: UTF8.encode(try escape()).map { Array($0) } ?? [])
            } else {
                text.append(byte)
                index += 1
            }
        }
        throw unexpected
    }

    /// Parses the rest of an escape after its backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = index
        index += 1
        switch start < bytes.count ? bytes[start] : nil {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try scalar()
        default: throw .syntax(offset: start)
        }
    }

    /// Parses the digits of `\u`, and those of the second half of a surrogate pair.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = index
        let unit = try codeUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(UInt16(unit)) else { throw .syntax(offset: start) }
        try expect("\\u")
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(UInt16(second)),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
        else { throw .syntax(offset: start) }
        return scalar
    }

    /// Parses four hexadecimal digits.
    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw unexpected }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
