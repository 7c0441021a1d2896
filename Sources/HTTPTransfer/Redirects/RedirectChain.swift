// SPDX-License-Identifier: GPL-3.0-or-later

/// The state of a request on its way through redirects. Pure: decides at each hop if and where the request continues
/// (RFC 9110 section 15.4).
struct RedirectChain {
    static let mostHops = 10

    /// The URL of the next request.
    private(set) var address: WebAddress
    /// The addresses that the next request may connect to.
    private(set) var addressScope: AddressScope
    private var cookies = CookieJar()
    private var hops = 0
    /// The requested URLs, each with the cookies sent: the same request again would get the same response.
    private var visited: Set<[String]>
    private let credentials: Credentials?
    /// True if every hop so far was permanent.
    private var isPermanent = true
    /// The target of the leading permanent hops (301, 308); `nil` if the first hop was not permanent, or before the
    /// first hop.
    private(set) var permanentAddress: WebAddress?
    /// True if TLS has authenticated every server of the chain. Plain http authenticates no server, with one
    /// exception: if the first hop leads from `http://h/x` to `https://h/x`, the content there comes from the same
    /// server.
    private(set) var isProven: Bool
    /// False once the chain has left the origin of the credentials. They are not sent again, even if the chain
    /// returns.
    private var isAtOrigin = true

    /// - Parameters:
    ///   - feed: the URL of the feed that names `url`; a malformed one is ignored.
    ///   - stored: the credentials that the listener has stored for that feed, or for `url` if `feed` is `nil`.
    /// - Throws: `badURL` or `forbiddenScheme`.
    init(
        _ url: String, namedBy feed: String? = nil, credentials stored: Credentials? = nil, reach: AddressScope
    ) throws(TransferError) {
        let (address, own) = try WebAddress.parse(url)
        self.address = address
        let given = feed.map { Self.credentials(in: $0, for: address.origin, else: stored) } ?? stored
        credentials = own ?? given
        self.addressScope = reach
        isProven = address.origin.scheme == .https
        visited = [[address.text]]
    }

    private static func credentials(
        in url: String, for origin: WebAddress.Origin, else stored: Credentials?
    ) -> Credentials? {
        do throws(TransferError) {
            let (address, own) = try WebAddress.parse(url)
            return address.origin == origin ? own ?? stored : nil
        } catch {
            return nil
        }
    }

    /// The credentials to send to `address`.
    var login: Credentials? { isAtOrigin ? credentials : nil }

    /// The Cookie field for `address`.
    var cookieField: String? { cookies.field(for: address.origin) }

    var credentialUse: CredentialUse {
        guard credentials != nil else { return .none }
        return isAtOrigin ? .sent : .withheld
    }

    static func isRedirect(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Follows a redirect.
    ///
    /// - Throws: the reason why the redirect is not followed.
    mutating func follow(
        _ fields: HeaderFields, status: Int = 302, from source: AddressClass?
    ) throws(TransferError) {
        guard let location = fields["location"], !location.isEmpty else { throw .redirectWithoutLocation }
        guard hops < Self.mostHops else { throw .tooManyRedirects }
        // User info in the target is the server's choice, not the listener's, and is dropped.
        let (next, _) = try WebAddress.parse(location, relativeTo: address)
        if credentials != nil, address.origin.scheme == .https, next.origin.scheme == .http {
            throw .insecureRedirect(host: next.origin.host)
        }
        cookies.keep(fields, from: address.origin)
        addressScope = addressScope.named(by: source)
        isAtOrigin = isAtOrigin && next.origin == address.origin
        isProven = next.origin.scheme == .https && (isProven || hops == 0 && next.isUpgrade(of: address))
        address = next
        isPermanent = isPermanent && [301, 308].contains(status)
        if isPermanent { permanentAddress = next }
        hops += 1
        let visit = [next.text] + (cookieField.map { [$0] } ?? [])
        guard visited.insert(visit).inserted else { throw .tooManyRedirects }
    }
}
