// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes one JSON document (RFC 8259) key by key. Absent values and empty lists are left out.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// True if no element of the current list or object precedes `bytes` in an earlier part.
    private var isFirst = true

    init() {}

    /// Creates a writer for a part of a list.
    init(capacity: Int, isFirst: Bool) {
        bytes.reserveCapacity(capacity)
        self.isFirst = isFirst
    }

    /// Writes the next object of a list that is written in parts.
    mutating func element(_ fields: (inout JSONWriter) -> Void) {
        if !bytes.isEmpty || !isFirst { bytes.append(UInt8(ascii: ",")) }
        object(fields)
    }

    /// Writes an empty list. The caller inserts its elements between the brackets later.
    mutating func emptyList(_ name: StaticString) {
        key(name)
        bytes.append(contentsOf: "[]".utf8)
    }

    mutating func object(_ fields: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        fields(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func field(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    mutating func field(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        key(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func field(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        key(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes a duration in seconds, with up to three decimals if it is fractional.
    mutating func field(_ name: StaticString, _ value: Duration?) {
        guard let value else { return }
        key(name)
        let (seconds, attoseconds) = value.components
        bytes.append(contentsOf: String(seconds).utf8)
        let thousandths = attoseconds / 1_000_000_000_000_000
        guard thousandths > 0 else { return }
        var digits = String(1_000 + thousandths).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        bytes.append(contentsOf: ".\(digits)".utf8)
    }

    mutating func list<Element>(
        _ name: StaticString, _ elements: [Element], _ fields: (Element, inout JSONWriter) -> Void
    ) {
        guard !elements.isEmpty else { return }
        key(name)
        bytes.append(UInt8(ascii: "["))
        for element in elements {
            separate()
            object { fields(element, &$0) }
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: "\":".utf8)
    }

    /// Appends a comma, except after an opening bracket.
    private mutating func separate() {
        if bytes.last != UInt8(ascii: "{"), bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func string(_ value: String) {
        var value = value
        bytes.append(UInt8(ascii: "\""))
        value.withUTF8 { append(escaping: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while start < text.count {
            let end = Self.endOfPlainRun(text, from: start)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { return }
            switch text[end] {
            case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
            default: appendEscape(text[end])
            }
            start = end + 1
        }
    }

    /// - Returns: the index of the first byte that requires an escape.
    private static func endOfPlainRun(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        ByteScan.firstIndex(in: text, from: start) {
            ByteScan.hits(below: 0x20, in: $0) | ByteScan.hits(of: 0x7F, in: $0)
                | ByteScan.hits(of: UInt8(ascii: "\""), in: $0) | ByteScan.hits(of: UInt8(ascii: "\\"), in: $0)
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        let hexadecimal = String(byte, radix: 16)
        bytes.append(contentsOf: "\\u00\(hexadecimal.utf8.count == 1 ? "0" : "")\(hexadecimal)".utf8)
    }
}
