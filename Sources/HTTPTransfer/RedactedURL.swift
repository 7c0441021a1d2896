// SPDX-License-Identifier: GPL-3.0-or-later

/// An address as it may be shown and logged: without user name, password, query and fragment.
public struct RedactedURL: Sendable, Equatable, CustomStringConvertible {
    /// In lower case; empty where the address has none.
    public let scheme: String
    /// Host with its port as written; empty where the address has none.
    public let authority: String
    public let path: String

    public init(_ url: String) {
        let bare = url.prefix { $0 != "?" && $0 != "#" }
        let parts = Self.split(bare)
        scheme = parts.scheme.lowercased()
        let (host, rest) = Self.withoutLogin(parts.rest)
        // What should be a port and is none is the beginning of a password with a slash in it.
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

    private static func split(_ url: Substring) -> (scheme: Substring, rest: Substring) {
        if url.hasPrefix("//") { return ("", url.dropFirst(2)) }
        guard let colon = url.firstIndex(of: ":") else { return ("", url) }
        let rest = url[url.index(after: colon)...]
        if ["http", "https"].contains(url[..<colon].lowercased()), rest.hasPrefix("/") {
            // With one slash or three it is meant as with two.
            return (url[..<colon], rest.drop { $0 == "/" })
        }
        return rest.hasPrefix("//") ? (url[..<colon], rest.dropFirst(2)) : ("", url)
    }

    private static func withoutLogin(_ text: Substring) -> (host: Substring, rest: Substring) {
        let end = text.firstIndex { $0 == "/" || $0 == "\\" } ?? text.endIndex
        let login = text[..<end]
        return (login[(login.lastIndex(of: "@").map(login.index(after:)) ?? login.startIndex)...], text[end...])
    }

    /// Also where none is given.
    private static func hasPort(_ host: Substring) -> Bool {
        let tail = host.lastIndex(of: "]").map { host[$0...] } ?? host
        guard let colon = tail.firstIndex(of: ":") else { return true }
        return tail[tail.index(after: colon)...].utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
