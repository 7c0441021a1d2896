// SPDX-License-Identifier: GPL-3.0-or-later

/// The normalization of feed addresses as people and web pages write them.
enum FeedScheme {
    private static let feedSchemes = ["feed", "itpc", "pcast", "podcast", "rss"]

    /// Returns `feed://host/x`, `feed:https://host/x`, `itpc://host/x` and `host.example/x` as addresses that can be
    /// fetched; any other text unchanged.
    static func webAddress(_ text: String) -> String {
        let trimmed = text.drop(while: \.isWhitespace)
        guard let colon = trimmed.firstIndex(of: ":") else { return "https://" + trimmed }
        let rest = trimmed[trimmed.index(after: colon)...]
        if feedSchemes.contains(trimmed[..<colon].lowercased()) {
            // These schemes predate the general use of https; lists of feeds also mean http by them.
            return rest.hasPrefix("//") ? "http:" + rest : String(rest)
        }
        // Without `//`, the colon belongs to credentials or to the port of a host without a scheme.
        return rest.hasPrefix("//") ? String(trimmed) : "https://" + trimmed
    }
}
