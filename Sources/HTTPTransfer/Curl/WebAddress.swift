// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// An http or https address without user name, password and fragment, as it is given to libcurl.
///
/// libcurl's own parser takes it apart, so that what is checked is what is connected to.
struct WebAddress: Sendable, Hashable {
    enum Scheme: String, Sendable {
        case http, https
    }

    /// What credentials belong to (RFC 6454).
    struct Origin: Sendable, Hashable {
        let scheme: Scheme
        /// In lower case, IPv6 in brackets; numeric IPv4 in the dotted form.
        let host: String
        let port: Int

        /// Without the brackets of IPv6.
        var bareHost: String { String(host.drop { $0 == "[" }.prefix { $0 != "]" }) }
    }

    let text: String
    let origin: Origin

    /// Whether it is the same address by TLS, at the usual ports.
    func isUpgrade(of other: WebAddress) -> Bool {
        (other.origin.scheme, origin.scheme) == (.http, .https) && other.origin.host == origin.host
            && (other.origin.port, origin.port) == (80, 443)
            && text.drop { $0 != "/" } == other.text.drop { $0 != "/" }
    }
}

extension WebAddress {
    /// No name in the DNS is longer (RFC 1035 section 2.3.4); beyond 255 bytes, libcurl before 8.4.0 writes past a
    /// buffer on its way to a SOCKS5 proxy (CVE-2023-38545).
    private static let longestHost = 253

    /// - Parameters:
    ///   - text: absolute where there is no base; blanks and letters beyond ASCII are escaped.
    ///   - base: what a relative reference is resolved against (RFC 3986 section 5).
    /// - Returns: the address, and the credentials that stood in it.
    static func parse(
        _ text: String, relativeTo base: WebAddress? = nil
    ) throws(TransferError) -> (WebAddress, Credentials?) {
        let bad = TransferError.badURL(RedactedURL(text).description)
        guard let escaped = EscapedURL(text) else { throw bad }
        if let scheme = escaped.scheme, Scheme(rawValue: scheme) == nil { throw .forbiddenScheme(scheme) }
        guard escaped.scheme != nil || base != nil, let url = CurlURL() else { throw bad }
        // libcurl 7.88 would cut its path.
        if let base, escaped.text.hasPrefix("#") { return (base, nil) }
        if let base, !url.set(CURLUPART_URL, base.text) { throw bad }
        guard url.set(CURLUPART_URL, escaped.text), let scheme = url.get(CURLUPART_SCHEME).flatMap(Scheme.init),
            let host = url.get(CURLUPART_HOST)?.lowercased(), 1...longestHost ~= host.utf8.count,
            let port = url.get(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
            Credentials.areReadable(in: url)
        else { throw bad }
        let credentials = Credentials(of: url)
        // Nor is the fragment anything that a server is sent.
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            guard url.set(part, nil) else { throw bad }
        }
        guard let bare = url.get(CURLUPART_URL) else { throw bad }
        return (WebAddress(text: bare, origin: Origin(scheme: scheme, host: host, port: port)), credentials)
    }
}

/// A user name and a password, for Basic authentication (RFC 7617).
public struct Credentials: Sendable, Equatable, CustomStringConvertible {
    public let user: String
    public let password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// Neither of them.
    public var description: String { "credentials" }
}

extension Credentials {
    /// Escaped control characters do not survive decoding.
    fileprivate static func areReadable(in url: borrowing CurlURL) -> Bool {
        (url.get(CURLUPART_USER) == nil) == (url.get(CURLUPART_USER, CURLU_URLDECODE) == nil)
            && (url.get(CURLUPART_PASSWORD) == nil) == (url.get(CURLUPART_PASSWORD, CURLU_URLDECODE) == nil)
    }

    /// `nil` where the address has none.
    fileprivate init?(of url: borrowing CurlURL) {
        user = url.get(CURLUPART_USER, CURLU_URLDECODE) ?? ""
        password = url.get(CURLUPART_PASSWORD, CURLU_URLDECODE) ?? ""
        if user.isEmpty && password.isEmpty { return nil }
    }
}
