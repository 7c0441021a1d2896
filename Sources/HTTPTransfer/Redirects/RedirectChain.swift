// SPDX-License-Identifier: GPL-3.0-or-later

/// Where a request stands on its way through redirects, and what goes with it. Pure: decides at each hop whether and
/// where it goes on (RFC 9110 section 15.4).
struct RedirectChain {
    static let mostHops = 10

    /// What is asked next.
    private(set) var address: WebAddress
    /// How far that may lead.
    private(set) var reach: AddressReach
    private var cookies = CookieJar()
    private var hops = 0
    /// Addresses with the cookies they were asked with: the same again would be answered the same.
    private var visited: Set<[String]>
    private let credentials: Credentials?
    /// Whether every hop so far said that it is for good.
    private var isPermanent = true
    /// Where the leading hops lead that are for good (301, 308); `nil` where the first is not, or there is none.
    private(set) var permanentAddress: WebAddress?
    /// Whether TLS has proved every server that led here. Plain http proves nothing, but that `http://h/x` is also at
    /// `https://h/x`: what is read there is the same server's.
    private(set) var isProven: Bool
    /// Credentials do not come back to a chain that has left their origin.
    private var isAtHome = true

    /// - Parameters:
    ///   - feed: the address that names `url`; what is wrong with it does not matter.
    ///   - stored: what the listener has given for that feed, or for `url` where there is none.
    /// - Throws: `badURL` or `forbiddenScheme`.
    init(
        _ url: String, namedBy feed: String? = nil, credentials stored: Credentials? = nil, reach: AddressReach
    ) throws(TransferError) {
        let (address, own) = try WebAddress.parse(url)
        self.address = address
        let given = feed.map { Self.credentials(in: $0, for: address.origin, else: stored) } ?? stored
        credentials = own ?? given
        self.reach = reach
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

    /// What to log in with at `address`.
    var login: Credentials? { isAtHome ? credentials : nil }

    /// The Cookie field for `address`.
    var cookieField: String? { cookies.field(for: address.origin) }

    var credentialUse: CredentialUse {
        guard credentials != nil else { return .none }
        return isAtHome ? .sent : .withheld
    }

    static func isRedirect(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Goes on to where a redirect leads.
    /// - Throws: why it is not followed.
    mutating func follow(
        _ fields: HeaderFields, status: Int = 302, from source: AddressClass?
    ) throws(TransferError) {
        guard let location = fields["location"], !location.isEmpty else { throw .redirectToNowhere }
        guard hops < Self.mostHops else { throw .tooManyRedirects }
        // User info in it is the server's choice, not the listener's: dropped.
        let (next, _) = try WebAddress.parse(location, relativeTo: address)
        if credentials != nil, address.origin.scheme == .https, next.origin.scheme == .http {
            throw .insecureRedirect(host: next.origin.host)
        }
        cookies.keep(fields, from: address.origin)
        reach = reach.named(by: source)
        isAtHome = isAtHome && next.origin == address.origin
        isProven = next.origin.scheme == .https && (isProven || hops == 0 && next.isUpgrade(of: address))
        address = next
        isPermanent = isPermanent && [301, 308].contains(status)
        if isPermanent { permanentAddress = next }
        hops += 1
        let visit = [next.text] + (cookieField.map { [$0] } ?? [])
        guard visited.insert(visit).inserted else { throw .tooManyRedirects }
    }
}
