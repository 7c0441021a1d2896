// SPDX-License-Identifier: GPL-3.0-or-later

/// An address in a form in which addresses of the same resource are equal: without user info, fragment, last slash and
/// usual port, with the host in lower case. Only for comparison.
public struct NormalizedURL: Sendable, Hashable {
    /// In lower case; empty without a scheme.
    public let scheme: String
    /// The host in lower case, with the port if it is not the usual one.
    public let authority: String
    private let host: String
    private let path: String
    private let query: String?

    /// - Parameter text: an address, perhaps without a scheme.
    public init(_ text: String) {
        let url = WebURL(typed: text)
        scheme = url.scheme ?? ""
        host = (url.host ?? "").lowercased()
        authority = url.hasUsualPort ? host : url.authority.lowercased()
        var path = url.path
        while path.hasSuffix("/") { path.removeLast() }
        self.path = String(path)
        query = url.query.map(String.init)
    }

    /// The address without its scheme: many servers answer http and https alike.
    public var withoutScheme: String { authority + path + (query.map { "?" + $0 } ?? "") }

    /// True if it is the same address over TLS, at the usual ports.
    public func isUpgrade(of other: NormalizedURL) -> Bool {
        isSecureForm(of: other) && (path, query) == (other.path, other.query)
    }

    /// True if a podcast that moves here from `former` keeps its password: within one origin (RFC 6454), or to TLS on
    /// the same host.
    public func keepsPassword(of former: NormalizedURL) -> Bool {
        (scheme, authority) == (former.scheme, former.authority) || isSecureForm(of: former)
    }

    private func isSecureForm(of other: NormalizedURL) -> Bool {
        (other.scheme, scheme) == ("http", "https") && (authority, other.authority) == (host, host)
    }
}
