// SPDX-License-Identifier: GPL-3.0-or-later

/// The items tried since the current one, in playback order: the contents of the readers and the ring. A pure value.
struct PlaybackPlan: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        let id: PlaybackItem.ID
        /// The generation of its frames; `nil` if it was not opened.
        var generation: UInt32?
        var hasFailed = false
    }

    private(set) var steps: [Step] = []
    /// The number of items that failed since one could last be played.
    private var failuresInARow = 0
    /// True after `previous`: if the item fails, the one before it follows.
    var isBackward = false

    // MARK: Events

    mutating func opened(_ id: PlaybackItem.ID, generation: UInt32) {
        steps.append(Step(id: id, generation: generation))
    }

    mutating func failedToOpen(_ id: PlaybackItem.ID) {
        steps.append(Step(id: id, hasFailed: true))
        failuresInARow += 1
    }

    /// Marks an item of which no frame will be played.
    mutating func failed(_ generation: UInt32) {
        failuresInARow += 1
        for index in steps.indices where steps[index].generation == generation { steps[index].hasFailed = true }
    }

    /// Notes that an item is in the ring.
    mutating func succeeded() { failuresInARow = 0 }

    /// Removes the steps before `generation`.
    mutating func forget(before generation: UInt32?) {
        guard let generation, let place = steps.firstIndex(where: { $0.generation == generation }) else { return }
        steps.removeFirst(place)
    }

    /// Restarts the plan at this item.
    mutating func restart(at id: PlaybackItem.ID, generation: UInt32?) {
        steps = [Step(id: id, generation: generation)]
        (failuresInARow, isBackward) = (0, false)
    }

    mutating func clear() { self = PlaybackPlan() }

    // MARK: Successors

    /// Returns the next item to open; none if the playlist repeats but all its items have failed in a row.
    func successor(in queue: PlaybackQueue) -> PlaybackQueue.Successor {
        if queue.repeatMode != .off, failuresInARow > 0, failuresInARow >= queue.count { return .none }
        if isBackward, steps.allSatisfy(\.hasFailed), let before = steps.last.flatMap({ queue.predecessor(of: $0.id) }),
            !contains(before.id)
        {
            return .item(before)
        }
        return queue.successor(of: steps.last?.id, hasFailed: steps.last?.hasFailed ?? false)
    }

    /// True if the item was tried since the current one: it is played before it can be played again.
    func contains(_ id: PlaybackItem.ID) -> Bool { steps.contains { $0.id == id } }

    /// Drops the steps that no longer follow in the changed `queue`.
    /// - Returns: the first generation dropped; `nil` if all opened items still follow.
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

    /// Drops `generation` and the steps after it.
    mutating func drop(from generation: UInt32) {
        guard let place = steps.firstIndex(where: { $0.generation.map { $0 >= generation } ?? false }) else { return }
        steps.removeSubrange(place...)
    }
}
