// SPDX-License-Identifier: GPL-3.0-or-later

/// Converts bytes that should be UTF-8 to the UTF-8 that XML allows, in chunks of any size. It drops control
/// characters, and reads an invalid byte as windows-1252, which it nearly always is.
///
/// Source: XML 1.0 (fifth edition), 2.2, production Char; RFC 3629, 4.
struct XMLCharacterFilter {
    /// U+FFFD.
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    private let log: RepairLog
    /// The beginning of a character whose end has not arrived yet: at most 3 bytes.
    private var held: [UInt8] = []
    /// True after a carriage return, which was emitted as a line feed. A line feed directly after it is dropped.
    private var isAfterReturn = false
    /// The current line, from 1; counted only if repairs are logged.
    private(set) var line = 1

    init(log: RepairLog) {
        self.log = log
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        if held.isEmpty {
            filter(bytes, into: &output)
        } else {
            let joined = held + bytes
            held = []
            joined.withUnsafeBufferPointer { filter($0, into: &output) }
        }
        if log.isOpen { line += Self.newlines(in: output[start...]) }
    }

    private mutating func filter(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        let start = output.count
        var index = 0
        while index < bytes.count {
            let end = isAfterReturn ? index : Self.endOfCleanRun(bytes, from: index)
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[index..<end]))
            index = end
            guard index < bytes.count else { return }
            if normalizeLineEnd(bytes[index], into: &output) {
                index += 1
                continue
            }
            switch Self.character(bytes, at: index) {
            case .whole(let length, let scalar):
                if !Self.isAllowed(scalar) { note(.controlCharacter, output, from: start) }
                Self.append(scalar, to: &output)
                index += length
            case .broken:
                note(.invalidUTF8, output, from: start)
                Self.append(windows1252: bytes[index], to: &output)
                index += 1
            case .unfinished:
                held = Array(bytes[index...])
                return
            }
        }
    }

    /// Converts CR LF and CR to LF (XML 1.0, 2.11).
    private mutating func normalizeLineEnd(_ byte: UInt8, into output: inout [UInt8]) -> Bool {
        let isSaid = isAfterReturn && byte == 0x0A
        isAfterReturn = byte == 0x0D
        if isAfterReturn { output.append(0x0A) }
        return isSaid || isAfterReturn
    }

    private func note(_ kind: FeedRepair.Kind, _ output: [UInt8], from start: Int) {
        if log.isOpen { log.note(kind, line: line + Self.newlines(in: output[start...])) }
    }

    private static func newlines(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { ByteScan.count(of: 0x0A, in: $0, to: $0.count) }
    }

    /// Appends a character; maps or drops one that XML does not allow.
    static func append(_ scalar: UInt32, to output: inout [UInt8]) {
        switch scalar {
        case 0x20..<0x7F: output.append(UInt8(scalar))
        case 0x80...0x9F: append(windows1252: UInt8(scalar), to: &output)
        case 0..<0x20 where scalar != 0x09 && scalar != 0x0A && scalar != 0x0D, 0x7F: break
        default:
            guard let scalar = Unicode.Scalar(scalar), scalar.value & 0xFFFE != 0xFFFE else {
                return output.append(contentsOf: replacement)
            }
            append(valid: scalar, to: &output)
        }
    }

    private static func append(windows1252 byte: UInt8, to output: inout [UInt8]) {
        let scalar = byte < 0xA0 ? UInt32(windows1252[Int(byte & 0x1F)]) : UInt32(byte)
        Unicode.Scalar(scalar).map { append(valid: $0, to: &output) }
    }

    private static func append(valid scalar: Unicode.Scalar, to output: inout [UInt8]) {
        if let bytes = UTF8.encode(scalar) { output.append(contentsOf: bytes) }
    }

    /// - Returns: the index up to which the bytes are whole characters that XML allows.
    private static func endOfCleanRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = endOfPlainRun(bytes, from: start)
        while index < bytes.count, bytes[index] >= 0x80 {
            if let length = commonLength(bytes, at: index) {
                index &+= length
            } else {
                guard case .whole(let length, let scalar) = character(bytes, at: index), isAllowed(scalar) else {
                    break
                }
                index &+= length
            }
            if index < bytes.count, bytes[index] < 0x80 { index = endOfPlainRun(bytes, from: index) }
        }
        return index
    }

    /// Returns the length of a character from the middle of the ranges of two and three bytes, where all are allowed;
    /// most characters outside of ASCII are. Returns `nil` for others.
    @inline(__always)
    private static func commonLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        guard index &+ 2 < bytes.count, bytes[index &+ 1] & 0xC0 == 0x80 else { return nil }
        switch bytes[index] {
        case 0xC3...0xDF: return 2
        case 0xE1...0xEC: return bytes[index &+ 2] & 0xC0 == 0x80 ? 3 : nil
        default: return nil
        }
    }

    /// - Returns: the index of the first byte that is a control character or not ASCII.
    private static func endOfPlainRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        ByteScan.firstIndex(in: bytes, from: start) { word in
            let strange = ~ByteScan.hits(in: 0x20...0x7E, in: word) & ByteScan.highBits
            guard strange != 0 else { return 0 }
            return strange & ~ByteScan.hits(in: 0x09...0x0A, in: word)
        }
    }

    /// Returns true if a character is emitted unchanged.
    private static func isAllowed(_ scalar: UInt32) -> Bool {
        scalar >= 0xA0 && scalar & 0xFFFE != 0xFFFE || scalar < 0x7F && (scalar >= 0x20 || scalar == 9 || scalar == 10)
    }

    /// The windows-1252 characters of 0x80...0x9F; the five undefined codes are U+FFFD.
    private static let windows1252: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}

extension XMLCharacterFilter {
    /// Returns true if the bytes are valid UTF-8.
    ///
    /// - Parameter isCut: true if the last character may be incomplete.
    static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>, isCut: Bool) -> Bool {
        var index = endOfASCII(bytes, from: 0)
        while index < bytes.count {
            if let length = commonLength(bytes, at: index) {
                index &+= length
            } else {
                switch character(bytes, at: index) {
                case .whole(let length, _): index &+= length
                case .broken: return false
                case .unfinished: return isCut
                }
            }
            if index < bytes.count, bytes[index] < 0x80 { index = endOfASCII(bytes, from: index) }
        }
        return true
    }

    private static func endOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index &+ 32 <= bytes.count {
            let block = UnsafeRawPointer(bytes.baseAddress).map { ($0 + index).loadUnaligned(as: SIMD4<UInt64>.self) }
            guard let block, (block[0] | block[1] | block[2] | block[3]) & ByteScan.highBits == 0 else { break }
            index &+= 32
        }
        return ByteScan.firstIndex(in: bytes, from: index) { $0 & ByteScan.highBits }
    }

    private enum Character {
        case whole(length: Int, scalar: UInt32)
        case broken
        case unfinished
    }

    private static func character(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Character {
        let lead = bytes[index]
        let length: Int
        switch lead {
        case 0..<0x80: return .whole(length: 1, scalar: UInt32(lead))
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return .broken
        }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length {
            guard index + offset < bytes.count else { return .unfinished }
            let byte = bytes[index + offset]
            guard byte & 0xC0 == 0x80 else { return .broken }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard scalar >= least, Unicode.Scalar(scalar) != nil else { return .broken }
        return .whole(length: length, scalar: scalar)
    }
}
