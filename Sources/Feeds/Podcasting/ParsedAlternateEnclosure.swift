// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:alternateEnclosure`: the episode in another format, at one or more places.
public struct ParsedAlternateEnclosure: Sendable, Equatable {
    /// `podcast:source`.
    public struct Source: Sendable, Equatable {
        /// Not of the web only: publishers name torrents and IPFS here, too.
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
    /// Bytes; above 0.
    public var length: Int64?
    /// Bits a second.
    public var bitrate: Double?
    /// Lines of a picture.
    public var height: Int?
    public var language: String?
    public var title: String?
    /// What this one is for, as it stands.
    public var rel: String?
    public var codecs: String?
    /// It is the same file as the `enclosure`.
    public var isDefault = false
    public var integrity: Integrity?

    public init() {}
}
