// SPDX-License-Identifier: GPL-3.0-or-later

/// A URL or a relative reference, split into its parts (RFC 3986 section 3).
///
/// The program splits URLs only here. libcurl splits the URL of a transfer again, and `WebAddress` refuses a URL that
/// the two split differently. Every text can be split; `isWeb` is true for a URL that can be requested.
public struct WebURL: Sendable {
    /// In lower case; `nil` for a relative reference.
    public internal(set) var scheme: String?
    /// The text before the last "@" of the authority, as written.
    public internal(set) var userInfo: Substring?
    /// As written, an IPv6 address in brackets; `nil` without an authority.
    public internal(set) var host: Substring?
    /// The text after the colon, which may be empty or malformed.
    public internal(set) var port: Substring?
    public internal(set) var path: Substring = ""
    /// Without the question mark.
    public internal(set) var query: Substring?
    /// Without the number sign.
    public internal(set) var fragment: Substring?
    /// The number of slashes before the authority. After `http:` and `https:`, any number of them introduces it, as in
    /// libcurl and in browsers, but other programs mean something else by it.
    public internal(set) var slashes = 0

    /// Splits `text` without the white space around it.
    public init(_ text: String) {
        var rest = Self.trimmed(text[...].utf8)
        fragment = Self.cut(&rest, from: "#")
        query = Self.cut(&rest, from: "?")
        scheme = Self.cutScheme(&rest)
        slashes = rest.prefix { $0 == UInt8(ascii: "/") }.count
        if isHTTP ? slashes > 0 : slashes >= 2 {
            rest = rest.dropFirst(isHTTP ? slashes : 2)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") }
            setAuthority(authority)
            rest = rest[authority.endIndex...]
        }
        path = Substring(rest)
    }

    /// Splits text in which people write an address: the host may come first, without a scheme.
    public init(typed text: String) {
        self.init(text)
        guard host == nil else { return }
        let words = text.unicodeScalars.prefix { !":?#".unicodeScalars.contains($0) }
        let rest = text.unicodeScalars[words.endIndex...]
        let isMarked = rest.starts(with: "://".unicodeScalars)
        self = WebURL("//" + (isMarked ? Substring(rest.dropFirst(3)) : text[...]))
        // Words before an address must not hide a password in it; a colon in them is that of a password.
        scheme = isMarked ? String(words) : nil
    }

    private mutating func setAuthority(_ authority: Substring.UTF8View) {
        var server = authority
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = Substring(authority[..<at])
            server = authority[authority.index(after: at)...]
        }
        // The colons of an IPv6 address are between brackets.
        let bracket = server.lastIndex(of: UInt8(ascii: "]")) ?? server.startIndex
        if let colon = server[bracket...].firstIndex(of: UInt8(ascii: ":")) {
            port = Substring(server[server.index(after: colon)...])
            server = server[..<colon]
        }
        host = Substring(server)
    }
}

extension WebURL {
    /// The whole reference; equal to the original text but for white space around it, the case of the scheme and the
    /// number of slashes after it.
    public var text: String {
        var text = scheme.map { $0 + ":" } ?? ""
        if host != nil {
            text += "//"
            if let userInfo { text += userInfo + "@" }
            text += authority
        }
        text += path
        if let query { text += "?" + query }
        if let fragment { text += "#" + fragment }
        return text
    }

    /// The host with the port, as written; empty without an authority.
    public var authority: String {
        String(host ?? "") + (port.map { ":" + $0 } ?? "")
    }

    /// True for the URL of a file on this machine (RFC 8089).
    public var isLocal: Bool {
        scheme == "file" && userInfo == nil && port == nil && (host == "" || host?.lowercased() == "localhost")
    }

    /// True for a URL with an authority: neither a relative reference nor, for example, `mailto:`.
    public var isAbsolute: Bool { scheme != nil && host != nil }

    /// The text after the last dot of the path's last segment, in lower case; `nil` without a dot.
    public var fileExtension: String? {
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")) ?? bytes.startIndex
        let dot = bytes[start...].lastIndex(of: UInt8(ascii: "."))
        return dot.map { path[bytes.index(after: $0)...].lowercased() }
    }

    var isHTTP: Bool { scheme == "http" || scheme == "https" }
}

extension WebURL {
    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let start = text.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start }
        return start[...last]
    }

    /// Removes the part from the first `mark` on.
    /// - Returns: that part without the mark.
    private static func cut(_ text: inout Substring.UTF8View, from mark: Unicode.Scalar) -> Substring? {
        guard let index = text.firstIndex(of: UInt8(ascii: mark)) else { return nil }
        defer { text = text[..<index] }
        return Substring(text[text.index(after: index)...])
    }

    /// Removes a scheme and its colon: a letter, then letters, digits and "+-." (RFC 3986 section 3.1).
    private static func cutScheme(_ text: inout Substring.UTF8View) -> String? {
        let name = text.prefix { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
        guard let first = name.first, isLetter(first), text[name.endIndex...].first == UInt8(ascii: ":") else {
            return nil
        }
        text = text[name.endIndex...].dropFirst()
        return Substring(name).lowercased()
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
}
