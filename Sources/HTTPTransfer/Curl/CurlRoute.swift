// SPDX-License-Identifier: GPL-3.0-or-later

/// The route to the server of the current hop: through a proxy or direct, with the check that the server is in reach.
struct CurlRoute {
    private(set) var chain: RedirectChain
    private(set) var proxy: String?
    /// The class of the server's address, once known; stays `nil` for a named host behind a proxy.
    private(set) var source: AddressClass?
    /// True if an address of the host was out of reach.
    private var hasRefused = false
    private let settings: CurlSettings

    init(_ request: HTTPRequest, settings: CurlSettings) throws(TransferError) {
        self.settings = settings
        chain = try RedirectChain(
            request.url, namedBy: request.namedBy, credentials: request.credentials, reach: request.addressScope)
        try findWay()
    }

    mutating func follow(_ fields: HeaderFields, status: Int) throws(TransferError) {
        try chain.follow(fields, status: status, from: source)
        try findWay()
    }

    /// Selects the proxy. A proxy resolves names itself, so only the address in the URL can be checked then.
    private mutating func findWay() throws(TransferError) {
        (source, hasRefused) = (nil, false)
        proxy = settings.proxies.proxy(for: chain.address.origin)
        guard proxy != nil else { return }
        let bare = chain.address.origin.nameWithoutLastDot
        source = IPAddress(text: bare).map(settings.classify) ?? AddressClass(hostName: bare)
        guard let source else { return }
        guard isInReach(source) else { throw .privateAddress(host: chain.address.origin.host) }
    }

    /// Returns true if a connection to `address` is permitted; `nil` means an address of an unknown family.
    mutating func permits(_ address: IPAddress?) -> Bool {
        guard proxy == nil else { return true }
        let isPermitted = isInReach(address.map(settings.classify) ?? .reserved)
        if !isPermitted { hasRefused = true }
        return isPermitted
    }

    /// Checks an established connection, which may have been made for another request with another reach.
    ///
    /// - Returns: true if the request may be sent on it.
    mutating func connected(to address: IPAddress?) -> Bool {
        if proxy == nil { source = address.map(settings.classify) ?? .reserved }
        return permits(address)
    }

    /// Returns the error for a hop that libcurl ended because an address was out of reach.
    func refusal(for code: CurlCode) -> TransferError? {
        let isOurs = code == .CURLE_COULDNT_CONNECT || code == .CURLE_ABORTED_BY_CALLBACK
        return isOurs && hasRefused ? .privateAddress(host: chain.address.origin.host) : nil
    }

    private func isInReach(_ kind: AddressClass) -> Bool {
        chain.addressScope.permits(kind, host: chain.address.origin.bareHost)
    }
}
