// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer

/// Audio on a server: its address, and what is known of it from the feed or the listener who named it.
public struct RemoteEnclosure: Sendable, Equatable {
    /// How far a kept file is believed to be the audio that is meant.
    public enum Freshness: Sendable, Equatable {
        /// It was fetched for what the feed says.
        case known
        /// The server is asked, where it answers soon: an address can have other audio each day.
        case unclear
        /// The feed has later audio: the kept file is of an older issue.
        case outdated
    }

    /// As it was given, secrets included.
    public let url: String
    /// The address of the feed that names it, as the listener gave it; `nil` for what the listener named.
    public let feed: String?
    /// Where it may lead: what a public feed names must not reach into the listener's own network.
    public let reach: AddressReach
    /// Bytes, as the feed says; often wrong.
    public let claimedLength: Int64?
    /// The media type, as the feed says.
    public let type: String?
    /// The text that names its file: mostly the address it was first fetched from. Many change with each refresh.
    public let keptAs: String
    /// The folder its file was put in; `nil` is the standard one.
    public let folder: String?
    public let freshness: Freshness
    /// For the feed's origin.
    public let credentials: Credentials?

    /// - Parameter keptAs: `nil` where it was never fetched.
    public init(
        url: String, feed: String? = nil, reach: AddressReach = .any, claimedLength: Int64? = nil,
        type: String? = nil, keptAs: String? = nil, folder: String? = nil, freshness: Freshness = .unclear,
        credentials: Credentials? = nil
    ) {
        self.url = url
        self.feed = feed
        self.reach = reach
        self.claimedLength = claimedLength
        self.type = type
        self.keptAs = keptAs ?? url
        self.folder = folder
        self.freshness = freshness
        self.credentials = credentials
    }

    var request: HTTPRequest {
        HTTPRequest(url: url, namedBy: feed, credentials: credentials, reach: reach)
    }

    /// The same audio, with the file that the library has of it.
    func kept(as other: RemoteEnclosure) -> RemoteEnclosure {
        RemoteEnclosure(
            url: url, feed: feed, reach: reach, claimedLength: claimedLength, type: type, keptAs: other.keptAs,
            folder: other.folder, freshness: other.freshness, credentials: credentials)
    }
}
