// SPDX-License-Identifier: GPL-3.0-or-later

/// The forms of an address for storing, displaying and sharing.
public enum PublicAddress {
    /// Returns the address without user name and password, and with `***` instead of tokens, for display and sharing.
    /// - Parameter isPrivate: true if the address belongs to a feed with restricted access.
    public static func shown(_ url: String, isPrivate: Bool = false) -> String {
        AddressSecrets.hidden(text(url), isPrivate: isPrivate)
    }

    /// Returns the forms in which the address may be shown.
    static func forms(of url: String) -> Set<String> {
        lacksSecrets(url) ? [url] : [shown(url), shown(url, isPrivate: true)]
    }

    /// True if the token of the address was replaced for display, so that the address cannot be requested.
    public static func lacksSecrets(_ url: String) -> Bool { url.contains(AddressSecrets.standIn) }

    /// Returns the address without user name and password, for storing.
    public static func text(_ url: String) -> String {
        // Searches by scalars: a combining mark after "@" joins it in one character, but the address is the same.
        guard let scheme = url.unicodeScalars.firstRange(of: "://".unicodeScalars) else { return url }
        let rest = url.unicodeScalars[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound]) + String(rest[rest.index(after: at)...])
    }

    /// Returns text that a user typed, without credentials, even if it is an address without a scheme. Stored texts
    /// are not treated this way: GUIDs may begin with `tag:me@`.
    public static func typed(_ text: String) -> String {
        let bare = self.text(text)
        let authority = text.unicodeScalars.prefix { $0 != "/" && !$0.properties.isWhitespace }
        guard bare == text, let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") else { return bare }
        return String(text.unicodeScalars[at...].dropFirst())
    }
}
