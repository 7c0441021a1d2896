// SPDX-License-Identifier: GPL-3.0-or-later

/// An address as it may be stored, shown and passed on.
public enum PublicAddress {
    /// Without user name and password, and with `***` in the place of tokens: to be shown and passed on.
    /// - Parameter isPrivate: it belongs to a feed that only some can read.
    public static func shown(_ url: String, isPrivate: Bool = false) -> String {
        AddressSecrets.hidden(text(url), isPrivate: isPrivate)
    }

    /// The forms in which it may be shown.
    static func forms(of url: String) -> Set<String> {
        lacksSecrets(url) ? [url] : [shown(url), shown(url, isPrivate: true)]
    }

    /// Whether this is an address as it was shown, of which nobody can be asked: its token is missing.
    public static func lacksSecrets(_ url: String) -> Bool { url.contains(AddressSecrets.standIn) }

    /// Without user name and password: to be stored.
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
