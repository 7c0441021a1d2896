// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The kinds of files that consist of chunks, each with a name and a length.
enum WaveContainer: Sendable {
    /// RIFF WAVE. Source: Multimedia Programming Interface and Data Specifications 1.0, chapter 2.
    case riff
    /// RIFF WAVE with lengths of 64 bits in a chunk of their own. Source: EBU Tech 3306, ITU-R BS.2088.
    case rf64
    /// Sony Wave64, with GUIDs for names and lengths of 64 bits.
    case wave64
    /// AIFF and AIFF-C, with big-endian numbers.
    case aiff, aiffC

    /// The place of a chunk.
    struct Chunk {
        /// Four letters.
        let name: String
        /// The offset of its content.
        let start: Int64
        /// The length of its content in bytes, as declared.
        let length: Int64
        /// The offset of the next chunk.
        let next: Int64
    }

    /// The length of the longest header of a file.
    static let longestHeader = 40
    /// The part of the GUIDs of Wave64 after the four letters.
    private static let guidRest: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    private static let fileGUID: [UInt8] =
        Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]

    /// - Parameter head: The first bytes of a file.
    /// - Returns: `nil` for any other file.
    init?(_ head: ArraySlice<UInt8>) {
        var fields = ByteFields(head)
        guard let name = fields.bytes(4), let length = fields.bytes(4), let type = fields.bytes(4) else { return nil }
        switch (String(decoding: name, as: UTF8.self), String(decoding: type, as: UTF8.self)) {
        case ("RIFF", "WAVE"): self = .riff
        case ("RF64", "WAVE"), ("BW64", "WAVE"): self = .rf64
        case ("FORM", "AIFF"): self = .aiff
        case ("FORM", "AIFC"): self = .aiffC
        default:
            guard (name + length + type + fields.rest).starts(with: Self.fileGUID),
                head.dropFirst(24).starts(with: Array("wave".utf8) + Self.guidRest)
            else { return nil }
            self = .wave64
        }
    }

    /// The length of the header of the file in bytes.
    var headerLength: Int64 { self == .wave64 ? 40 : 12 }
    /// The length of the header of a chunk in bytes.
    var chunkHeaderLength: Int { self == .wave64 ? 24 : 8 }
    var byteOrder: ByteOrder { self == .aiff || self == .aiffC ? .bigEndian : .littleEndian }
    var isAIFF: Bool { byteOrder == .bigEndian }

    /// Returns true if the file contains MPEG audio, which the MPEG parser plays.
    /// - Parameter head: the first bytes of the file.
    /// - Returns: `nil` if the chunk with the format lies after them.
    func containsMPEG(_ head: [UInt8]) -> Bool? {
        guard !isAIFF else { return false }
        var offset = headerLength
        while offset < head.count {
            let header = head[Int(offset)...].prefix(chunkHeaderLength)
            guard header.count == chunkHeaderLength else { return nil }
            guard let chunk = chunk(header, at: offset) else { return false }
            if chunk.name == "fmt " {
                guard chunk.start < head.count else { return nil }
                return WaveFormatChunk(head[Int(chunk.start)...].prefix(WaveFormatChunk.longest))?.isMPEG
            }
            offset = chunk.next
        }
        return nil
    }

    /// Parses the header of a chunk at `offset`.
    /// - Returns: `nil` if the bytes are not the header of a chunk.
    func chunk(_ header: ArraySlice<UInt8>, at offset: Int64) -> Chunk? {
        var fields = ByteFields(header)
        guard let letters = fields.bytes(4), letters.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return nil }
        let name = String(decoding: letters, as: UTF8.self)
        let start = offset + Int64(chunkHeaderLength)
        guard self == .wave64 else {
            guard let length = fields.number(4, byteOrder) else { return nil }
            let padded = Int64(length) + Int64(length & 1)
            return Chunk(name: name, start: start, length: Int64(length), next: start + padded)
        }
        // The length includes the header; chunks begin at multiples of eight bytes.
        guard fields.bytes(12)?.elementsEqual(Self.guidRest) ?? false, let length = fields.wideNumber(8, .littleEndian),
            24..<(1 << 60) ~= length
        else { return nil }
        let end = offset + Int64(length)
        return Chunk(name: name, start: start, length: end - start, next: offset + (Int64(length) + 7) & ~7)
    }
}
