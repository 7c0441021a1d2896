// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The rule that decides when the next item of the playlist is opened. Its first frame must be in the ring before the
/// last frame of the current item is played, but its download must not cause the current one to stall. A pure
/// function.
public enum GaplessHandover {
    /// The time before the end of the current item at which the next one is opened at the latest, and the playing
    /// time to keep opened ahead if items are short.
    public static let lead = Duration.seconds(20)
    /// The maximum number of items opened after the one being read: each has a file and perhaps a connection.
    public static let mostAhead = 12

    /// Returns true if one more item is opened now.
    /// - Parameters:
    ///   - current: the download progress of the item being read.
    ///   - isSafe: true if that item can spare the bytes that one more item takes from it.
    ///   - remaining: the time from the next frame for the device to that item's end; `nil` while unknown.
    ///   - ahead: the duration of each item opened after it; `nil` while unknown, which counts as 0.
    public static func opensNext(
        current: DownloadProgress, isSafe: @autoclosure () -> Bool, remaining: Duration?, ahead: [Duration?]
    ) -> Bool {
        guard ahead.count < mostAhead else { return false }
        let isDue = ahead.isEmpty
            ? current.isOver || remaining.map { $0 <= lead } ?? false
            : ahead.reduce(remaining ?? .zero) { $0 + ($1 ?? .zero) } < lead
        return isDue && (current.isOver || isSafe())
    }
}
