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
        /// The times of the last decision and of the last request, and the least time to the next one.
        var (last, requested): (Duration, Duration)
        var delay = Duration.seconds(1)
    }

    static let longestDelay = Duration.seconds(15)
    static let patience = (first: Duration.seconds(20), later: Duration.seconds(300))
    /// The most that counts between two decisions: the machine may have been suspended.
    private static let longestStep = Duration.seconds(10)

    /// True if sound of the playlist was played.
    private var hasPlayed = false
    /// True if the listener chose the next item, and waits for it.
    private var isChosen = false
    /// True if the item before was skipped for this reason.
    private var hasSkipped = false
    private var item: Item?
    /// True if the last decision was the first one about its item.
    var isFirst: Bool { item?.spent == .zero }

    /// Decides about the item of `generation`, whose download has failed.
    /// - Parameter isPlaying: false while the listener pauses.
    mutating func decide(_ generation: UInt32, isPlaying: Bool, at now: Duration) -> Decision {
        guard hasPlayed, !isChosen else {
            (isChosen, hasSkipped) = (false, true)
            return .skip
        }
        guard var item, item.generation == generation else {
            item = Item(generation: generation, last: now, requested: now)
            return .retry
        }
        defer { self.item = item }
        if isPlaying { item.spent += min(now - item.last, Self.longestStep) }
        item.last = now
        guard isPlaying else { return .wait }
        guard item.spent < (hasSkipped ? Self.patience.later : Self.patience.first) else {
            hasSkipped = true
            return .skip
        }
        guard now - item.requested >= item.delay else { return .wait }
        (item.requested, item.delay) = (now, min(item.delay * 2, Self.longestDelay))
        return .retry
    }

    /// Notes that sound of the playlist plays.
    mutating func begin() { hasPlayed = true }

    /// Notes that an item was read.
    mutating func succeeded() { (hasPlayed, isChosen, hasSkipped, item) = (true, false, false, nil) }

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
