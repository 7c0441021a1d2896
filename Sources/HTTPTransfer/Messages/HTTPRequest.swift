// SPDX-License-Identifier: GPL-3.0-or-later

/// Which content codings a request offers.
public enum ContentCodings: Sendable, Equatable {
    /// The bytes as they are stored: for enclosures, whose offsets must mean something.
    case identity
    /// gzip and br, undone by the transport: for feeds.
    case compressed
}

/// A GET request.
public struct HTTPRequest: Sendable, Equatable {
    public var url: String
    /// Offset of the first byte wanted; `nil` asks for the whole (RFC 9110 section 14.2).
    public var range: Int64?
    /// Offset behind the last byte wanted; `nil` is to the end. Without `range` it has no effect.
    public var rangeEnd: Int64?
    /// The validator of the bytes already held, as `EntityValidator.headerText` (RFC 9110 section 13.1.5).
    public var ifRange: String?
    public var conditions: RequestConditions
    public var accept: ContentCodings
    /// The address of the feed that names `url`, as the listener gave it: its user name and password go along where
    /// the two are of one origin.
    public var namedBy: String?
    /// Given apart from the address, to the origin of `namedBy`, or of `url` where that is `nil`.
    public var credentials: Credentials?
    /// Where it may lead, by redirects too.
    public var reach: AddressReach
    /// Bytes of body, without its content coding, beyond which the transfer fails; `nil` is no limit.
    public var longestBody: Int64?
    /// Multiplies the transport's limit for the first byte of an answer.
    public var patience: Int

    /// - Parameter url: may hold a user name and a password; they are sent to its origin alone.
    public init(
        url: String, range: Int64? = nil, rangeEnd: Int64? = nil, ifRange: String? = nil,
        conditions: RequestConditions = RequestConditions(), accept: ContentCodings = .identity,
        namedBy: String? = nil, credentials: Credentials? = nil, reach: AddressReach = .any,
        longestBody: Int64? = nil, patience: Int = 1
    ) {
        self.url = url
        self.range = range
        self.rangeEnd = rangeEnd
        self.ifRange = ifRange
        self.conditions = conditions
        self.accept = accept
        self.namedBy = namedBy
        self.credentials = credentials
        self.reach = reach
        self.longestBody = longestBody
        self.patience = patience
    }
}

extension HTTPRequest {
    /// The value of the Range field behind "bytes=": inclusive bounds; `nil` where no or no possible range is asked.
    var rangeText: String? {
        guard let first = range, first >= 0 else { return nil }
        guard let rangeEnd else { return "\(first)-" }
        return rangeEnd > first ? "\(first)-\(rangeEnd - 1)" : nil
    }
}

extension HTTPRequest: CustomStringConvertible {
    public var description: String {
        "GET \(RedactedURL(url))" + (rangeText.map { ", bytes \($0)" } ?? "")
    }
}
