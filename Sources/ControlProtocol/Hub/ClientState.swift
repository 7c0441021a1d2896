// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The state of a connection in the owner.
struct ClientState: Sendable {
    /// The most requests that wait for a reply; further ones stay unread.
    static let mostUnanswered = 64

    var splitter = LineSplitter()
    /// Lines that were received but not handled yet, at most those of one chunk.
    var lines: ArraySlice<LineSplitter.Line> = []
    /// True after the client closed its side for writing.
    var inputHasEnded = false
    /// True after the client closed its connection, so that nothing can be sent to it.
    var hasHungUp = false
    var unanswered = 0
    var outbox = Outbox()
    /// The last time at which the client read, while the outbox is full.
    var fullSince: Duration?
    var subscription: EventSubscription?
    /// The number of requests to unsubscribe so far: each ends also the subscriptions before it that await a snapshot.
    var unsubscriptions = 0
    /// True while a snapshot after a gap is requested from the owner.
    var awaitsSnapshot = false

    /// True if the next request must wait.
    var isBlocked: Bool { outbox.isFull || unanswered >= Self.mostUnanswered }

    /// True if the server should read more bytes.
    var wantsInput: Bool { !inputHasEnded && lines.isEmpty && !isBlocked }

    /// True if nothing more can happen: the client sends no more requests, has all replies, and gets no events.
    var isFinished: Bool {
        inputHasEnded && lines.isEmpty && unanswered == 0 && (hasHungUp || outbox.isEmpty && subscription == nil)
    }

    /// True if a snapshot should be requested because the client has read everything before a gap.
    var needsSnapshot: Bool { outbox.hasGap && outbox.isEmpty && !awaitsSnapshot && subscription != nil }

    mutating func updateFullSince(_ now: Duration) { fullSince = outbox.isFull ? fullSince ?? now : nil }
}
