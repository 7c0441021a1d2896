// SPDX-License-Identifier: GPL-3.0-or-later

/// The way to the server of the present hop: through a proxy or directly, and whether it may be gone at all.
struct CurlRoute {
    private(set) var chain: RedirectChain
    private(set) var proxy: String?
    /// Who the server is, once that is known; stays `nil` behind a proxy where the address has a name.
    private(set) var source: AddressClass?
    /// An address of the host was out of reach.
    private var hasRefused = false
    private let settings: CurlSettings

    init(_ request: HTTPRequest, settings: CurlSettings) throws(TransferError) {
        self.settings = settings
        chain = try RedirectChain(
            request.url, namedBy: request.namedBy, credentials: request.credentials, reach: request.reach)
        try findWay()
    }

    mutating func follow(_ fields: HeaderFields, status: Int) throws(TransferError) {
        try chain.follow(fields, status: status, from: source)
        try findWay()
    }

    /// A proxy resolves names itself, so all that can be judged is what the address says.
    private mutating func findWay() throws(TransferError) {
        (source, hasRefused) = (nil, false)
        proxy = settings.proxies.proxy(for: chain.address.origin)
        guard proxy != nil else { return }
        let host = chain.address.origin.bareHost
        let bare = host.last == "." ? String(host.dropLast()) : host
        source = IPAddress(text: bare).map(settings.classify) ?? AddressClass(hostName: bare)
        guard let source else { return }
        guard isInReach(source) else { throw .privateAddress(host: chain.address.origin.host) }
    }

    /// Whether a connection to `address` may be made; `nil` is an address of no known family.
    mutating func permits(_ address: IPAddress?) -> Bool {
        guard proxy == nil else { return true }
        let isPermitted = isInReach(address.map(settings.classify) ?? .reserved)
        if !isPermitted { hasRefused = true }
        return isPermitted
    }

    /// A connection is there; it may have been made for another request, with another reach.
    /// - Returns: whether the request may be sent on it.
    mutating func connected(to address: IPAddress?) -> Bool {
        if proxy == nil { source = address.map(settings.classify) ?? .reserved }
        return permits(address)
    }

    /// Why libcurl has ended a hop, where it was for an address out of reach.
    func refusal(for code: CurlCode) -> TransferError? {
        let isOurs = code == .CURLE_COULDNT_CONNECT || code == .CURLE_ABORTED_BY_CALLBACK
        return isOurs && hasRefused ? .privateAddress(host: chain.address.origin.host) : nil
    }

    private func isInReach(_ kind: AddressClass) -> Bool {
        chain.reach.permits(kind, host: chain.address.origin.bareHost)
    }
}
