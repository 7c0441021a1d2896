// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The start of a FLAC stream. Source: RFC 9639 section 6, 8.1.
enum FLACMarker {
    /// Finds the marker, and the header of the block STREAMINFO after it.
    static func find(in window: ByteWindow, at offset: Int64) -> Lookup<Void> {
        switch window.name("fLaC", at: offset) {
        case .absent: return .absent
        case .undecided: return .undecided
        case .found: break
        }
        switch window.block(4, at: offset + 4) {
        case .absent: return .absent
        case .undecided: return .undecided
        case .found(let header):
            // The first bit marks the last block.
            return header.number(.bigEndian) & 0x7FFF_FFFF == UInt64(FLACStreamInfo.length) ? .found(()) : .absent
        }
    }
}
