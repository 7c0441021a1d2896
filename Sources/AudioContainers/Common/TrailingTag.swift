// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// Tags that some programs write after, or between, the frames of a stream.
enum TrailingTag {
    /// Returns the length in bytes of the tag that begins at `offset`: ID3v1, ID3v2 or APE. Sources: ID3v1; ID3v2.4
    /// structure section 3.1; APE tags 1 and 2, tags header.
    static func length(in window: ByteWindow, at offset: Int64) -> Lookup<Int64> {
        switch window.byte(at: offset) {
        case UInt8(ascii: "I"): ID3Tag.length(in: window, at: offset)
        case UInt8(ascii: "T"): window.name("TAG", at: offset).compactMap { _ in Int64(ID3v1Metadata.length) }
        case UInt8(ascii: "A"): apeLength(in: window, at: offset)
        case .some: .absent
        case nil: window.isClosed ? .absent : .undecided
        }
    }

    private static func apeLength(in window: ByteWindow, at offset: Int64) -> Lookup<Int64> {
        window.name("APETAGEX", at: offset).flatMap { _ in window.block(32, at: offset) }.compactMap { header in
            // The size excludes the header.
            let size = header.dropFirst(12).prefix(4).number(.littleEndian)
            return size >= 32 && size <= 1 << 26 ? Int64(size) + 32 : nil
        }
    }
}
