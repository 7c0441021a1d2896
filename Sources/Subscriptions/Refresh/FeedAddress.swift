// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer

/// A feed's address in a normalized form, in which addresses that lead to the same resource are equal: without
/// credentials, fragment, trailing slash and default port, with the host in lower case. Only for comparison.
struct FeedAddress: Hashable {
    let scheme: String
    /// The host in lower case.
    let host: String
    /// The host, with the port if it is not the default port.
    let authority: String
    private let path: String
    private let query: Substring?

    init(_ url: String) {
        let bare = url.prefix { $0 != "#" }
        let parts = RedactedURL(url)
        scheme = parts.scheme
        let usualPort = scheme == "https" ? ":443" : ":80"
        host = parts.host.lowercased()
        let place = parts.authority.lowercased()
        authority = place.hasSuffix(usualPort) ? String(place.dropLast(usualPort.count)) : place
        path = parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path
        query = bare.firstIndex(of: "?").map { bare[$0...] }
    }

    /// True if it is the same address over TLS, at the default ports.
    func isUpgrade(of other: FeedAddress) -> Bool {
        (other.scheme, scheme) == ("http", "https") && (authority, other.authority) == (host, host)
            && (path, query) == (other.path, other.query)
    }

    /// True if a podcast that moves here from `former` keeps its password: within one origin (RFC 6454), or to TLS on
    /// the same host.
    func keepsPassword(of former: FeedAddress) -> Bool {
        guard scheme == former.scheme else {
            return (former.scheme, scheme) == ("http", "https") && authority == former.authority && host == authority
        }
        return authority == former.authority
    }
}
