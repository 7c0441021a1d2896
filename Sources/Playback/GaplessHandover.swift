// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// When the next item of the playlist is opened, so that its first frame is in the ring before the last frame of the
/// current one is heard. A pure decision.
public enum GaplessHandover {
    /// How long before the end of the current item the next one is opened at the latest.
    public static let lead = Duration.seconds(20)

    /// - Parameters:
    ///   - current: how far the item being read has arrived.
    ///   - remaining: the time from the place being heard to the item's end; `nil` while unknown.
    public static func opensNext(current: Arrival, remaining: Duration?) -> Bool {
        switch current.condition {
        case .complete, .failed: true
        case .connecting, .receiving, .backingOff: remaining.map { $0 <= lead } ?? false
        }
    }
}
