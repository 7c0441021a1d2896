// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer

/// One feed to be asked for news.
public struct RefreshOrder: Sendable, Equatable {
    /// Whatever the one who orders knows the podcast by; it comes back with the report.
    public var id: Int64
    public var url: String
    /// What was read the last time.
    public var known: FeedVersion
    /// Whether the whole is asked for though a version is known: some servers say for ever that nothing has changed.
    public var isFull: Bool
    /// Where they are kept apart from the address.
    public var credentials: Credentials?
    /// Whether pages of older episodes are fetched, too (RFC 5005 section 3); for a first subscription.
    public var wantsOlderPages: Bool
    /// Where the feed may be, and redirects from it may lead.
    public var reach: AddressReach

    public init(
        id: Int64, url: String, known: FeedVersion = FeedVersion(), isFull: Bool = false,
        credentials: Credentials? = nil, wantsOlderPages: Bool = false, reach: AddressReach = .any
    ) {
        self.id = id
        self.url = url
        self.known = known
        self.isFull = isFull
        self.credentials = credentials
        self.wantsOlderPages = wantsOlderPages
        self.reach = reach
    }
}

extension RefreshOrder {
    private var conditions: RequestConditions { isFull ? RequestConditions() : known.conditions }

    /// Whether the answer may be that nothing has changed.
    var isConditional: Bool { conditions != RequestConditions() }

    var request: HTTPRequest {
        HTTPRequest(
            url: url, conditions: conditions, accept: .compressed, credentials: credentials, reach: reach,
            longestBody: FeedFetcher.longestFeed)
    }

    /// - Parameter source: of the answer that names the page.
    func request(forPage page: String, namedBy source: AddressClass?) -> HTTPRequest {
        HTTPRequest(
            url: page, accept: .compressed, namedBy: url, credentials: credentials, reach: reach.named(by: source),
            longestBody: FeedFetcher.longestFeed)
    }
}

/// How the feed that was read last can be known again.
public struct FeedVersion: Sendable, Hashable {
    public var conditions: RequestConditions
    /// Of the bytes, by `ContentHash`; where the server ignores conditions it tells the same.
    public var hash: UInt64?

    public init(conditions: RequestConditions = RequestConditions(), hash: UInt64? = nil) {
        self.conditions = conditions
        self.hash = hash
    }
}
