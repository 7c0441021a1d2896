// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:license`.
public struct ParsedLicense: Sendable, Equatable {
    /// An SPDX identifier, or a name chosen by the publisher.
    public var identifier: String
    public var url: String?

    public init(identifier: String, url: String? = nil) {
        self.identifier = identifier
        self.url = url
    }
}
