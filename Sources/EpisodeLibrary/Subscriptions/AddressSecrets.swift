// SPDX-License-Identifier: GPL-3.0-or-later

/// The secret parts of an address: tokens of private feeds, with which anyone can read the feed. Pure.
///
/// A value in the query is secret if its name suggests it (`token`, `auth`, `key`, `sig`, ...). A part of the path is
/// secret if it looks random and either follows a part that announces a secret (`private`, `token`, ...) or belongs
/// to a host that serves private feeds. In a feed known to be private, every random value and part is secret. In a
/// public feed such parts are usually the number of the show.
enum AddressSecrets {
    /// The replacement for a secret.
    static let standIn = "***"

    /// Returns the address with its secrets replaced.
    /// - Parameter isPrivate: true if the feed requires a password or asks directories not to list it.
    static func hidden(_ url: String, isPrivate: Bool) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let query = rest[path.endIndex...]
        return url[..<scheme.upperBound] + hiddenPath(path, isPrivate: isPrivate)
            + hiddenQuery(query, isPrivate: isPrivate)
    }

    // MARK: The path

    private static let announcing: Set<String> = [
        "private", "secret", "token", "auth", "member", "members", "subscriber", "subscribers",
    ]
    private static let privateHosts = [
        "supportingcast.fm", "supercast.com", "supercast.tech", "memberful.com", "patreon.com", "glow.fm",
    ]

    /// - Parameter path: the path with the host.
    private static func hiddenPath(_ path: Substring, isPrivate: Bool) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let host = parts.first?.lowercased() else { return String(path) }
        let isHiding = isPrivate || privateHosts.contains { host == $0 || host.hasSuffix("." + $0) }
        var fewest: Int? = isHiding ? fewestRandom : nil
        let shown = parts.enumerated().map { place, part -> String in
            defer { if announcing.contains(part.lowercased()) { fewest = fewestAnnounced } }
            guard place > 0, let fewest, looksRandom(part, fewest: fewest) else { return String(part) }
            return standIn + ending(part)
        }
        return shown.joined(separator: "/")
    }

    /// Returns the file name extension, such as `.rss` or `.mp3`, which programs rely on.
    private static func ending(_ part: Substring) -> String {
        guard let dot = part.lastIndex(of: "."), part[dot...].utf8.count <= 5 else { return "" }
        return String(part[dot...])
    }

    // MARK: The query

    private static func hiddenQuery(_ query: Substring, isPrivate: Bool) -> String {
        var shown = ""
        var rest = query
        while let mark = rest.first {
            rest = rest.dropFirst()
            let pair = rest.prefix { !"&;?#".contains($0) }
            shown += String(mark) + hiddenPair(pair, isPrivate: isPrivate)
            rest = rest[pair.endIndex...]
        }
        return shown
    }

    private static func hiddenPair(_ pair: Substring, isPrivate: Bool) -> String {
        guard let sign = pair.firstIndex(of: "=") else { return looksRandom(pair) ? standIn : String(pair) }
        let (name, value) = (pair[..<sign], pair[pair.index(after: sign)...])
        guard !value.isEmpty, !value.hasPrefix(standIn) else { return String(pair) }
        let isSecret = isSecretName(name) || isPrivate && looksRandom(value)
        return isSecret ? "\(name)=\(standIn)" : String(pair)
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
