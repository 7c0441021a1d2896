// SPDX-License-Identifier: GPL-3.0-or-later

/// Addresses of feeds as people and pages write them.
enum FeedScheme {
    private static let feedSchemes = ["feed", "itpc", "pcast", "podcast", "rss"]

    /// `feed://host/x`, `feed:https://host/x`, `itpc://host/x` and `host.example/x` as addresses that can be fetched;
    /// any other text as it is.
    static func webAddress(_ text: String) -> String {
        let trimmed = text.drop(while: \.isWhitespace)
        guard let colon = trimmed.firstIndex(of: ":") else { return "https://" + trimmed }
        let rest = trimmed[trimmed.index(after: colon)...]
        if feedSchemes.contains(trimmed[..<colon].lowercased()) {
            // They are older than https everywhere: lists of feeds mean http by them, too.
            return rest.hasPrefix("//") ? "http:" + rest : String(rest)
        }
        // A name and a password, or a port, of a host without a scheme.
        return rest.hasPrefix("//") ? String(trimmed) : "https://" + trimmed
    }
}
