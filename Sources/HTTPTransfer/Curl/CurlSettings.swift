// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// The settings that all transfers of a transport share.
struct CurlSettings: Sendable {
    let userAgent: String
    let limits: TransferLimits
    let proxies: ProxyChoice
    /// Classifies an address. Tests use it to make their loopback servers public.
    let classify: @Sendable (IPAddress) -> AddressClass
    /// A file of certificates to trust instead of the system's; used only in tests.
    var certificates: String?

    func apply(to handle: borrowing EasyHandle) throws(CurlCode) {
        try applyProtocol(to: handle)
        try applyLimits(to: handle)
    }

    private func applyProtocol(to handle: borrowing EasyHandle) throws(CurlCode) {
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        // `RedirectChain` follows redirects; libcurl would forward passwords and allow schemes by its own rules.
        try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        // `WebAddress` has removed dot segments and checked the path.
        try handle.set(CURLOPT_PATH_AS_IS, 1)
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
        // A cancellation must not wait for a hanging name lookup.
        try handle.set(CURLOPT_QUICK_EXIT, 1)
        // Transfers without turns fill the buffer up to a hundred times before libcurl serves another one.
        try handle.set(CURLOPT_BUFFERSIZE, 16 * 1024)
        try handle.set(CURLOPT_TCP_NODELAY, 1)
        try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
    }
}

extension EasyHandle {
    /// Prepares the next hop of a request, through a proxy or direct.
    mutating func configure(for request: HTTPRequest, at chain: RedirectChain, proxy: String?) throws(CurlCode) {
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
            // A line break in it would inject further fields.
            guard validator.utf8.allSatisfy({ $0 >= 0x20 }) else { throw .CURLE_BAD_FUNCTION_ARGUMENT }
            try addField("If-Range: \(validator)")
        }
        for field in request.conditions.fields { try addField("\(field.name): \(field.value)") }
        if request.accept == .compressed { try set(CURLOPT_ACCEPT_ENCODING, Self.codings) }
    }

    /// The codings that this libcurl can decode. A server that was offered more could send an unreadable body.
    private static let codings = earshot_has_brotli() ? "gzip, br" : "gzip"

    /// CURLAUTH_BASIC, a macro that Swift does not import. It requires no second request and binds no login to a
    /// connection.
    private static let basicAuthentication = 1
}

extension Duration {
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        // Clamped to about a thousand years, which is effectively unlimited.
        return Int(min(max(seconds, 0), 1 << 35)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
