// SPDX-License-Identifier: GPL-3.0-or-later

/// What a file says of the sound in it. Claims, in the file's own words; what it does not say is `nil`.
public struct AudioMetadata: Sendable, Equatable {
    /// A picture, as the file holds it.
    public struct Artwork: Sendable, Equatable {
        /// The picture's file, whole.
        public let bytes: [UInt8]
        /// What kind of file: `image/jpeg`, `image/png` ...
        public let mimeType: String

        public init(bytes: [UInt8], mimeType: String) {
            self.bytes = bytes
            self.mimeType = mimeType
        }
    }

    public var title: String?
    public var artist: String?
    public var album: String?
    /// The front cover, or else the first picture there is.
    public var artwork: Artwork?

    public init(title: String? = nil, artist: String? = nil, album: String? = nil, artwork: Artwork? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
        self.artwork = artwork
    }

    public var isEmpty: Bool { self == AudioMetadata() }

    /// What this does not say, as `other` says it.
    public func completed(by other: AudioMetadata) -> AudioMetadata {
        AudioMetadata(
            title: title ?? other.title, artist: artist ?? other.artist, album: album ?? other.album,
            artwork: artwork ?? other.artwork)
    }
}

extension AudioMetadata.Artwork {
    /// - Parameter claimed: what kind of picture it is said to be; its first bytes know better.
    /// - Returns: `nil` where there is no byte.
    public init?(bytes: [UInt8], claimed: String) {
        guard !bytes.isEmpty else { return nil }
        self.init(bytes: bytes, mimeType: Self.kind(of: bytes) ?? (claimed.isEmpty ? "image/" : claimed))
    }

    private static func kind(of bytes: [UInt8]) -> String? {
        let kinds: [([UInt8], String)] = [
            ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
            (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
        ]
        if let kind = kinds.first(where: { bytes.starts(with: $0.0) }) { return kind.1 }
        let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? "image/webp" : nil
    }
}
