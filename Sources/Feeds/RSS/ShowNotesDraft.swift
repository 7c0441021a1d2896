// SPDX-License-Identifier: GPL-3.0-or-later

/// The texts of an item: publishers disagree about which of them is the one to read, so all are kept until the end.
struct ShowNotesDraft {
    private var encoded: [UInt8]?
    private var content: [UInt8]?
    private var described: [UInt8]?
    private var summary: [UInt8]?
    private var subtitle: [UInt8]?
    private var atomSummary: [UInt8]?

    mutating func take(_ leaf: FeedLeaf, _ element: FeedElement) {
        switch element {
        case .contentEncoded: Self.keep(leaf.text, in: &encoded)
        case .atomContent: Self.keep(leaf.text, in: &content)
        case .description: Self.keep(leaf.text, in: &described)
        case .itunesSummary: Self.keep(leaf.text, in: &summary)
        case .itunesSubtitle: Self.keep(leaf.text, in: &subtitle)
        case .atomSummary: Self.keep(leaf.text, in: &atomSummary)
        default: break
        }
    }

    /// The short text, without markup.
    var description: String? {
        [summary, described, subtitle, atomSummary].lazy.compactMap { $0.flatMap(PlainText.line) }.first
    }

    /// The richest text that is not empty.
    func contentHTML(base: String?) -> String? {
        let markedUp = [described, summary].map { $0.flatMap { HTMLCleaner.isMarkedUp($0) ? $0 : nil } }
        let candidates = [encoded, content] + markedUp + [described, summary, atomSummary, subtitle]
        return candidates.lazy.compactMap { $0.flatMap { HTMLCleaner.clean($0, base: base) } }.first
    }

    private static func keep(_ text: [UInt8], in field: inout [UInt8]?) {
        guard field == nil, !text.allSatisfy(ASCII.isSpace) else { return }
        field = text
    }
}
