// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The time at which playback pauses for the night.
public enum SleepTimer: Sendable, Equatable {
    /// After this much played time. The sound fades out over the last 20 seconds.
    case after(Duration)
    /// After the last frame of the current item, or of the `count`th item from it on. The sound does not fade.
    case endOfItem(count: Int)

    /// The next timer of a key that steps through the usual ones: 30 minutes, 60 minutes, end of the item, off.
    static func next(after timer: SleepTimer?) -> SleepTimer? {
        switch timer {
        case nil: .after(.seconds(1800))
        case .after(.seconds(1800)): .after(.seconds(3600))
        case .after: .endOfItem(count: 1)
        case .endOfItem: nil
        }
    }
}

/// A running sleep timer. A pure value: it counts played time and items.
struct SleepCountdown: Sendable, Equatable {
    /// The duration of the fade, and the gain at its end.
    static let fade = Duration.seconds(20)
    private static let lowestGain = -40.0

    let timer: SleepTimer
    private(set) var remaining: Duration?
    private(set) var itemsLeft: Int?
    /// The position at which the fade began, and where playback resumes.
    private(set) var fadeStart: (item: PlaybackItem.ID, position: Duration)?

    init(_ timer: SleepTimer) {
        self.timer = timer
        switch timer {
        case .after(let time): remaining = time
        case .endOfItem(let count): itemsLeft = max(1, count)
        }
    }

    /// The timer that is left.
    var left: SleepTimer? { remaining.map { .after($0) } ?? itemsLeft.map { .endOfItem(count: $0) } }

    /// True if the sound fades.
    var isFading: Bool { remaining.map { $0 < Self.fade } ?? false }

    /// The factor for the volume: it falls linearly in decibels during the fade.
    var gain: Double {
        guard let remaining, isFading else { return 1 }
        let part = max(0, 1 - remaining / Self.fade)
        return pow(10, Self.lowestGain * part / 20)
    }

    /// Counts played time.
    /// - Returns: true if the time is over.
    mutating func played(_ time: Duration, in item: PlaybackItem.ID, at position: Duration?) -> Bool {
        guard let before = remaining, before > .zero else { return false }
        let after = max(.zero, before - time)
        remaining = after
        if after < Self.fade, fadeStart == nil, let position { fadeStart = (item, position) }
        return after == .zero
    }

    /// Counts an item that was played to its end.
    /// - Returns: true if it was the last one.
    mutating func itemEnded() -> Bool {
        guard let left = itemsLeft else { return false }
        itemsLeft = left - 1
        return left <= 1
    }

    static func == (one: SleepCountdown, other: SleepCountdown) -> Bool {
        one.timer == other.timer && one.remaining == other.remaining && one.itemsLeft == other.itemsLeft
    }
}
