// SPDX-License-Identifier: GPL-3.0-or-later

/// A URL for display and logs, without user name, password, query and fragment.
public struct RedactedURL: Sendable, Equatable, CustomStringConvertible {
    /// The scheme in lower case; empty if the URL has none.
    public let scheme: String
    /// The host with its port, as written; empty if the URL has none.
    public let authority: String
    public let path: String

    public init(_ url: String) {
        // By scalars: a combining mark after "@" or "?" forms one character with it, but does not change the URL.
        let bare = url.unicodeScalars.drop { $0 == " " || "\t"..."\r" ~= $0 }.prefix { $0 != "?" && $0 != "#" }
        let parts = Self.split(bare)
        scheme = String(parts.scheme).lowercased()
        let (host, rest) = Self.withoutLogin(parts.rest)
        // An invalid port is the beginning of a password that contains a slash.
        if Self.hasPort(host) {
            (authority, path) = (String(host), String(rest))
        } else if let at = rest.lastIndex(of: "@") {
            let parts = Self.withoutLogin(rest[rest.index(after: at)...])
            (authority, path) = (String(parts.host), String(parts.rest))
        } else {
            (authority, path) = ("", "")
        }
    }

    public var description: String {
        (scheme.isEmpty ? "" : "\(scheme)://") + authority + path
    }

    /// The authority without its port.
    public var host: String {
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            return String(authority[...bracket])
        }
        return String(authority.prefix { $0 != ":" })
    }

    private typealias Scalars = Substring.UnicodeScalarView

    private static func split(_ url: Scalars) -> (scheme: Scalars, rest: Scalars) {
        let slashes = "//".unicodeScalars
        if url.starts(with: slashes) { return (Scalars(), url.dropFirst(2)) }
        guard let colon = url.firstIndex(of: ":") else { return (Scalars(), url) }
        let (scheme, rest) = (url[..<colon], url[url.index(after: colon)...])
        if ["http", "https"].contains(String(scheme).lowercased()), rest.first == "/" {
            // One slash or three mean the same as two.
            return (scheme, rest.drop { $0 == "/" })
        }
        return rest.starts(with: slashes) ? (scheme, rest.dropFirst(2)) : (Scalars(), url)
    }

    /// Removes the login. libcurl treats a backslash as part of the login; for other parsers, a backslash in a host
    /// begins the path.
    private static func withoutLogin(_ text: Scalars) -> (host: Scalars, rest: Scalars) {
        let start = text.prefix { $0 != "/" }.lastIndex(of: "@").map(text.index(after:)) ?? text.startIndex
        let end = text[start...].firstIndex { $0 == "/" || $0 == "\\" } ?? text.endIndex
        return (text[start..<end], text[end...])
    }

    /// Returns true if the port is numeric or omitted.
    private static func hasPort(_ host: Scalars) -> Bool {
        let tail = host.lastIndex(of: "]").map { host[$0...] } ?? host
        guard let colon = tail.firstIndex(of: ":") else { return true }
        return tail[tail.index(after: colon)...].allSatisfy { "0"..."9" ~= $0 }
    }
}
