// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:alternateEnclosure`: the episode in another format, at one or more locations.
public struct ParsedAlternateEnclosure: Sendable, Equatable {
    /// `podcast:source`.
    public struct Source: Sendable, Equatable {
        /// A URI that need not be a web URL: publishers also list torrents and IPFS.
        public var uri: String
        public var type: String?

        public init(uri: String, type: String? = nil) {
            self.uri = uri
            self.type = type
        }
    }

    /// `podcast:integrity`.
    public struct Integrity: Sendable, Equatable {
        /// `sri` (Subresource Integrity) or `pgp-signature`.
        public var type: String
        public var value: String

        public init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }

    public var sources: [Source] = []
    public var type: String?
    /// The size in bytes; above 0.
    public var length: Int64?
    /// Bits per second.
    public var bitrate: Double?
    /// The height of the picture in lines.
    public var height: Int?
    public var language: String?
    public var title: String?
    /// The purpose of this alternative, as written in the feed.
    public var rel: String?
    public var codecs: String?
    /// True if this is the same file as the `enclosure`.
    public var isDefault = false
    public var integrity: Integrity?

    public init() {}
}
