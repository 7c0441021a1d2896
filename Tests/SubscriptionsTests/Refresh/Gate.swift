// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Feeds
import Subscriptions
import Synchronization

/// Blocks every thread that reaches it until it is opened.
final class Gate: Sendable {
    private let reached = Atomic<Bool>(false)
    private let isOpen = DispatchSemaphore(value: 0)

    var isReached: Bool { reached.load(ordering: .acquiring) }

    func open() { isOpen.signal() }

    func pass() {
        reached.store(true, ordering: .releasing)
        isOpen.wait()
        isOpen.signal()
    }
}

struct GatedSink: FeedSink {
    let gate: Gate

    func receive(_ episodes: [ParsedEpisode]) { gate.pass() }
    func finished(_ feed: ParsedFeed) {}
    func abandoned() {}
}
