// SPDX-License-Identifier: GPL-3.0-or-later

/// The unsent lines of a client: bounded, however slowly the client reads.
///
/// A newer event replaces an unsent one with the same key. If the unsent events exceed the limit, all of them are
/// dropped: the client gets a `gap` with a snapshot when it has read the rest. Replies are never dropped; instead the
/// server stops reading requests while the replies exceed the limit.
struct Outbox: Sendable {
    private struct Entry {
        let bytes: [UInt8]
        let isReply: Bool
        /// The key of an event that a newer one replaces.
        let key: String?
    }

    /// The most bytes of unsent events, and of replies while requests are read.
    static let limit = 256 * 1024

    private var entries: [Entry] = []
    /// The index of the first unsent entry, and the number of its bytes that were sent.
    private var first = 0
    private var sent = 0
    private(set) var replyBytes = 0
    private(set) var eventBytes = 0
    /// True after events were dropped, until `endGap`.
    private(set) var hasGap = false

    var isEmpty: Bool { first == entries.count }

    /// True while the server must not read requests.
    var isFull: Bool { replyBytes >= Self.limit }

    mutating func append(reply bytes: [UInt8]) {
        entries.append(Entry(bytes: bytes, isReply: true, key: nil))
        replyBytes += bytes.count
    }

    /// Appends an event; drops it and all other unsent events if they exceed the limit.
    mutating func append(event bytes: [UInt8], key: String?) {
        guard !hasGap else { return }
        if let key { removeEvent(key) }
        guard eventBytes + bytes.count <= Self.limit else { return beginGap() }
        entries.append(Entry(bytes: bytes, isReply: false, key: key))
        eventBytes += bytes.count
    }

    /// Accepts events again; the client knows the state up to here.
    mutating func endGap() { hasGap = false }

    /// The unsent bytes of the first line; `nil` if all lines were sent.
    var next: ArraySlice<UInt8>? { isEmpty ? nil : entries[first].bytes[sent...] }

    /// Removes bytes that were sent.
    /// - Parameter count: at most the length of `next`.
    mutating func remove(_ count: Int) {
        sent += count
        guard !isEmpty, sent == entries[first].bytes.count else { return }
        forget(entries[first])
        // Frees the bytes; the entry is removed together with others.
        entries[first] = Entry(bytes: [], isReply: false, key: nil)
        (first, sent) = (first + 1, 0)
        if isEmpty {
            entries.removeAll(keepingCapacity: first < 64)
            first = 0
        } else if first >= 64, first * 2 >= entries.count {
            entries.removeSubrange(..<first)
            first = 0
        }
    }

    private mutating func forget(_ entry: Entry) {
        if entry.isReply { replyBytes -= entry.bytes.count } else { eventBytes -= entry.bytes.count }
    }

    /// The index of the first line of which no byte was sent; the rest of another line must follow.
    private var firstUnstarted: Int { sent > 0 ? first + 1 : first }

    private mutating func removeEvent(_ key: String) {
        guard let index = entries[firstUnstarted...].lastIndex(where: { $0.key == key }) else { return }
        forget(entries.remove(at: index))
    }

    private mutating func beginGap() {
        hasGap = true
        let kept = entries[..<firstUnstarted] + entries[firstUnstarted...].filter(\.isReply)
        entries = Array(kept)
        eventBytes = entries[first...].reduce(0) { $0 + ($1.isReply ? 0 : $1.bytes.count) }
    }
}
