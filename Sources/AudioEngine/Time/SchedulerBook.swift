// SPDX-License-Identifier: GPL-3.0-or-later

/// What the realtime thread is asked for.
struct SchedulerRequest: BitwiseCopyable, Sendable {
    enum Purpose: BitwiseCopyable, Sendable {
        case perform(StartTime)
        case cancel
    }

    let slot: Int
    /// Counts the requests to perform.
    let order: UInt64
    let purpose: Purpose
}

/// What became of an action.
struct SchedulerOutcome: BitwiseCopyable, Sendable {
    let slot: Int
    /// When it was performed; `nil`: cancelled.
    let moment: ScheduledMoment?
}

/// Which slots of a scheduler are taken, and by whom.
struct SchedulerBook {
    private struct Entry {
        let identifier: String
        let response: BlockScheduler.Action?
    }

    private var entries: [Int: Entry] = [:]
    private var slotsByIdentifier: [String: Set<Int>] = [:]
    private var free: [Int]
    private var order: UInt64 = 0

    init(capacity: Int) { free = (0..<capacity).reversed() }

    var count: Int { entries.count }

    mutating func nextOrder() -> UInt64 {
        order &+= 1
        return order
    }

    /// - Returns: a slot, or `nil` where all are taken.
    mutating func take(_ identifier: String, _ response: BlockScheduler.Action?) -> Int? {
        guard let slot = free.popLast() else { return nil }
        entries[slot] = Entry(identifier: identifier, response: response)
        slotsByIdentifier[identifier, default: []].insert(slot)
        return slot
    }

    func slots(of identifier: String) -> Set<Int> { slotsByIdentifier[identifier] ?? [] }

    mutating func giveBack(_ slot: Int) -> BlockScheduler.Action? {
        guard let entry = entries.removeValue(forKey: slot) else { return nil }
        slotsByIdentifier[entry.identifier]?.remove(slot)
        if slotsByIdentifier[entry.identifier]?.isEmpty == true { slotsByIdentifier[entry.identifier] = nil }
        free.append(slot)
        return entry.response
    }
}
