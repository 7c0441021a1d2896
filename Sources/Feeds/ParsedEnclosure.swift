// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The file named by an `enclosure`, an `atom:link rel="enclosure"` or an audio or video `media:content`.
public struct ParsedEnclosure: Sendable, Equatable {
    public let url: String
    public let type: String?
    /// The size in bytes; above 0.
    public let length: Int64?

    public init(url: String, type: String? = nil, length: Int64? = nil) {
        self.url = url
        self.type = type
        self.length = length
    }

    /// True if the file is audio, video or of an unknown type; publishers also enclose pictures and documents. If the
    /// type is missing or unspecific, the file extension decides. An audio extension counts more than another type,
    /// because some publishing systems declare the type of the cover.
    public var isPlayable: Bool {
        guard let type, type.contains("/"), type != "application/octet-stream" else {
            return fileExtension.map { !Self.nonAudioExtensions.contains($0) } ?? true
        }
        return isNamedLikeSound || !Self.silentTypes.contains(where: type.hasPrefix)
    }

    /// The extension in lower case, without the dot.
    var fileExtension: String? { WebURL(url).fileExtension }

    var isNamedLikeSound: Bool { fileExtension.map(Self.sounds.contains) ?? false }

    private static let sounds: Set<String> = [
        "mp3", "m4a", "m4b", "aac", "ogg", "oga", "ogv", "opus", "flac", "wav", "wma", "mp4", "m4v", "mov", "mpg",
        "mpeg", "webm", "wmv",
    ]

    private static let silentTypes = [
        "image/", "text/", "application/pdf", "application/zip", "application/epub", "application/x-bittorrent",
    ]

    private static let nonAudioExtensions: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "svg", "pdf", "epub", "zip", "txt", "html", "htm", "doc", "docx",
    ]
}
