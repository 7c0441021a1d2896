// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds AAC in ADTS in the beginning of a recording, which may begin inside a frame, by headers that lead from one to
/// the next. Source: ISO/IEC 13818-7 section 6.2.
package enum ADTSSyncProbe {
    /// The bytes that contain the rest of a frame of any usual bit rate, and the headers.
    package static let prefixLength = 16 << 10
    private static let enough = 3

    /// Returns true if the first bytes of a file contain consecutive headers of one stream.
    package static func isFound(in bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(prefixLength)
        return head.indices.contains { place in
            guard let first = Header(head[place...]) else { return false }
            return begins(head[place...], first, count: enough)
        }
    }

    private static func begins(_ bytes: ArraySlice<UInt8>, _ first: Header, count: Int) -> Bool {
        guard count > 0 else { return true }
        guard let header = Header(bytes), header.stream == first.stream else { return false }
        return begins(bytes.dropFirst(header.length), first, count: count - 1)
    }

    private struct Header {
        private static let byteCount = 7

        /// ID, profile, rate and channels, which all frames of a stream share.
        let stream: [UInt8]
        /// The number of bytes to the next header.
        let length: Int

        init?(_ bytes: ArraySlice<UInt8>) {
            let start = bytes.startIndex
            guard bytes.count >= Self.byteCount, bytes[start] == 0xFF, bytes[start + 1] & 0xF6 == 0xF0 else {
                return nil
            }
            let (third, fourth) = (bytes[start + 2], bytes[start + 3])
            length = Int(fourth & 3) << 11 | Int(bytes[start + 4]) << 3 | Int(bytes[start + 5] >> 5)
            stream = [bytes[start + 1] & 8, third & 0xFD, fourth & 0xC0]
            guard third >> 2 & 15 < 13, length > Self.byteCount else { return nil }
        }
    }
}
