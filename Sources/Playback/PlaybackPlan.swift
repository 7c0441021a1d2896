// SPDX-License-Identifier: GPL-3.0-or-later

/// The items tried since the one now heard, in the order in which they are played: what the readers and the ring were
/// filled with. A pure value.
struct PlaybackPlan: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        let id: PlaybackItem.ID
        /// Of its frames; `nil` where it was not opened.
        var generation: UInt32?
        var hasFailed = false
    }

    private(set) var steps: [Step] = []
    /// Items that failed since something could be played.
    private var failuresInARow = 0

    // MARK: What happened

    mutating func opened(_ id: PlaybackItem.ID, generation: UInt32) {
        steps.append(Step(id: id, generation: generation))
    }

    mutating func failedToOpen(_ id: PlaybackItem.ID) {
        steps.append(Step(id: id, hasFailed: true))
        failuresInARow += 1
    }

    /// Nothing of the item will be heard.
    mutating func failed(_ generation: UInt32) {
        failuresInARow += 1
        for index in steps.indices where steps[index].generation == generation { steps[index].hasFailed = true }
    }

    /// An item is in the ring.
    mutating func succeeded() { failuresInARow = 0 }

    /// What was planned before `generation` is over.
    mutating func forget(before generation: UInt32?) {
        guard let generation, let place = steps.firstIndex(where: { $0.generation == generation }) else { return }
        steps.removeFirst(place)
    }

    /// Everything begins anew at this item.
    mutating func restart(at id: PlaybackItem.ID, generation: UInt32?) {
        steps = [Step(id: id, generation: generation)]
        failuresInARow = 0
    }

    mutating func clear() { self = PlaybackPlan() }

    // MARK: What comes next

    /// What is opened next. Where a playlist repeats, but all of it has failed one after the other, that is nothing.
    func successor(in queue: PlaybackQueue) -> PlaybackQueue.Successor {
        if queue.repeatMode != .off, failuresInARow > 0, failuresInARow >= queue.count { return .none }
        return queue.successor(of: steps.last?.id, hasFailed: steps.last?.hasFailed ?? false)
    }

    /// Drops what no longer follows in `queue`, which has changed.
    /// - Returns: the first generation dropped; `nil` where all that was opened still follows.
    mutating func follow(_ queue: PlaybackQueue) -> UInt32? {
        failuresInARow = 0
        let wrong = zip(steps, steps.dropFirst()).enumerated().first { pair in
            let (step, next) = pair.element
            guard case .item(let item) = queue.successor(of: step.id, hasFailed: step.hasFailed) else { return true }
            return item.id != next.id
        }
        guard let wrong else { return nil }
        let dropped = steps[(wrong.offset + 1)...].lazy.compactMap(\.generation).first
        steps.removeSubrange((wrong.offset + 1)...)
        return dropped
    }

    /// Drops `generation` and what was planned behind it.
    mutating func drop(from generation: UInt32) {
        guard let place = steps.firstIndex(where: { $0.generation.map { $0 >= generation } ?? false }) else { return }
        steps.removeSubrange(place...)
    }
}
