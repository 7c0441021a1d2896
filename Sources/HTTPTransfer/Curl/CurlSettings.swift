// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// What every transfer of a transport has in common.
struct CurlSettings: Sendable {
    let userAgent: String
    let limits: TransferLimits
    let proxies: ProxyChoice
    /// Tests make their loopback servers strangers by it.
    let classify: @Sendable (IPAddress) -> AddressClass
    /// A file of certificates to trust instead of the system's; tests alone have one.
    var certificates: String?

    func apply(to handle: borrowing EasyHandle) throws(CurlCode) {
        try applyProtocol(to: handle)
        try applyLimits(to: handle)
    }

    private func applyProtocol(to handle: borrowing EasyHandle) throws(CurlCode) {
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        // `RedirectChain` follows them; libcurl would take passwords and schemes along by rules of its own.
        try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        try handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        try handle.set(CURLOPT_HTTP09_ALLOWED, 0)
        try handle.set(CURLOPT_SSL_VERIFYPEER, 1)
        try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
        if let certificates { try handle.set(CURLOPT_CAINFO, certificates) }
        try handle.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try handle.set(CURLOPT_USERAGENT, userAgent)
        // A proxy's answer to CONNECT is not a response of the server.
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func applyLimits(to handle: borrowing EasyHandle) throws(CurlCode) {
        try handle.set(CURLOPT_NOSIGNAL, 1)
        // Cancelling must not wait for a name lookup that hangs.
        try handle.set(CURLOPT_QUICK_EXIT, 1)
        try handle.set(CURLOPT_BUFFERSIZE, 64 * 1024)
        try handle.set(CURLOPT_TCP_NODELAY, 1)
        try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
    }
}

extension EasyHandle {
    /// The next hop of a request, through a proxy or directly.
    mutating func ask(for request: HTTPRequest, at chain: RedirectChain, proxy: String?) throws(CurlCode) {
        try set(CURLOPT_URL, chain.address.text)
        try set(CURLOPT_PROXY, proxy ?? "")
        try set(CURLOPT_NOPROXY, "")
        if let login = chain.login {
            try set(CURLOPT_HTTPAUTH, Self.basicAuthentication)
            try set(CURLOPT_USERNAME, login.user)
            try set(CURLOPT_PASSWORD, login.password)
        }
        if let cookies = chain.cookieField { try set(CURLOPT_COOKIE, cookies) }
        if let range = request.rangeText { try set(CURLOPT_RANGE, range) }
        if let validator = request.ifRange {
            // A line end in it would smuggle in further fields.
            guard validator.utf8.allSatisfy({ $0 >= 0x20 }) else { throw .CURLE_BAD_FUNCTION_ARGUMENT }
            try addField("If-Range: \(validator)")
        }
        for field in request.conditions.fields { try addField("\(field.name): \(field.value)") }
        if request.accept == .compressed { try set(CURLOPT_ACCEPT_ENCODING, Self.codings) }
    }

    /// What this libcurl can undo; a server that was offered more could send what nobody can read.
    private static let codings = earshot_has_brotli() ? "gzip, br" : "gzip"

    /// CURLAUTH_BASIC, a macro that Swift does not see: nothing that would ask twice or bind a login to a connection.
    private static let basicAuthentication = 1
}

extension Duration {
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        // A thousand years are as good as for ever.
        return Int(min(max(seconds, 0), 1 << 35)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
