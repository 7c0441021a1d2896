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
        let end = parts.rest.firstIndex { $0 == "/" || $0 == "\\" } ?? parts.rest.endIndex
        let login = parts.rest[..<end]
        authority = String(login[(login.lastIndex(of: "@").map(login.index(after:)) ?? login.startIndex)...])
        path = String(parts.rest[end...])
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
        guard let colon = url.firstIndex(of: ":") else { return ("", url) }
        let rest = url[url.index(after: colon)...]
        return rest.hasPrefix("//") ? (url[..<colon], rest.dropFirst(2)) : ("", url)
    }
}
