// SPDX-License-Identifier: GPL-3.0-or-later

/// The places at which the streams of a joined file begin.
extension ContainerKind {
    /// The number of bytes that show the start of a stream.
    public static let streamStartLength = 8

    /// Returns the index of the first start of a stream in bytes of a file: the first page of an Ogg stream, or the
    /// marker of FLAC with the header of STREAMINFO. `nil` if there is none, and for other kinds. Sources: RFC 3533
    /// section 6; RFC 9639 sections 6 and 8.1.
    public func streamStart(in bytes: UnsafeRawBufferPointer) -> Int? {
        switch self {
        // The flags follow the version, which is 0.
        case .ogg: Self.find(0x4F67_6753, in: bytes) { bytes[$0 + 4] == 0 && bytes[$0 + 5] & 2 != 0 }
        case .flac:
            // The first bit marks the last block.
            Self.find(0x664C_6143, in: bytes) {
                Self.number(at: $0 + 4, in: bytes) & 0x7FFF_FFFF == UInt32(FLACStreamInfo.length)
            }
        case .mp4, .adts, .wave: nil
        }
    }

    /// Returns the first index of a name of four letters that satisfies a condition.
    private static func find(
        _ name: UInt32, in bytes: UnsafeRawBufferPointer, where isStart: (Int) -> Bool
    ) -> Int? {
        var index = 0
        while index + streamStartLength <= bytes.count {
            if number(at: index, in: bytes) == name, isStart(index) { return index }
            index += 1
        }
        return nil
    }

    private static func number(at index: Int, in bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
    }
}
