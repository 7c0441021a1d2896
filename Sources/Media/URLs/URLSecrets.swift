// SPDX-License-Identifier: GPL-3.0-or-later

/// The rules that find the secret parts of a URL: tokens of private feeds, with which anyone can read the feed. Pure.
///
/// A value in the query is secret if its name suggests it (`token`, `auth`, `key`, `sig`, ...). A part of the path is
/// secret if it looks random and either follows a part that announces a secret (`private`, `token`, ...) or belongs
/// to a host that serves private feeds. In a feed known to be private, every random value and part is secret. In a
/// public feed such parts are usually the number of the show.
struct URLSecrets {
    /// True if the feed requires a password or asks directories not to list it.
    let isPrivate: Bool

    // MARK: The path

    private static let announcing: Set<String> = [
        "private", "secret", "token", "auth", "member", "members", "subscriber", "subscribers",
    ]
    private static let privateHosts = [
        "supportingcast.fm", "supercast.com", "supercast.tech", "memberful.com", "patreon.com", "glow.fm",
    ]

    /// Returns the path with its tokens replaced.
    func hidden(path: Substring, ofHost host: Substring) -> Substring {
        let host = host.lowercased()
        let isHiding = isPrivate || Self.privateHosts.contains { host == $0 || host.hasSuffix("." + $0) }
        var fewest: Int? = isHiding ? Self.fewestRandom : nil
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let shown = parts.map { part -> String in
            defer { if Self.announcing.contains(part.lowercased()) { fewest = Self.fewestAnnounced } }
            guard let fewest, Self.looksRandom(part, fewest: fewest) else { return String(part) }
            return WebURL.redaction + Self.ending(part)
        }
        return shown.joined(separator: "/")[...]
    }

    /// Returns the file name extension, such as `.rss` or `.mp3`, which programs rely on.
    private static func ending(_ part: Substring) -> String {
        guard let dot = part.lastIndex(of: "."), part[dot...].utf8.count <= 5 else { return "" }
        return String(part[dot...])
    }

    // MARK: The query

    /// Returns a query or fragment with its tokens replaced.
    func hidden(query: Substring) -> Substring {
        var shown = ""
        // By scalars: a combining mark after a separator forms one character with it.
        var rest = query.unicodeScalars
        while !rest.isEmpty {
            let pair = rest.prefix { !"&;?#".unicodeScalars.contains($0) }
            rest = rest[pair.endIndex...]
            shown += hiddenPair(Substring(pair)) + Substring(rest.prefix(1))
            rest = rest.dropFirst()
        }
        return shown[...]
    }

    private func hiddenPair(_ pair: Substring) -> String {
        guard let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            return Self.looksRandom(pair) ? WebURL.redaction : String(pair)
        }
        let (name, value) = (pair[..<sign], pair[pair.utf8.index(after: sign)...])
        guard !value.isEmpty, !value.hasPrefix(WebURL.redaction) else { return String(pair) }
        let isSecret = Self.isSecretName(name) || isPrivate && Self.looksRandom(value)
        return isSecret ? "\(name)=\(WebURL.redaction)" : String(pair)
    }

    private static let telling = [
        "token", "auth", "secret", "passw", "passphrase", "signature", "credential", "apikey", "session", "jwt",
    ]
    private static let secretWords: Set<Substring> = [
        "key", "sig", "hash", "hmac", "pass", "pwd", "pw", "pin", "sid", "uid", "email", "mail", "access", "policy",
        "member", "subscriber",
    ]

    private static func isSecretName(_ name: Substring) -> Bool {
        let name = name.lowercased().replacing("author", with: "")
        return telling.contains { name.contains($0) }
            || name.split { !($0.isLetter || $0.isNumber) }.contains { secretWords.contains($0) }
    }

    // MARK: Random texts

    private static let fewestRandom = 16
    /// The minimum length after a part that announces a secret.
    private static let fewestAnnounced = 8
    private static let digitsOfUUID = 32

    /// True for a sequence of letters and digits that does not look like written text, or for a UUID.
    private static func looksRandom(_ text: Substring, fewest: Int = fewestRandom) -> Bool {
        let runs = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        if runs.contains(where: { isRandom($0, fewest: fewest) }) { return true }
        return runs.prefix(5).joined().count >= digitsOfUUID && runs.prefix(5).joined().allSatisfy(\.isHexDigit)
    }

    private static func isRandom(_ run: Substring, fewest: Int) -> Bool {
        guard run.count >= fewest, run.contains(where: \.isLetter) else { return false }
        if run.contains(where: \.isNumber) { return true }
        // Titles written as one word also have capitals, but they are shorter.
        return run.count >= fewest + fewest / 2 && run.contains(where: \.isUppercase)
            && (fewest == fewestAnnounced || run.contains(where: \.isLowercase))
    }
}
