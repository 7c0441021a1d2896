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
    /// The address that names its file: the one it was first fetched from. Many change with each refresh.
    public let keptAs: String
    /// For the feed's origin.
    public let credentials: Credentials?

    /// - Parameter keptAs: `nil` where it was never fetched.
    public init(
        url: String, feed: String? = nil, reach: AddressReach = .any, claimedLength: Int64? = nil,
        keptAs: String? = nil, credentials: Credentials? = nil
    ) {
        self.url = url
        self.feed = feed
        self.reach = reach
        self.claimedLength = claimedLength
        self.keptAs = keptAs ?? url
        self.credentials = credentials
    }

    var request: HTTPRequest {
        HTTPRequest(url: url, namedBy: feed, credentials: credentials, reach: reach)
    }
}
