// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses the text that users and programs write as a feed's address.
enum FeedAddress {
    struct Refused: Error {
        let reason: OPML.Refusal.Reason
    }

    /// - Returns: an absolute http or https URL.
    static func judge(_ text: some Collection<UInt8>) -> Result<String, Refused> {
        let address = withoutFeedScheme(Array(ASCII.trimmed(Array(text))))
        guard !address.isEmpty else { return .failure(Refused(reason: .noAddress)) }
        let parts = URLParts(address)
        guard let scheme = parts.scheme else {
            guard parts.authority != nil, let url = WebURL.resolve(address, base: nil) else {
                return .failure(Refused(reason: .relativeAddress))
            }
            return isApplePage(URLParts(Array(url.utf8))) ? .failure(Refused(reason: .applePage)) : .success(url)
        }
        guard scheme == "http" || scheme == "https" else {
            return .failure(Refused(reason: .scheme(FeedRepair.quoted(scheme.utf8))))
        }
        guard let url = WebURL.resolve(address, base: nil) else { return .failure(Refused(reason: .noHost)) }
        return isApplePage(parts) ? .failure(Refused(reason: .applePage)) : .success(url)
    }

    /// Returns a key that is equal for addresses that most servers treat alike: those that differ only in the scheme,
    /// the case of the host or a trailing slash.
    static func key(_ url: String) -> String {
        let parts = URLParts(Array(url.utf8))
        var key = ASCII.lowercasedString(parts.authority ?? []) + String(decoding: parts.path, as: UTF8.self)
        while key.hasSuffix("/") { key.removeLast() }
        return key + (parts.query.map { "?" + String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// Removes the scheme of `feed:https://…`, `feed://…`, `pcast://…` or `itpc://…`, which were used to start
    /// podcast programs.
    static func withoutFeedScheme(_ address: [UInt8]) -> [UInt8] {
        let schemes: [StaticString] = ["feed:", "pcast:", "itpc:", "podcast:", "rss:"]
        let found = schemes.first { ASCII.equalsIgnoringCase(address.prefix($0.utf8CodeUnitCount), $0) }
        guard let found else { return address }
        let rest = Array(address.dropFirst(found.utf8CodeUnitCount))
        return rest.starts(with: "//".utf8) ? Array("http:".utf8) + rest : withoutFeedScheme(rest)
    }

    private static func isApplePage(_ parts: URLParts) -> Bool {
        let host = ASCII.lowercasedString((parts.authority ?? []).prefix { $0 != UInt8(ascii: ":") })
        return ["podcasts.apple.com", "itunes.apple.com", "geo.itunes.apple.com", "embed.podcasts.apple.com"]
            .contains(host)
    }
}
