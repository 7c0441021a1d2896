// SPDX-License-Identifier: GPL-3.0-or-later

/// An address as it may be shown and passed on: without user name and password, else as it is.
public enum PublicAddress {
    public static func text(_ url: String) -> String {
        // By scalars: a mark behind "@" makes one character of the two, but no other address.
        guard let scheme = url.unicodeScalars.firstRange(of: "://".unicodeScalars) else { return url }
        let rest = url.unicodeScalars[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound]) + String(rest[rest.index(after: at)...])
    }

    /// What somebody has typed, who may mean an address without its scheme. Stored texts are not read like this: GUIDs
    /// begin with `tag:me@`.
    public static func typed(_ text: String) -> String {
        let bare = self.text(text)
        let authority = text.unicodeScalars.prefix { $0 != "/" && !$0.properties.isWhitespace }
        guard bare == text, let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") else { return bare }
        return String(text.unicodeScalars[at...].dropFirst())
    }
}
