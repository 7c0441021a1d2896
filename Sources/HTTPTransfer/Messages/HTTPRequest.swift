// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The content codings that a request offers.
public enum ContentCodings: Sendable, Equatable {
    /// The bytes as stored: for enclosures, which need stable byte offsets.
    case identity
    /// gzip and br, decoded by the transport: for feeds.
    case compressed
}

/// A GET request.
public struct HTTPRequest: Sendable, Equatable {
    public var url: String
    /// The offset of the first requested byte; `nil` requests the whole file (RFC 9110 section 14.2).
    public var range: Int64?
    /// The offset after the last requested byte; `nil` requests the bytes to the end. Has no effect without `range`.
    public var rangeEnd: Int64?
    /// The validator of the stored bytes, as `EntityValidator.headerText` (RFC 9110 section 13.1.5).
    public var ifRange: String?
    public var conditions: RequestConditions
    public var accept: ContentCodings
    /// The URL of the feed that names `url`, as the listener gave it. The transport sends its user name and password
    /// if both URLs have the same origin.
    public var namedBy: String?
    /// Credentials given separately from the URL, for the origin of `namedBy`, or of `url` if `namedBy` is `nil`.
    public var credentials: Credentials?
    /// The addresses that the request may connect to, also through redirects.
    public var addressScope: AddressScope
    /// The size of the decoded body in bytes beyond which the transfer fails; `nil` for no limit.
    public var longestBody: Int64?
    /// A factor for the transport's timeout of the first byte of a response.
    public var timeoutFactor: Int

    /// - Parameter url: may contain a user name and a password; they are sent only to its origin.
    public init(
        url: String, range: Int64? = nil, rangeEnd: Int64? = nil, ifRange: String? = nil,
        conditions: RequestConditions = RequestConditions(), accept: ContentCodings = .identity,
        namedBy: String? = nil, credentials: Credentials? = nil, reach: AddressScope = .any,
        longestBody: Int64? = nil, timeoutFactor: Int = 1
    ) {
        self.url = url
        self.range = range
        self.rangeEnd = rangeEnd
        self.ifRange = ifRange
        self.conditions = conditions
        self.accept = accept
        self.namedBy = namedBy
        self.credentials = credentials
        self.addressScope = reach
        self.longestBody = longestBody
        self.timeoutFactor = timeoutFactor
    }
}

extension HTTPRequest {
    /// The value of the Range field after "bytes=", with inclusive bounds; `nil` if the request has no range, or an
    /// invalid one.
    var rangeText: String? {
        guard let first = range, first >= 0 else { return nil }
        guard let rangeEnd else { return "\(first)-" }
        return rangeEnd > first ? "\(first)-\(rangeEnd - 1)" : nil
    }
}

extension HTTPRequest: CustomStringConvertible {
    public var description: String {
        "GET \(RedactedURL.logged(url))" + (rangeText.map { ", bytes \($0)" } ?? "")
    }
}

/// The use of a user name and a password in a request.
public enum CredentialUse: Sendable, Equatable, CaseIterable {
    /// The URL had none.
    case none
    case sent
    /// The URL had credentials, but a redirect led away from the server they belong to.
    case withheld
}
