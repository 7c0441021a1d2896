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

/// The recipients of an unfinished `podcast:value`.
struct ValueDraft {
    private var recipients: [ParsedValue.Recipient] = []

    mutating func applyRecipient(_ leaf: FeedLeaf) {
        guard let address = leaf.token("address") else { return }
        var recipient = ParsedValue.Recipient(address: address)
        recipient.name = leaf.line("name")
        recipient.type = leaf.token("type")
        recipient.customKey = leaf.token("customkey")
        recipient.customValue = leaf.token("customvalue")
        recipient.split = leaf.ordinal("split")
        recipient.isFee = leaf.flag("fee") ?? false
        recipients.append(recipient)
    }

    /// - Parameter leaf: the `podcast:value` itself.
    mutating func finished(_ leaf: FeedLeaf) -> ParsedValue? {
        defer { recipients = [] }
        guard let type = leaf.token("type") else { return nil }
        var value = ParsedValue(type: type, method: leaf.token("method"), suggested: leaf.token("suggested"))
        value.recipients = recipients
        return value
    }
}
