// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The rule for an item whose turn has come, but whose download failed before its first sound: the network may be gone
/// for a moment, and it may have failed long before its turn. A pure value.
///
/// The first item of a playlist, and one that the listener chose, fails immediately: the listener waits for it. Another
/// one is requested again, ever less often, and skipped after 20 seconds. The item after a skipped one is requested for
/// five minutes: if the network is gone, the rest of the playlist must not be skipped.
struct StartRetries: Sendable {
    enum Decision: Sendable, Equatable { case wait, retry, skip }

    private struct Item {
        /// The generation of its frames.
        let generation: UInt32
        /// The time spent on it while playing.
        var spent = Duration.zero
        /// The time of the last decision, and true if playback was not paused then.
        var last: Duration
        var wasPlaying = false
        /// The time of the last request, the number of requests, and the least time to the next one.
        var requested: Duration?
        var requests = 0
        var delay = Duration.seconds(1)
    }

    private static let longestDelay = Duration.seconds(15)
    private static let patience = (first: Duration.seconds(20), later: Duration.seconds(300))
    /// The most that counts between two decisions, and the time after which the machine was certainly suspended: an
    /// item is requested before it is skipped then.
    private static let (longestStep, suspension) = (Duration.seconds(10), Duration.seconds(60))

    /// True if sound of the playlist was played.
    private var hasPlayed = false
    /// True if the listener chose the next item, and waits for it.
    private var isChosen = false
    /// True if the item before was skipped for this reason.
    private var hasSkipped = false
    private var item: Item?
    /// True if the item was requested once.
    var isFirst: Bool { item?.requests == 1 }

    /// Decides about the item of `generation`, whose download has failed.
    /// - Parameter isPlaying: false while the listener pauses.
    mutating func decide(_ generation: UInt32, isPlaying: Bool, at now: Duration) -> Decision {
        guard hasPlayed, !isChosen else {
            (isChosen, hasSkipped) = (false, true)
            return .skip
        }
        var item = item.flatMap { $0.generation == generation ? $0 : nil } ?? Item(generation: generation, last: now)
        defer { self.item = item }
        let passed = now - item.last
        if isPlaying, item.wasPlaying { item.spent += min(passed, Self.longestStep) }
        (item.last, item.wasPlaying) = (now, isPlaying)
        guard isPlaying else { return .wait }
        let isDue = item.requested.map { now - $0 >= item.delay } ?? true
        let isOver = item.spent >= (hasSkipped ? Self.patience.later : Self.patience.first)
        if isOver, !isDue || passed < Self.suspension {
            hasSkipped = true
            return .skip
        }
        guard isDue else { return .wait }
        if item.requests > 0 { item.delay = min(item.delay * 2, Self.longestDelay) }
        (item.requested, item.requests) = (now, item.requests + 1)
        return .retry
    }

    /// Notes that sound of the playlist plays.
    mutating func begin() { hasPlayed = true }

    /// Notes that an item was read.
    mutating func succeeded() { (hasPlayed, isChosen, hasSkipped, item) = (true, false, false, nil) }

    /// Notes that an item failed for another reason.
    mutating func failed() { isChosen = false }

    /// Notes that the listener chose the next item.
    mutating func choose() { (isChosen, item) = (true, nil) }
}

extension PlaybackLoop {
    /// Requests the item whose turn has come again, or gives it up, if its download failed before its first sound.
    func retryStart() {
        guard let item = audio.readingItem, let failure = item.startLoss else { return }
        if audio.items.contains(where: \.frames.hasBegun) { starts.begin() }
        switch starts.decide(item.generation, isPlaying: machine.intent == .play, at: now) {
        case .wait: return
        case .retry:
            if starts.isFirst { emit(.startRetried(item.item, failure)) }
            item.reader.source.retry()
        case .skip:
            item.fail(failure)
            seeks.end()
            seeks.removeDeferred()
        }
        hasActed = true
    }
}
