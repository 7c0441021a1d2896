// SPDX-License-Identifier: GPL-3.0-or-later

extension Transcript {
    /// Returns the best of an episode's links: in the first of the languages that has one, and in the format with the
    /// most information.
    ///
    /// - Parameters:
    ///   - links: the links of the feed. One without a language has the language of the feed.
    ///   - languages: language tags (BCP 47), the most wanted first; usually that of the feed.
    /// - Returns: `nil` if the episode has no link to a format that can be read.
    public static func choice(of links: [ParsedTranscript], languages: [String]) -> ParsedTranscript? {
        var best = Ranked<ParsedTranscript>()
        for link in links {
            guard let format = formatRank(link) else { continue }
            let rank = languageRank(link.language, in: languages) * 8 + format
            best.offer(link, rank: rank)
        }
        return best.value
    }

    /// - Returns: `nil` for formats that cannot be read; the last rank if the link declares no format.
    private static func formatRank(_ link: ParsedTranscript) -> Int? {
        if let format = TranscriptFormat(type: link.type, url: link.url) { return format.rawValue }
        let isUnspecific = link.type.map { $0.hasPrefix("text/") || $0 == "application/octet-stream" } ?? true
        return isUnspecific ? TranscriptFormat.allCases.count : nil
    }

    /// Returns the place of the language in the list; the same region comes before other regions of the language.
    private static func languageRank(_ language: String?, in languages: [String]) -> Int {
        guard let language else { return 0 }
        let tags = languages.map { $0.lowercased().replacing("_", with: "-") }
        let tag = language.lowercased().replacing("_", with: "-")
        let primary = tag.prefix { $0 != "-" }
        if let place = tags.firstIndex(of: tag) { return place * 2 }
        if let place = tags.firstIndex(where: { $0.prefix { $0 != "-" } == primary }) { return place * 2 + 1 }
        return tags.count * 2
    }
}
