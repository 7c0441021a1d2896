// SPDX-License-Identifier: GPL-3.0-or-later

/// A request to the realtime thread.
struct SchedulerRequest: BitwiseCopyable, Sendable {
    enum Purpose: BitwiseCopyable, Sendable {
        case perform(StartTime)
        case cancel
    }

    let slot: Int
    /// The order of the requests to perform.
    let order: UInt64
    let purpose: Purpose
}

/// The outcome of an action.
struct SchedulerOutcome: BitwiseCopyable, Sendable {
    let slot: Int
    /// The time at which the action was performed; `nil` if it was cancelled.
    let moment: ScheduledMoment?
}

/// An action, or none. A bare function would be wrapped again, and allocated, each time it is read from memory or
/// returned from under a lock.
struct StoredAction: Sendable {
    var perform: BlockScheduler.Action?
}

/// The occupied slots of a scheduler, with their identifiers and responses.
struct SchedulerTable {
    private struct Entry {
        let identifier: String
        let response: StoredAction
        /// The slots with the same identifier that were taken before and after this one.
        var earlier: Int?
        var later: Int?
    }

    private var entries: [Entry?]
    /// The slot taken last for each identifier.
    private var latest: [String: Int] = [:]
    private var free: [Int]
    private var order: UInt64 = 0

    init(capacity: Int) {
        entries = Array(repeating: nil, count: capacity)
        latest.reserveCapacity(capacity)
        free = (0..<capacity).reversed()
    }

    var count: Int { entries.count - free.count }

    mutating func nextOrder() -> UInt64 {
        order &+= 1
        return order
    }

    /// Takes a free slot.
    /// - Returns: the slot, or `nil` if all are taken.
    mutating func reserve(_ identifier: String, _ response: BlockScheduler.Action?) -> Int? {
        guard let slot = free.popLast() else { return nil }
        let earlier = latest.updateValue(slot, forKey: identifier)
        let held = StoredAction(perform: response)
        entries[slot] = Entry(identifier: identifier, response: held, earlier: earlier, later: nil)
        if let earlier { entries[earlier]?.later = slot }
        return slot
    }

    /// Returns the slots of an identifier, the last taken first.
    func slots(of identifier: String) -> [Int] {
        guard let last = latest[identifier] else { return [] }
        return Array(sequence(first: last) { entries[$0]?.earlier })
    }

    /// Frees a slot.
    /// - Returns: the response of its action.
    mutating func freeSlot(_ slot: Int) -> StoredAction {
        guard let entry = entries[slot] else { return StoredAction() }
        entries[slot] = nil
        if let earlier = entry.earlier { entries[earlier]?.later = entry.later }
        if let later = entry.later {
            entries[later]?.earlier = entry.earlier
        } else {
            latest[entry.identifier] = entry.earlier
        }
        free.append(slot)
        return entry.response
    }
}
