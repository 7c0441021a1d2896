// SPDX-License-Identifier: GPL-3.0-or-later

/// A person of Atom (RFC 4287, 3.2), identified by name, mail address or URI.
struct PersonDraft {
    private var best = Ranked<String>()

    mutating func apply(_ leaf: FeedLeaf) {
        switch leaf.element {
        case .atomName: best.offer(leaf.line, rank: 0)
        case .atomEmail: best.offer(leaf.token, rank: 1)
        case .atomURI: best.offer(leaf.url, rank: 2)
        default: break
        }
    }

    /// Returns the person and resets the draft.
    mutating func finished() -> String? {
        defer { best = Ranked() }
        return best.value
    }
}
