// SPDX-License-Identifier: GPL-3.0-or-later

/// The place of a picture inside an audio file, whose bytes are read only when the picture is shown.
public struct StoredPicture: Sendable, Hashable {
    /// The bytes of the audio file that contain the picture.
    public var range: ByteRange
    /// The media type that the file declares: `image/jpeg`, `image/png` ...; empty if unknown.
    public var mimeType: String
    /// True if ID3v2 inserted a zero after each byte 0xFF.
    public var isUnsynchronized: Bool

    public init(range: ByteRange, mimeType: String, isUnsynchronized: Bool = false) {
        self.range = range
        self.mimeType = mimeType
        self.isUnsynchronized = isUnsynchronized
    }

    /// Returns the picture.
    ///
    /// - Parameter bytes: the bytes of `range`.
    /// - Returns: `nil` if `bytes` is empty.
    public func artwork(from bytes: [UInt8]) -> AudioMetadata.Artwork? {
        AudioMetadata.Artwork(
            bytes: isUnsynchronized ? Self.resynchronized(bytes[...]) : bytes, claimed: mimeType)
    }

    /// Removes each zero after a byte 0xFF. Source: ID3v2.4 structure §6.1; ID3v2.3 §5.
    public static func resynchronized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var clean: [UInt8] = []
        clean.reserveCapacity(bytes.count)
        var isStuffed = false
        for byte in bytes {
            if !(isStuffed && byte == 0) { clean.append(byte) }
            isStuffed = byte == 0xFF
        }
        return clean
    }
}
