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
        let candidates = [summary, described, subtitle, atomSummary, other.value]
        return candidates.lazy.compactMap { $0?.line }.first
    }

    /// The richest text that is not empty.
    var contentHTML: String? {
        let markedUp = [described, summary, atomSummary].lazy.map { $0.flatMap { $0.isMarkedUp ? $0 : nil } }
        return first(of: [encoded, content, body]) ?? first(of: markedUp)
            ?? first(of: [described, summary, atomSummary, other.value, subtitle])
    }

    private func first(of candidates: some Sequence<FeedText?>) -> String? {
        candidates.lazy.compactMap { $0?.html }.first
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
