// SPDX-License-Identifier: GPL-3.0-or-later

/// An act that was undone, and what of it could not be restored.
public struct Undoing: Sendable, Equatable {
    /// A kind of row that the listener knows.
    public enum Loss: String, Sendable, CaseIterable {
        case download, bookmark, playback
        case podcast
        case queueEntry = "queue_entry"
    }

    public let act: Act
    /// How many rows of each kind stay away, for their episode or podcast is no longer in the library.
    public private(set) var lost: [Loss: Int] = [:]
    /// Whether anything is as it was before the act.
    public private(set) var hasRestored = false

    init(act: Act) { self.act = act }

    mutating func note(_ statement: String, changes: Int) {
        guard changes == 0 else { return hasRestored = true }
        guard let loss = InverseRecorder.tableRestored(by: statement).flatMap(Loss.init(rawValue:)) else { return }
        // What was played since is off the queue: its place there is not missed.
        if loss == .queueEntry && !statement.hasPrefix("INSERT") { return }
        lost[loss, default: 0] += 1
    }
}
