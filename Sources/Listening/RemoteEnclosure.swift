// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer

/// Audio on a server: its address, and what whoever named it has to say.
public struct RemoteEnclosure: Sendable, Equatable {
    /// As it was given, secrets included.
    public let url: String
    /// The address of the feed that names it, as the listener gave it; `nil` for what the listener named.
    public let feed: String?
    /// Where it may lead: what a public feed names must not reach into the listener's own network.
    public let reach: AddressReach
    /// Bytes, as the feed says; often wrong.
    public let claimedLength: Int64?

    public init(url: String, feed: String? = nil, reach: AddressReach = .any, claimedLength: Int64? = nil) {
        self.url = url
        self.feed = feed
        self.reach = reach
        self.claimedLength = claimedLength
    }

    var request: HTTPRequest { HTTPRequest(url: url, namedBy: feed, reach: reach) }
}
