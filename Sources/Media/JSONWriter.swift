// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes JSON (RFC 8259) as UTF-8 on one line, value by value. Foundation's encoder cannot keep the order of keys,
/// write a document in parts, or limit the decimals of a number.
public struct JSONWriter: Sendable {
    /// The escaped characters, besides those of RFC 8259 section 7 and DEL.
    public enum Escaping: Sendable {
        case required
        /// Also C1 control characters, so that the text is safe on a terminal, and the two separators that some
        /// readers treat as line ends.
        case terminal
    }

    public private(set) var bytes: [UInt8] = []
    private let escaping: Escaping
    /// True if the first value continues a list whose earlier elements are in another writer.
    private let continuesList: Bool

    /// - Parameter capacity: the expected number of bytes.
    public init(_ escaping: Escaping = .required, capacity: Int = 0, continuesList: Bool = false) {
        self.escaping = escaping
        self.continuesList = continuesList
        bytes.reserveCapacity(capacity)
    }

    /// The written JSON as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes an object with the members that `members` writes: each a key and a value.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        begin(with: UInt8(ascii: "{"))
        members(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes an array with the values that `elements` writes.
    public mutating func array(_ elements: (inout JSONWriter) -> Void) {
        begin(with: UInt8(ascii: "["))
        elements(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes the key of the next value.
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    public mutating func string(_ value: String) {
        var value = value
        begin(with: UInt8(ascii: "\""))
        value.withUTF8 { append(escaping: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func integer(_ value: Int64) { write(String(value)) }

    public mutating func bool(_ value: Bool) { write(value ? "true" : "false") }

    public mutating func null() { write("null") }

    /// Writes a value that is JSON already.
    public mutating func document(_ text: String) { write(text) }

    /// Writes a duration in seconds, cut off after the last decimal.
    /// - Parameter decimals: the fewest decimals, and the most, up to 18.
    public mutating func seconds(_ value: Duration, decimals: ClosedRange<Int>) {
        let (whole, rest) = value.components
        if rest == 0, decimals.lowerBound == 0 { return integer(whole) }
        let attosecondsOfLast = (decimals.upperBound..<18).reduce(1 as Int64) { unit, _ in unit * 10 }
        let fraction = rest / attosecondsOfLast
        var digits = String(fraction.magnitude)
        digits = String(repeating: "0", count: decimals.upperBound - digits.utf8.count) + digits
        while digits.utf8.count > decimals.lowerBound, digits.last == "0" { digits.removeLast() }
        let sign = whole < 0 || fraction < 0 ? "-" : ""
        write("\(sign)\(whole.magnitude)\(digits.isEmpty ? "" : ".")\(digits)")
    }

    private mutating func write(_ token: String) {
        separate()
        bytes.append(contentsOf: token.utf8)
    }

    private mutating func begin(with byte: UInt8) {
        separate()
        bytes.append(byte)
    }

    /// Writes a comma before a value unless it is the first of a list or the value of a key.
    private mutating func separate() {
        switch bytes.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        case nil where !continuesList: break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}

// MARK: Members that may be absent
extension JSONWriter {
    /// Writes a key and its value; nothing if the value is `nil`.
    public mutating func field(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        string(value)
    }

    /// Writes a key and its value; nothing if the value is `nil`.
    public mutating func field(_ name: String, _ value: Int64?) {
        guard let value else { return }
        key(name)
        integer(value)
    }

    /// Writes a key and its value; nothing if the value is `nil`.
    public mutating func field(_ name: String, _ value: Bool?) {
        guard let value else { return }
        key(name)
        bool(value)
    }
}

// MARK: Strings
extension JSONWriter {
    /// - Parameter text: valid UTF-8.
    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
        var (start, index) = (0, 0)
        while index < text.count {
            if index &+ 8 <= text.count {
                let plain = plainLength(text, at: index)
                index &+= plain
                if plain == 8 { continue }
            }
            guard let (character, length) = escapable(text, at: index) else {
                index &+= 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            append(escape: character)
            index += length
            start = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// Returns the number of bytes among the eight from `index` on before the first that may need an escape, which is
    /// fast to see.
    @inline(__always)
    private func plainLength(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let bytes = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let word = UInt64(littleEndian: bytes)
        let (ones, highBits): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // The first of these bytes sets its high bit.
        var found = (word &- ones &* 0x20) & ~word
        for byte in [0x22, 0x5C, 0x7F] as [UInt64] {
            let difference = word ^ ones &* byte
            found |= (difference &- ones) & ~difference
        }
        if escaping == .terminal { found |= word }
        return (found & highBits).trailingZeroBitCount / 8
    }

    /// Returns the character at `index` and its length in bytes; `nil` if it needs no escape.
    @inline(__always)
    private func escapable(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (character: UInt16, length: Int)? {
        switch text[index] {
        case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"): (UInt16(text[index]), 1)
        case 0xC2 where escaping == .terminal && text[index + 1] < 0xA0: (UInt16(text[index + 1]), 2)
        case 0xE2 where escaping == .terminal && text[index + 1] == 0x80 && (0xA8...0xA9).contains(text[index + 2]):
            (0x1F80 + UInt16(text[index + 2]), 3)
        default: nil
        }
    }

    private mutating func append(escape character: UInt16) {
        switch character {
        case 0x22, 0x5C: append(escape: UInt8(character))
        case 0x0A: append(escape: UInt8(ascii: "n"))
        case 0x0D where escaping == .terminal: append(escape: UInt8(ascii: "r"))
        case 0x09 where escaping == .terminal: append(escape: UInt8(ascii: "t"))
        default:
            let digits = String(character, radix: 16)
            bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
        }
    }

    private mutating func append(escape letter: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(letter)
    }
}
