// SPDX-License-Identifier: GPL-3.0-or-later

extension WebURL {
    /// True for an absolute http or https URL with a well-formed host and port, so that it can be requested.
    public var isWeb: Bool { isHTTP && 1...3 ~= slashes && hasWellFormedHost && portNumber != nil }

    /// The port, or the usual one of the scheme; `nil` if it is malformed.
    public var portNumber: Int? {
        guard let port, !port.isEmpty else { return usualPort }
        return hasPortOfDigits ? Int(port).flatMap { 0...65535 ~= $0 ? $0 : nil } : nil
    }

    var hasUsualPort: Bool { portNumber == usualPort }

    private var usualPort: Int { scheme == "https" ? 443 : 80 }

    private var hasPortOfDigits: Bool { port?.utf8.allSatisfy(Self.isDigit) ?? true }

    /// True if the host consists of the characters of names and addresses. libcurl would decode a percent sign.
    private var hasWellFormedHost: Bool {
        guard let host = host?.utf8, let first = host.first else { return false }
        guard first == UInt8(ascii: "[") else { return host.allSatisfy(Self.isHostByte) }
        guard host.last == UInt8(ascii: "]") else { return false }
        let address = host.dropFirst().dropLast().prefix { $0 != UInt8(ascii: "%") }
        // A zone may follow the address, as in `[fe80::1%25eth0]` (RFC 6874).
        let zone = host.dropFirst().dropLast()[address.endIndex...].dropFirst()
        return !address.isEmpty && address.allSatisfy { Self.isLetterOrDigit($0) || ":.".utf8.contains($0) }
            && zone.allSatisfy { Self.isHostByte($0) || $0 == UInt8(ascii: "%") }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte >= 0x80 || "-._~".utf8.contains(byte)
    }
}

extension WebURL {
    /// Returns the URL with another host.
    public func withHost(_ host: String) -> WebURL {
        var result = self
        result.host = host[...]
        return result
    }

    /// True if the URL contains a user name or a password.
    public var hasUserInfo: Bool { userInfo != nil || !hasPortOfDigits }

    /// The URL without user name and password. A port with other characters than digits is the beginning of a
    /// password that contains a slash or a number sign; the rest of the password is removed too.
    public var withoutUserInfo: WebURL {
        var bare = self
        bare.userInfo = nil
        guard !hasPortOfDigits else { return bare }
        let at = path.utf8.lastIndex(of: UInt8(ascii: "@"))
        bare = WebURL("//" + (at.map { path[path.utf8.index(after: $0)...] } ?? ""))
        bare.scheme = scheme
        if at != nil { (bare.query, bare.fragment) = (query, fragment) }
        return bare
    }
}
