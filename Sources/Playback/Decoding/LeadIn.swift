// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The sound before the target of a seek. The output fades in over it, so the target is exact from its first frame.
/// A pure value.
struct LeadIn: Sendable, Equatable {
    /// The longest difference that the rounding of times to frames makes.
    private static let rounding = Duration.milliseconds(1)

    /// The time of the target; `nil` for a fraction of a duration that is not known exactly.
    private let place: Duration?
    /// The target at which the sound begins.
    let start: TimeTarget
    /// The duration of the sound: less near the start of an item, and zero if the place of the target is not known.
    let time: Duration
    /// The time in which the output fades in.
    let fade: Duration

    /// - Parameters:
    ///   - duration: the duration of the item.
    ///   - fade: the longest time in which the output can fade in.
    init(before target: TimeTarget, in duration: MediaDuration, fade: Duration) {
        place = target.isEstimated(within: duration) && target.anchor == nil ? nil : target.position(within: duration)
        time = place.map { max(.zero, min($0, fade + Self.rounding)) } ?? .zero
        start = place.map { [time] in TimeTarget($0 - time, from: target.anchor) } ?? target
        self.fade = place == nil ? fade : max(.zero, time - Self.rounding)
    }

    /// Returns the time to show while the frame at `time` plays: the target during the fade.
    func position(at time: Duration) -> Duration {
        guard let place, (place - self.time - Self.rounding..<place).contains(time) else { return time }
        return place
    }
}

/// The positions to show for the frames of an item. A pure value.
struct ShownTimes: Sendable, Equatable {
    var leadIn: LeadIn?
    /// The difference between the shown times and those of the frames, while these are estimates.
    var correction = Duration.zero

    /// Returns the position while the frame at `time` plays.
    func position(at time: Duration) -> Duration { max(.zero, (leadIn?.position(at: time) ?? time) + correction) }
}
