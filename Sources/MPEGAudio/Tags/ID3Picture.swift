// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A picture in an ID3v2 tag. Source: ID3v2.4 frames §4.14; ID3v2.3 §4.15; ID3v2.2 §4.15.
struct ID3Picture {
    /// The media type that the frame declares; may be empty.
    let mimeType: String
    /// The image file, or the URL of a link.
    let bytes: ArraySlice<UInt8>
    let isLink: Bool
    let isFrontCover: Bool

    /// The picture; `nil` if the frame contains none, or only a link to one.
    var artwork: AudioMetadata.Artwork? {
        isLink ? nil : AudioMetadata.Artwork(bytes: Array(bytes), claimed: mimeType)
    }

    /// - Parameters:
    ///   - frame: the content of the frame.
    ///   - isShort: true if the frame is one of 2.2, which has three letters for the image format.
    /// - Returns: `nil` if the frame is damaged.
    init?(_ frame: ArraySlice<UInt8>, isShort: Bool) {
        guard let encoding = frame.first.flatMap(ID3Text.Encoding.init) else { return nil }
        let (kind, afterKind) =
            isShort
            ? (frame.dropFirst().prefix(3), frame.dropFirst(4)) : ID3Text.split(frame.dropFirst(), .latin1)
        guard let use = afterKind.first else { return nil }
        bytes = ID3Text.split(afterKind.dropFirst(), encoding).after
        isLink = kind.elementsEqual("-->".utf8)
        mimeType = Self.mimeType(ID3Text.string(kind.prefix(Self.longestType), .latin1) ?? "")
        isFrontCover = use == 3
    }

    private static let longestType = 64

    private static func mimeType(_ kind: String) -> String {
        switch kind.lowercased() {
        case "jpg", "image/jpg": "image/jpeg"
        case "png": "image/png"
        case let kind: kind
        }
    }
}
