// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The forms of an address for storing, displaying and sharing.
public enum PublicAddress {
    /// Returns the address without user name and password, and with `***` instead of tokens, for display and sharing.
    /// - Parameter isPrivate: true if the address belongs to a feed with restricted access.
    public static func shown(_ url: String, isPrivate: Bool = false) -> String {
        let address = WebURL(typed: url)
        return address.scheme == nil ? url : address.withoutSecrets(isPrivate: isPrivate).text
    }

    /// Returns the forms in which the address may be shown.
    static func forms(of url: String) -> Set<String> {
        lacksSecrets(url) ? [url] : [shown(url), shown(url, isPrivate: true)]
    }

    /// True if the token of the address was replaced for display, so that the address cannot be requested.
    public static func lacksSecrets(_ url: String) -> Bool { url.contains(WebURL.redaction) }

    /// Returns the address without user name and password, for storing.
    public static func text(_ url: String) -> String {
        let address = WebURL(typed: url)
        return address.scheme != nil && address.hasUserInfo ? address.withoutUserInfo.text : url
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
