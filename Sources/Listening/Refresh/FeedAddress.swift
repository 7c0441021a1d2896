// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer

/// A feed's address in a form in which two that lead to the same place are equal: without login and fragment, a slash
/// at its end and the port that is understood, the host in lower case. Only for comparing.
struct FeedAddress: Hashable {
    let scheme: String
    /// In lower case.
    let host: String
    /// The host with its port where that is another than usual.
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

    /// Whether it is the same address by TLS, at the usual ports.
    func isUpgrade(of other: FeedAddress) -> Bool {
        (other.scheme, scheme) == ("http", "https") && (authority, other.authority) == (host, host)
            && (path, query) == (other.path, other.query)
    }

    /// Whether a podcast that moves here takes its password along: within one origin (RFC 6454), or to TLS on the same
    /// host.
    func isToldThePassword(of former: FeedAddress) -> Bool {
        guard scheme == former.scheme else {
            return (former.scheme, scheme) == ("http", "https") && authority == former.authority && host == authority
        }
        return authority == former.authority
    }
}
