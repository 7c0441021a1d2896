// SPDX-License-Identifier: GPL-3.0-or-later

/// The location, media type and length of an episode's audio, as the publisher declares them.
public struct Enclosure: Sendable, Hashable {
    /// An absolute http or https URL.
    public let url: String
    /// The media type the publisher claims, like `audio/mpeg`.
    public let mediaType: String?
    /// The length in bytes that the publisher claims; it may be wrong.
    public let declaredLength: Int64?

    public init(url: String, mediaType: String? = nil, declaredLength: Int64? = nil) {
        self.url = url
        self.mediaType = mediaType
        self.declaredLength = declaredLength
    }
}
