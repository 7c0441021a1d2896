// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The start of a FLAC stream. Source: RFC 9639 section 6, 8.1.
enum FLACMarker {
    /// Finds the marker, and the header of the block STREAMINFO after it.
    static func find(in window: ByteWindow, at offset: Int64) -> Lookup<Void> {
        let header = window.name("fLaC", at: offset).flatMap { _ in
            window.block(FLACBlock.headerLength, at: offset + 4)
        }
        // The first bit marks the last block.
        return header.compactMap { $0.number(.bigEndian) & 0x7FFF_FFFF == UInt64(FLACStreamInfo.length) ? () : nil }
    }
}
