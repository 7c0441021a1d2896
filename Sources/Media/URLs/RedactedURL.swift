// SPDX-License-Identifier: GPL-3.0-or-later

/// An address for messages and logs, without user name, password, query, fragment and tokens.
public struct RedactedURL: Sendable, Equatable, CustomStringConvertible {
    /// In lower case; empty without a scheme.
    public let scheme: String
    /// The host as written, without its port.
    public let host: String
    public let description: String

    /// - Parameters:
    ///   - text: an address, perhaps without a scheme.
    ///   - isPrivate: true if the address belongs to a feed with restricted access.
    public init(_ text: String, isPrivate: Bool = false) {
        let url = WebURL(typed: text).withoutSecrets(isPrivate: isPrivate)
        scheme = url.scheme ?? ""
        host = String(url.host ?? "")
        description = (scheme.isEmpty ? "" : scheme + "://") + url.authority + url.path
    }

    /// Returns the address for a log. A transfer does not know if its feed is private, so any random part of the
    /// address may be a token.
    public static func logged(_ text: String) -> RedactedURL { RedactedURL(text, isPrivate: true) }
}

extension WebURL {
    /// The replacement for a token.
    public static let redaction = "***"

    /// The URL without user name and password, and with `***` in place of tokens. Every text that shows or shares an
    /// address is made from it.
    /// - Parameter isPrivate: true if the URL belongs to a feed with restricted access; any random part of it may then
    ///   be a token, as in a URL with a password.
    public func withoutSecrets(isPrivate: Bool) -> WebURL {
        var url = withoutUserInfo
        let secrets = URLSecrets(isPrivate: isPrivate || hasUserInfo)
        url.path = secrets.hidden(path: url.path, ofHost: url.host ?? "")
        url.query = url.query.map { secrets.hidden(query: $0) }
        url.fragment = url.fragment.map { secrets.hidden(query: $0) }
        return url
    }
}
