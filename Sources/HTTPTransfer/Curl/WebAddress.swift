// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl
import Media

/// An http or https URL without user name, password and fragment, in the form passed to libcurl. Only this form may be
/// stored where other people can read it.
///
/// Both `WebURL` and libcurl split the URL, and it is refused unless they agree, so that the checked host is the host
/// that libcurl connects to (docs/decisions/0058-one-url-type.md).
public struct WebAddress: Sendable, Hashable {
    enum Scheme: String, Sendable {
        case http, https
    }

    /// The scope of credentials (RFC 6454).
    struct Origin: Sendable, Hashable {
        let scheme: Scheme
        /// The host in lower case and ASCII, with IPv6 in brackets and numeric IPv4 in the dotted form.
        let host: String
        let port: Int

        /// The host without the brackets of IPv6.
        var bareHost: String { String(host.drop { $0 == "[" }.prefix { $0 != "]" }) }
    }

    public let text: String
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
    fileprivate static let longestHost = 253

    /// - Parameters:
    ///   - text: a URL, absolute if `base` is `nil`; spaces and non-ASCII characters are encoded.
    ///   - base: the base of a relative reference (RFC 3986 section 5).
    /// - Returns: the URL, and the credentials in it.
    /// - Throws: `badURL` or `forbiddenScheme`.
    public static func parse(
        _ text: String, relativeTo base: WebAddress? = nil
    ) throws(TransferError) -> (WebAddress, Credentials?) {
        let bad = TransferError.badURL(RedactedURL(text).description)
        let written = WebURL(text)
        guard !written.text.isEmpty, written.text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw bad }
        let url = written.resolved(against: WebURL(base?.text ?? "")).escaped.withoutDotSegments
        if let scheme = url.scheme, Scheme(rawValue: scheme) == nil { throw .forbiddenScheme(scheme) }
        guard let url = inASCII(url), let parsed = parsed(url), let origin = Origin(of: parsed),
            Credentials.areReadable(in: parsed), let bare = parsed.bareText
        else { throw bad }
        return (WebAddress(text: bare, origin: origin), Credentials(of: parsed))
    }

    /// - Returns: `nil` if libcurl would not request the URL, or splits it differently.
    private static func parsed(_ url: WebURL) -> CurlURL? {
        guard url.isWeb, let parsed = CurlURL(url.text), parsed.agrees(with: url) else { return nil }
        return parsed
    }

    /// Returns the URL with the ASCII form of its host (IDNA). libcurl requests that form, which can be another kind of
    /// host: the form of "１２７.0.0.1" is "127.0.0.1".
    private static func inASCII(_ url: WebURL) -> WebURL? {
        guard let host = url.host, !host.utf8.allSatisfy({ $0 < 0x80 }) else { return url }
        guard let parsed = parsed(url), let ascii = parsed.asciiHost else { return nil }
        return url.withHost(ascii)
    }

    /// Returns true if both URLs have the same origin, so that data of one may be sent to the other (RFC 6454).
    public func sharesOrigin(with other: WebAddress) -> Bool { origin == other.origin }
}

extension WebAddress.Origin {
    fileprivate init?(of url: borrowing CurlURL) {
        guard let scheme = url.scheme.flatMap(WebAddress.Scheme.init), let host = url.host?.lowercased(),
            1...WebAddress.longestHost ~= host.utf8.count, let port = url.port
        else { return nil }
        self.init(scheme: scheme, host: host, port: port)
        guard !endsInNumber || IPAddress(text: nameWithoutLastDot) != nil else { return nil }
    }

    /// True if the last label is a number. No top-level domain is one, so such a host is an address, and a malformed
    /// one may mean different addresses to different programs (WHATWG URL, "ends in a number").
    private var endsInNumber: Bool {
        guard let label = nameWithoutLastDot.split(separator: ".").last else { return false }
        return label.allSatisfy(\.isWholeNumber) || label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// The host without the brackets of IPv6 and the dot that marks a name as absolute.
    var nameWithoutLastDot: String {
        bareHost.last == "." ? String(bareHost.dropLast()) : bareHost
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
        (url.part(CURLUPART_USER) == nil) == (url.part(CURLUPART_USER, CURLU_URLDECODE) == nil)
            && (url.part(CURLUPART_PASSWORD) == nil) == (url.part(CURLUPART_PASSWORD, CURLU_URLDECODE) == nil)
    }

    /// Reads the credentials of a URL; `nil` if the URL has none.
    fileprivate init?(of url: borrowing CurlURL) {
        user = url.part(CURLUPART_USER, CURLU_URLDECODE) ?? ""
        password = url.part(CURLUPART_PASSWORD, CURLU_URLDECODE) ?? ""
        if user.isEmpty && password.isEmpty { return nil }
    }
}
