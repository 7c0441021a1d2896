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

    /// Returns the displayed address with a number, which distinguishes it from others that differ only in tokens.
    public static func numbered(_ address: String, _ number: Int) -> String {
        guard number > 1, let standIn = address.ranges(of: WebURL.redaction).last else { return address }
        return "\(address[..<standIn.upperBound])\(number)\(address[standIn.upperBound...])"
    }

    /// Reverts `numbered`.
    static func withoutNumber(_ address: String) -> String {
        guard let standIn = address.ranges(of: WebURL.redaction).last else { return address }
        let rest = address[standIn.upperBound...].drop { $0.isASCII && $0.isNumber }
        return "\(address[..<standIn.upperBound])\(rest)"
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
