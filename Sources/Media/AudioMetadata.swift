// SPDX-License-Identifier: GPL-3.0-or-later

/// The metadata of an audio file, unverified and in the file's own words; missing entries are `nil`.
public struct AudioMetadata: Sendable, Equatable {
    /// A picture, as stored in the file.
    public struct Artwork: Sendable, Equatable {
        /// The complete image file.
        public let bytes: [UInt8]
        /// The media type: `image/jpeg`, `image/png` ...
        public let mimeType: String

        public init(bytes: [UInt8], mimeType: String) {
            self.bytes = bytes
            self.mimeType = mimeType
        }
    }

    public var title: String?
    public var artist: String?
    public var album: String?
    /// The front cover, or else the first picture.
    public var artwork: Artwork?

    public init(title: String? = nil, artist: String? = nil, album: String? = nil, artwork: Artwork? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
        self.artwork = artwork
    }

    public var isEmpty: Bool { self == AudioMetadata() }

    /// Returns a copy with missing entries filled from `other`.
    public func completed(by other: AudioMetadata) -> AudioMetadata {
        AudioMetadata(
            title: title ?? other.title, artist: artist ?? other.artist, album: album ?? other.album,
            artwork: artwork ?? other.artwork)
    }
}

extension AudioMetadata.Artwork {
    /// Creates an artwork.
    ///
    /// - Parameter claimed: the declared media type; a known signature in the first bytes overrides it.
    /// - Returns: `nil` if `bytes` is empty.
    public init?(bytes: [UInt8], claimed: String) {
        guard !bytes.isEmpty else { return nil }
        self.init(bytes: bytes, mimeType: Self.mediaType(of: bytes) ?? (claimed.isEmpty ? "image/" : claimed))
    }

    /// Returns the media type that the first bytes of an image file prove; `nil` if they are of no known kind.
    public static func mediaType(of bytes: some Collection<UInt8>) -> String? {
        let kinds: [([UInt8], String)] = [
            ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
            (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
        ]
        if let kind = kinds.first(where: { bytes.starts(with: $0.0) }) { return kind.1 }
        let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? "image/webp" : nil
    }
}
