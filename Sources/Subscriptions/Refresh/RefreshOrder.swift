// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer

/// An order to refresh one feed.
public struct RefreshOrder: Sendable, Equatable {
    /// The caller's number of the podcast; the report contains it.
    public var id: Int64
    public var url: String
    /// The version of the feed that was read last.
    public var known: FeedVersion
    /// True if the whole feed is requested even though a version is known: some servers always report no change.
    public var isFull: Bool
    /// The credentials, which are stored separately from the address.
    public var credentials: Credentials?
    /// True if the pages of older episodes are also fetched (RFC 5005), as for a first subscription.
    public var wantsOlderPages: Bool
    /// The addresses at which the feed may be, and to which it may redirect.
    public var reach: AddressScope
    /// The address that the known version of the feed announces.
    public var announcedURL: String?

    public init(
        id: Int64, url: String, known: FeedVersion = FeedVersion(), isFull: Bool = false,
        credentials: Credentials? = nil, wantsOlderPages: Bool = false, reach: AddressScope = .any,
        announcedURL: String? = nil
    ) {
        self.id = id
        self.url = url
        self.known = known
        self.isFull = isFull
        self.credentials = credentials
        self.wantsOlderPages = wantsOlderPages
        self.reach = reach
        self.announcedURL = announcedURL
    }
}

extension RefreshOrder {
    private var conditions: RequestConditions { isFull ? RequestConditions() : known.conditions }

    /// True if the server may answer that the feed has not changed.
    var isConditional: Bool { conditions != RequestConditions() }

    var request: HTTPRequest {
        HTTPRequest(
            url: url, conditions: conditions, accept: .compressed, credentials: credentials, reach: reach,
            longestBody: FeedFetcher.longestFeed)
    }

    /// - Parameter source: the class of the address whose response named the page.
    func request(forPage page: String, namedBy source: AddressClass?) -> HTTPRequest {
        HTTPRequest(
            url: page, accept: .compressed, namedBy: url, credentials: credentials, reach: reach.named(by: source),
            longestBody: FeedFetcher.longestFeed)
    }
}

/// The properties that identify the version of the feed that was read last.
public struct FeedVersion: Sendable, Hashable {
    public var conditions: RequestConditions
    /// The `ContentHash` of the bytes; it detects an unchanged feed if the server ignores conditions.
    public var hash: UInt64?

    public init(conditions: RequestConditions = RequestConditions(), hash: UInt64? = nil) {
        self.conditions = conditions
        self.hash = hash
    }
}
