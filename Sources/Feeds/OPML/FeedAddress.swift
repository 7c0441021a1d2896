// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Parses the text that users and programs write as a feed's address.
public enum FeedAddress {
    struct Refused: Error {
        let reason: OPML.Refusal.Reason
    }

    /// - Returns: an absolute http or https URL.
    static func judge(_ text: some Collection<UInt8>) -> Result<String, Refused> {
        let address = withoutFeedScheme(Array(ASCII.trimmed(Array(text))))
        guard !address.isEmpty else { return .failure(Refused(reason: .noAddress)) }
        let written = WebURL(String(text: address))
        let scheme = written.scheme
        if let scheme, scheme != "http", scheme != "https" {
            return .failure(Refused(reason: .scheme(FeedRepair.quoted(scheme.utf8))))
        }
        guard let url = WebURL.resolve(address, base: nil) else {
            let text = FeedRepair.quoted(written.withoutUserInfo.text.utf8)
            return .failure(Refused(reason: scheme == nil ? .notURL(text) : .noHost))
        }
        return isApplePage(url) ? .failure(Refused(reason: .applePage)) : .success(url)
    }

    /// Returns `feed://host/x`, `feed:https://host/x`, `itpc://host/x` and `host.example/x` as addresses that can be
    /// fetched; any other text unchanged but for white space before it.
    public static func typed(_ text: String) -> String {
        let written = Array(text.drop(while: \.isWhitespace).utf8)
        let address = withoutFeedScheme(written)
        let meant = String(decoding: address, as: UTF8.self)
        guard address == written else { return meant }
        let url = WebURL(meant)
        // Without `//`, a colon belongs to credentials or to the port of a host without a scheme.
        guard url.host != nil else { return "https://" + meant }
        return url.scheme == nil ? "https:" + meant : meant
    }

    /// Removes the scheme of `feed:https://…`, `feed://…`, `pcast://…` or `itpc://…`, which were used to start
    /// podcast programs. They predate the general use of https, so an address after two slashes is http.
    static func withoutFeedScheme(_ address: [UInt8]) -> [UInt8] {
        let schemes: [StaticString] = ["feed:", "pcast:", "itpc:", "podcast:", "rss:"]
        let found = schemes.first { ASCII.equalsIgnoringCase(address.prefix($0.utf8CodeUnitCount), $0) }
        guard let found else { return address }
        let rest = Array(address.dropFirst(found.utf8CodeUnitCount))
        return rest.starts(with: "//".utf8) ? Array("http:".utf8) + rest : withoutFeedScheme(rest)
    }

    private static func isApplePage(_ url: String) -> Bool {
        ["podcasts.apple.com", "itunes.apple.com", "geo.itunes.apple.com", "embed.podcasts.apple.com"]
            .contains(WebURL(url).host?.lowercased())
    }
}
