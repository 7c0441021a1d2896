// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The hashes of the stored bytes. Extents are cut at multiples of 256 KiB, so that every stored byte has a hash and
/// damage costs one block at most.
struct BlockHashes: Sendable, Equatable {
    static let blockSize: Int64 = 256 << 10

    private var values: [ByteRange: UInt64] = [:]

    init() {}

    static func pieces(of extents: ByteRangeSet) -> [ByteRange] {
        extents.ranges.flatMap { range in
            stride(from: range.lowerBound / blockSize * blockSize, to: range.upperBound, by: Int(blockSize)).map {
                max($0, range.lowerBound)..<min($0 + blockSize, range.upperBound)
            }
        }
    }

    /// Makes the hashes cover `extents`; pieces that have a hash are not read again.
    mutating func cover(_ extents: ByteRangeSet, of file: OpenFile) throws(SystemError) {
        var covered: [ByteRange: UInt64] = [:]
        for piece in Self.pieces(of: extents) {
            covered[piece] = if let value = values[piece] { value } else { try file.hash(of: piece) }
        }
        values = covered
    }

    /// Returns the pieces of `file` that do not match their hashes.
    /// - Parameter unproven: Pieces to skip.
    /// - Throws: `ECANCELED` if the verification is interrupted.
    func damaged(
        in file: OpenFile, besides unproven: ByteRangeSet = ByteRangeSet()
    ) throws(SystemError) -> [ByteRange] {
        var damaged: [ByteRange] = []
        for piece in values.keys where !unproven.contains(piece) {
            guard !file.isInterrupted else { throw SystemError("read", code: ECANCELED) }
            if isDamaged(piece, in: file) { damaged.append(piece) }
        }
        return damaged
    }

    func isDamaged(_ piece: ByteRange, in file: OpenFile) -> Bool {
        do throws(SystemError) {
            return try values[piece].map { value throws(SystemError) in try file.hash(of: piece) != value } ?? false
        } catch {
            // A sector that cannot be read can often be written.
            return true
        }
    }

    /// The blocks that are stored completely: their hashes stay the same while more bytes are stored.
    var blocks: [ByteRange] {
        values.keys.filter { $0.count == Self.blockSize }.sorted { $0.lowerBound < $1.lowerBound }
    }

    mutating func forget(_ pieces: [ByteRange]) {
        for piece in pieces { values[piece] = nil }
    }
}

// MARK: Text
extension BlockHashes {
    /// Returns 16 hexadecimal digits for each piece of `extents`, in order.
    func text(for extents: ByteRangeSet) -> String {
        var digits: [UInt8] = []
        for piece in Self.pieces(of: extents) {
            let value = values[piece] ?? 0
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift) & 15)
                digits.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns `nil` unless `text` contains a hash for each piece of `extents`.
    init?(text: String, for extents: ByteRangeSet) {
        let pieces = Self.pieces(of: extents)
        var digits = Array(text.utf8)[...]
        guard digits.count == pieces.count * 16 else { return nil }
        for piece in pieces {
            var value: UInt64 = 0
            for digit in digits.prefix(16) {
                guard let number = Self.number(of: digit) else { return nil }
                value = value << 4 | number
            }
            values[piece] = value
            digits = digits.dropFirst(16)
        }
    }

    private static func number(of digit: UInt8) -> UInt64? {
        switch digit {
        case 0x30...0x39: UInt64(digit - 0x30)
        case 0x61...0x66: UInt64(digit - 0x57)
        default: nil
        }
    }
}

extension OpenFile {
    /// Returns the hash of a range; if the file ends inside the range, the hash of fewer bytes, which does not match.
    fileprivate func hash(of range: ByteRange) throws(SystemError) -> UInt64 {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 16)
        defer { buffer.deallocate() }
        let count = try read(at: range.lowerBound, into: buffer)
        return ContentHash.value(of: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
}
