// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Tags that some programs write after, or between, the frames of a stream.
enum TrailingTag {
    /// Returns the length in bytes of the tag that begins at `offset`: ID3v1, ID3v2 or APE. Sources: ID3v1; ID3v2.4
    /// structure section 3.1; APE tags 1 and 2, tags header.
    static func length(in window: ByteWindow, at offset: Int64) -> Lookup<Int64> {
        switch window.byte(at: offset) {
        case UInt8(ascii: "I"): return ID3Tag.length(in: window, at: offset)
        case UInt8(ascii: "T"):
            switch window.name("TAG", at: offset) {
            case .found: return .found(128)
            case .absent: return .absent
            case .undecided: return .undecided
            }
        case UInt8(ascii: "A"): return apeLength(in: window, at: offset)
        case .some: return .absent
        case nil: return window.isClosed ? .absent : .undecided
        }
    }

    private static func apeLength(in window: ByteWindow, at offset: Int64) -> Lookup<Int64> {
        switch window.name("APETAGEX", at: offset) {
        case .absent: return .absent
        case .undecided: return .undecided
        case .found: break
        }
        switch window.block(32, at: offset) {
        case .absent: return .absent
        case .undecided: return .undecided
        case .found(let header):
            // The size excludes the header.
            let size = header.dropFirst(12).prefix(4).number(.littleEndian)
            return size >= 32 && size <= 1 << 26 ? .found(Int64(size) + 32) : .absent
        }
    }
}
