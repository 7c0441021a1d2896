// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// When the next item of the playlist is opened, so that its first frame is in the ring before the last frame of the
/// current one is heard: but not as long as it would take bytes from the current one that are missed. A pure decision.
public enum GaplessHandover {
    /// How long before the end of the current item the next one is opened at the latest, and how much sound is kept in
    /// hand where items are short.
    public static let lead = Duration.seconds(20)
    /// How many items may be open behind the one being read: each has a file and perhaps a connection.
    public static let mostAhead = 12

    /// Whether one more item is opened.
    /// - Parameters:
    ///   - current: how far the item being read has arrived.
    ///   - isSafe: whether that item would not miss the bytes that one more takes from it.
    ///   - remaining: the time from what the device takes next to that item's end; `nil` while unknown.
    ///   - ahead: how long each item opened behind it lasts; `nil` while unknown, which counts as nothing.
    public static func opensNext(
        current: Arrival, isSafe: @autoclosure () -> Bool, remaining: Duration?, ahead: [Duration?]
    ) -> Bool {
        guard ahead.count < mostAhead else { return false }
        let isDue = ahead.isEmpty
            ? current.isOver || remaining.map { $0 <= lead } ?? false
            : ahead.reduce(remaining ?? .zero) { $0 + ($1 ?? .zero) } < lead
        return isDue && (current.isOver || isSafe())
    }
}
