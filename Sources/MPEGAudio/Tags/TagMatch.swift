// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A tag recognized by its first bytes.
enum TagMatch {
    case id3v2(ID3v2FrameWalker)
    case id3v1
    /// `before`: bytes of the tag before the found block (version 1 has its block at the end); `after`: bytes from
    /// the start of the block on.
    case ape(before: Int64, after: Int64)
    /// The end of the tag is not known yet.
    case lyrics3
}

extension ByteWindow {
    func tag(at offset: Int64) -> Lookup<TagMatch> {
        guard let initial = byte(at: offset) else { return isClosed ? .absent : .undecided }
        return switch initial {
        case UInt8(ascii: "I"): id3v2(at: offset)
        case UInt8(ascii: "T"): id3v1(at: offset)
        case UInt8(ascii: "A"): ape(at: offset)
        case UInt8(ascii: "L"): lyrics3(at: offset)
        default: .absent
        }
    }

    private func id3v2(at offset: Int64) -> Lookup<TagMatch> {
        block(10, named: "ID3", at: offset).compactMap { ID3v2FrameWalker(header: $0, at: offset).map(TagMatch.id3v2) }
    }

    private func id3v1(at offset: Int64) -> Lookup<TagMatch> {
        block(128, named: "TAG", at: offset).compactMap { _ in .id3v1 }
    }

    private func lyrics3(at offset: Int64) -> Lookup<TagMatch> {
        block(11, named: "LYRICSBEGIN", at: offset).compactMap { _ in .lyrics3 }
    }

    /// Source: APE tags 1 and 2, tags header and footer: size (including the footer, but not the header) at byte 12,
    /// flags at byte 20.
    private func ape(at offset: Int64) -> Lookup<TagMatch> {
        block(32, named: "APETAGEX", at: offset).compactMap { block in
            let size = Int64(littleEndian(block, at: 12))
            let flags = littleEndian(block, at: 20)
            guard size >= 32, size <= 1 << 26 else { return nil }
            let isHeader = flags >> 29 & 1 == 1
            return isHeader ? .ape(before: 0, after: size + 32) : .ape(before: size - 32, after: 32)
        }
    }

    private func littleEndian(_ block: [UInt8], at place: Int) -> UInt32 {
        block[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
