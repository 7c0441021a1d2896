// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds
public import HTTPTransfer

/// Audio on a server: its address and its properties, from the feed or from the listener.
public struct RemoteEnclosure: Sendable, Equatable {
    /// The certainty that a kept file is the current audio of the enclosure.
    public enum Freshness: Sendable, Equatable {
        /// The file was fetched for the issue that the feed lists.
        case known
        /// The file may be outdated, because an address can have other audio each day: the server is asked if it
        /// answers soon.
        case unclear
        /// The file is outdated: the feed has a newer issue.
        case outdated
    }

    /// The address as given, including secrets.
    public let url: String
    /// The address of the feed that lists the enclosure, as the listener entered it; `nil` if the listener entered
    /// the enclosure's address.
    public let feed: String?
    /// The addresses that a request may connect to: an enclosure of a public feed must not reach into the local
    /// network.
    public let reach: AddressScope
    /// The length in bytes that the feed claims; often wrong.
    public let claimedLength: Int64?
    /// The media type that the feed claims.
    public let type: String?
    /// The text from which the file name is derived: usually the address of the first download, since many addresses
    /// change with each refresh.
    public let keptAs: String
    /// The folder of the file; `nil` is the standard folder.
    public let folder: String?
    public let freshness: Freshness
    /// The credentials for the feed's origin.
    public let credentials: Credentials?
    /// The same audio in another format; `nil` if the feed lists none, and for an episode of the library, which knows
    /// it.
    public let alternative: ParsedEnclosure?

    /// - Parameter keptAs: `nil` if the audio was never fetched.
    public init(
        url: String, feed: String? = nil, reach: AddressScope = .any, claimedLength: Int64? = nil,
        type: String? = nil, keptAs: String? = nil, folder: String? = nil, freshness: Freshness = .unclear,
        credentials: Credentials? = nil, alternative: ParsedEnclosure? = nil
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
        self.alternative = alternative
    }

    var request: HTTPRequest {
        HTTPRequest(url: url, namedBy: feed, credentials: credentials, reach: reach)
    }

    /// Returns the same audio with the file that the library keeps of it.
    func kept(as other: RemoteEnclosure) -> RemoteEnclosure {
        RemoteEnclosure(
            url: url, feed: feed, reach: reach, claimedLength: claimedLength, type: type, keptAs: other.keptAs,
            folder: other.folder, freshness: other.freshness, credentials: credentials, alternative: alternative)
    }

    /// Returns the enclosure of the same audio in another format.
    func replaced(by alternative: ParsedEnclosure) -> RemoteEnclosure {
        RemoteEnclosure(
            url: alternative.url, feed: feed, reach: reach, claimedLength: alternative.length, type: alternative.type,
            folder: folder, freshness: freshness, credentials: credentials)
    }
}
