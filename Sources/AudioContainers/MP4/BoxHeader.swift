// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The type of a box: four characters.
struct FourCC: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Characters above ASCII take their value in Latin-1: "©nam".
    init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { bytes in
            if bytes.count == 4 { return bytes.reduce(0) { $0 << 8 | UInt32($1) } }
            return String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(0) { $0 << 8 | $1.value & 0xFF }
        }
    }

    init(_ bytes: ArraySlice<UInt8>) { rawValue = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    private var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) } }

    /// True if the type consists of printable characters, as all registered types do.
    var isPrintable: Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 } }

    var description: String {
        String(String.UnicodeScalarView(bytes.map { isPrintable ? Unicode.Scalar($0) : "?" }))
    }
}

/// The header of a box. Source: ISO/IEC 14496-12 section 4.2.
struct BoxHeader: Sendable, Equatable {
    let type: FourCC
    /// File offsets of the header, of the content, and of the end.
    let start: Int64
    let body: Int64
    let end: Int64
    /// True if the declared end was greater.
    let isCut: Bool

    var bodyLength: Int64 { end - body }
}

extension ByteWindow {
    /// Reads the header of the box at `offset`. A box of size 0, or with an end beyond the limit, ends at the limit.
    /// - Parameter limit: the end of the enclosing box.
    /// - Returns: `nil` if no box fits, or its size is smaller than its header.
    func box(at offset: Int64, before limit: Int64) throws(Interruption) -> BoxHeader? {
        guard limit - offset >= 8 else { return nil }
        var fields = ByteFields(try bytes(8, at: offset))
        guard var size = fields.number(4).map(Int64.init), let type = fields.bytes(4).map(FourCC.init) else {
            return nil
        }
        var header: Int64 = 8
        if size == 1 {
            guard limit - offset >= 16 else { return nil }
            fields = ByteFields(try bytes(16, at: offset).dropFirst(8))
            size = fields.unsigned(isLong: true) ?? 0
            header = 16
        } else if size == 0 {
            size = limit - offset
        }
        guard size >= header else { return nil }
        return BoxHeader(
            type: type, start: offset, body: offset + header, end: offset + min(size, limit - offset),
            isCut: size > limit - offset)
    }
}

/// The boxes inside bytes that are in memory.
struct BoxSequence: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the type and the content of the next box; a box that is too long ends with the bytes.
    mutating func next() -> (type: FourCC, body: ArraySlice<UInt8>)? {
        var fields = ByteFields(rest)
        guard let size = fields.number(4), let type = fields.bytes(4).map(FourCC.init), size >= 8 else { return nil }
        let body = fields.rest.prefix(size - 8)
        rest = rest.dropFirst(size)
        return (type, body)
    }

    func first(_ type: FourCC) -> ArraySlice<UInt8>? { first { $0.type == type }?.body }
}

extension MP4Parser {
    /// Returns the end of a box of the file.
    /// - Parameters:
    ///   - header: the first 16 bytes of the box, or all bytes that are left.
    ///   - total: the length of the file.
    /// - Returns: `nil` if the box is cut off, or if the bytes are no header.
    public static func end(ofBox header: [UInt8], at offset: Int64, in total: Int64) -> Int64? {
        var window = ByteWindow(start: offset)
        header.withUnsafeBytes { window.append($0) }
        do throws(Interruption) {
            guard let box = try window.box(at: offset, before: total), !box.isCut else { return nil }
            return box.end
        } catch {
            return nil
        }
    }
}
