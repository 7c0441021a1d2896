// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// An http or https URL without user name, password and fragment, in the form passed to libcurl.
///
/// libcurl's own parser splits the URL, so that the checked host is the host that libcurl connects to.
struct WebAddress: Sendable, Hashable {
    enum Scheme: String, Sendable {
        case http, https
    }

    /// The scope of credentials (RFC 6454).
    struct Origin: Sendable, Hashable {
        let scheme: Scheme
        /// The host in lower case, with IPv6 in brackets and numeric IPv4 in the dotted form.
        let host: String
        let port: Int

        /// The host without the brackets of IPv6.
        var bareHost: String { String(host.drop { $0 == "[" }.prefix { $0 != "]" }) }
    }

    let text: String
    let origin: Origin

    /// Returns true if this is the same URL over TLS, with the default ports.
    func isUpgrade(of other: WebAddress) -> Bool {
        (other.origin.scheme, origin.scheme) == (.http, .https) && other.origin.host == origin.host
            && (other.origin.port, origin.port) == (80, 443)
            && text.drop { $0 != "/" } == other.text.drop { $0 != "/" }
    }
}

extension WebAddress {
    /// The maximum length of a DNS name (RFC 1035 section 2.3.4). Beyond 255 bytes, libcurl before 8.4.0 writes past
    /// a buffer when it uses a SOCKS5 proxy (CVE-2023-38545).
    private static let longestHost = 253

    /// - Parameters:
    ///   - text: a URL, absolute if `base` is `nil`; spaces and non-ASCII characters are escaped.
    ///   - base: the base of a relative reference (RFC 3986 section 5).
    /// - Returns: the URL, and the credentials in it.
    static func parse(
        _ text: String, relativeTo base: WebAddress? = nil
    ) throws(TransferError) -> (WebAddress, Credentials?) {
        let bad = TransferError.badURL(RedactedURL(text).description)
        guard let escaped = EscapedURL(text) else { throw bad }
        if let scheme = escaped.scheme, Scheme(rawValue: scheme) == nil { throw .forbiddenScheme(scheme) }
        guard escaped.scheme != nil || base != nil, let url = CurlURL() else { throw bad }
        // libcurl 7.88 would truncate the path.
        if let base, escaped.text.hasPrefix("#") { return (base, nil) }
        if let base, !url.set(CURLUPART_URL, base.text) { throw bad }
        guard url.set(CURLUPART_URL, escaped.text), let scheme = url.get(CURLUPART_SCHEME).flatMap(Scheme.init),
            let host = url.get(CURLUPART_HOST)?.lowercased(), 1...longestHost ~= host.utf8.count,
            let port = url.get(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
            Credentials.areReadable(in: url)
        else { throw bad }
        let credentials = Credentials(of: url)
        // The fragment is removed too, because it is never sent to a server.
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

    /// A constant text without the user name and the password.
    public var description: String { "credentials" }
}

extension Credentials {
    /// Returns false if the credentials cannot be decoded, because they contain escaped control characters.
    fileprivate static func areReadable(in url: borrowing CurlURL) -> Bool {
        (url.get(CURLUPART_USER) == nil) == (url.get(CURLUPART_USER, CURLU_URLDECODE) == nil)
            && (url.get(CURLUPART_PASSWORD) == nil) == (url.get(CURLUPART_PASSWORD, CURLU_URLDECODE) == nil)
    }

    /// Reads the credentials of a URL; `nil` if the URL has none.
    fileprivate init?(of url: borrowing CurlURL) {
        user = url.get(CURLUPART_USER, CURLU_URLDECODE) ?? ""
        password = url.get(CURLUPART_PASSWORD, CURLU_URLDECODE) ?? ""
        if user.isEmpty && password.isEmpty { return nil }
    }
}
