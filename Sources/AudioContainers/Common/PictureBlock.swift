// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A picture block of FLAC, which Vorbis comments contain in Base64. Source: RFC 9639 section 8.8.
struct PictureBlock: Sendable {
    /// The length in bytes of the longest accepted block. A longer picture is skipped.
    static let longest = 2 << 20

    let artwork: AudioMetadata.Artwork
    let isFrontCover: Bool

    /// - Returns: `nil` if the block is truncated or contains a link instead of a picture.
    init?(_ block: ArraySlice<UInt8>) {
        var fields = ByteFields(block)
        guard let use = fields.number(4), let kind = Self.counted(&fields), Self.counted(&fields) != nil,
            fields.bytes(16) != nil, let picture = Self.counted(&fields)
        else { return nil }
        let claimed = String(decoding: kind, as: UTF8.self)
        guard claimed != "-->", let artwork = AudioMetadata.Artwork(bytes: Array(picture), claimed: claimed)
        else { return nil }
        self.artwork = artwork
        isFrontCover = use == 3
    }

    /// Returns the bytes that a number of four bytes counts.
    private static func counted(_ fields: inout ByteFields) -> ArraySlice<UInt8>? {
        fields.number(4).flatMap { fields.bytes($0) }
    }
}
