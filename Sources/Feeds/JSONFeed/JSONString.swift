// SPDX-License-Identifier: GPL-3.0-or-later

/// A push parser for one JSON string, from the byte after its opening quote.
struct JSONString {
    private enum State {
        case plain
        /// After a backslash.
        case escape
        /// After `\u`, with the value of the digits so far.
        case unit(value: UInt32, digits: Int)
        case over
    }

    private let limit: Int
    private var state: State = .plain
    /// The first half of a surrogate pair whose second half has not arrived yet.
    private var highSurrogate: UInt32?
    /// The decoded text without control characters, cut at the limit.
    private(set) var bytes: [UInt8] = []
    private var isFull = false

    init(limit: Int) {
        self.limit = limit
    }

    var isOver: Bool { if case .over = state { true } else { false } }

    /// - Returns: the index after the consumed bytes: the end of the source, or the byte after the closing quote.
    mutating func append(_ source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < source.count {
            if isOver { return index }
            if case .plain = state {
                index = appendRun(source, from: index)
                guard index < source.count else { return index }
            }
            index = consume(source[index]) ? index + 1 : index
        }
        return index
    }

    private mutating func appendRun(_ source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while end < source.count, source[end] != UInt8(ascii: "\""), source[end] != UInt8(ascii: "\\") { end += 1 }
        guard end > start else { return end }
        endSurrogate()
        add(UnsafeBufferPointer(rebasing: source[start..<end]))
        return end
    }

    /// - Returns: true if the byte was consumed; otherwise the caller passes it again.
    private mutating func consume(_ byte: UInt8) -> Bool {
        switch state {
        case .plain:
            if byte == UInt8(ascii: "\\") {
                state = .escape
            } else {
                endSurrogate()
                state = .over
            }
        case .escape: consumeEscape(byte)
        case .unit(let value, let digits): return consumeDigit(byte, value, digits)
        case .over: return false
        }
        return true
    }

    private mutating func consumeEscape(_ byte: UInt8) {
        state = byte == UInt8(ascii: "u") ? .unit(value: 0, digits: 0) : .plain
        guard byte != UInt8(ascii: "u") else { return }
        endSurrogate()
        switch byte {
        case UInt8(ascii: "n"): add(scalar: 0x0A)
        case UInt8(ascii: "r"): add(scalar: 0x0D)
        case UInt8(ascii: "t"): add(scalar: 0x09)
        case UInt8(ascii: "b"), UInt8(ascii: "f"): break
        default: add(CollectionOfOne(byte))
        }
    }

    private mutating func consumeDigit(_ byte: UInt8, _ value: UInt32, _ digits: Int) -> Bool {
        guard let digit = Self.hexadecimal(byte) else {
            // Too few digits for a code unit.
            state = .plain
            return false
        }
        guard digits == 3 else {
            state = .unit(value: value << 4 | digit, digits: digits + 1)
            return true
        }
        state = .plain
        appendUnit(value << 4 | digit)
        return true
    }

    /// Reads a code unit of UTF-16. Half a surrogate pair becomes U+FFFD.
    private mutating func appendUnit(_ unit: UInt32) {
        if let high = highSurrogate, (0xDC00...0xDFFF).contains(unit) {
            highSurrogate = nil
            return add(scalar: 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00))
        }
        endSurrogate()
        if (0xD800...0xDBFF).contains(unit) {
            highSurrogate = unit
        } else {
            add(scalar: unit)
        }
    }

    private mutating func endSurrogate() {
        guard highSurrogate != nil else { return }
        highSurrogate = nil
        add(XMLCharacterFilter.replacement)
    }

    private mutating func add(scalar: UInt32) {
        guard !isFull else { return }
        let start = bytes.count
        XMLCharacterFilter.append(scalar, to: &bytes)
        guard bytes.count > limit else { return }
        isFull = true
        bytes.removeSubrange(start...)
    }

    /// Appends text. At the limit it is cut at a character boundary, and later text is dropped.
    private mutating func add(_ piece: some Collection<UInt8>) {
        guard !isFull else { return }
        bytes.append(contentsOf: piece)
        guard bytes.count > limit else { return }
        isFull = true
        let isInside = bytes[limit] & 0xC0 == 0x80
        bytes.removeSubrange(limit...)
        guard isInside else { return }
        while let byte = bytes.popLast(), byte & 0xC0 == 0x80 {}
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte & 0x0F)
        case 0x41...0x46, 0x61...0x66: UInt32(byte & 0x0F) + 9
        default: nil
        }
    }
}
