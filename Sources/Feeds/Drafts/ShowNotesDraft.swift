// SPDX-License-Identifier: GPL-3.0-or-later

/// The texts of an item. Publishers disagree about which of them holds the show notes, so all are kept until the end.
struct ShowNotesDraft {
    private var encoded: FeedText?
    private var content: FeedText?
    private var body: FeedText?
    private var described: FeedText?
    private var summary: FeedText?
    private var subtitle: FeedText?
    private var atomSummary: FeedText?
    /// The text from rarely used vocabularies, best first by rank.
    private var other = Ranked<FeedText>()

    mutating func apply(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .contentEncoded: Self.keep(leaf, in: &encoded)
        case .atomContent: Self.keep(leaf, in: &content)
        case .xhtmlBody: Self.keep(leaf, in: &body)
        case .description: Self.keep(leaf, in: &described)
        case .itunesSummary: Self.keep(leaf, in: &summary)
        case .itunesSubtitle: Self.keep(leaf, in: &subtitle)
        case .atomSummary: Self.keep(leaf, in: &atomSummary)
        case .googleplayDescription: offer(leaf, rank: 0)
        case .dcDescription: offer(leaf, rank: 1)
        case .mediaDescription: offer(leaf, rank: 2)
        case .mediaText: offer(leaf, rank: 3)
        default: break
        }
    }

    /// The short text, without markup.
    var description: String? {
        first(\.line, of: [summary, described, subtitle, atomSummary, other.value])
    }

    /// The richest text that is not empty.
    var contentHTML: String? {
        first(\.html, of: [encoded, content, body])
            ?? first({ $0.isMarkedUp ? $0.html : nil }, of: [described, summary, atomSummary])
            ?? first(\.html, of: [described, summary, atomSummary, other.value, subtitle])
    }

    /// Computes each text at most once, which `lazy` does not.
    private func first(_ text: (FeedText) -> String?, of candidates: [FeedText?]) -> String? {
        for case let candidate? in candidates {
            if let text = text(candidate) { return text }
        }
        return nil
    }

    private mutating func offer(_ leaf: FeedLeaf, rank: Int) {
        var text: FeedText?
        Self.keep(leaf, in: &text)
        other.offer(text, rank: rank)
    }

    private static func keep(_ leaf: FeedLeaf, in field: inout FeedText?) {
        guard field == nil, !leaf.text.allSatisfy(ASCII.isSpace) else { return }
        field = leaf.words
    }
}
