// SPDX-License-Identifier: GPL-3.0-or-later

/// The result of undoing an act, with the rows that could not be restored.
public struct UndoResult: Sendable, Equatable {
    /// A kind of row that the listener knows.
    public enum Loss: String, Sendable, CaseIterable {
        case download, bookmark, playback
        case podcast
        case queueEntry = "queue_entry"
    }

    public let act: Act
    /// The number of rows of each kind that were not restored, because their episode or podcast is no longer in the
    /// library.
    public private(set) var lost: [Loss: Int] = [:]
    /// True if at least one row was restored.
    public private(set) var hasRestored = false

    init(act: Act) { self.act = act }

    mutating func note(_ statement: String, changes: Int) {
        guard changes == 0 else { return hasRestored = true }
        guard let loss = UndoRecorder.tableRestored(by: statement).flatMap(Loss.init(rawValue:)) else { return }
        // An episode played since is no longer in the queue; its lost rank is not reported.
        if loss == .queueEntry && !statement.hasPrefix("INSERT") { return }
        lost[loss, default: 0] += 1
    }
}
