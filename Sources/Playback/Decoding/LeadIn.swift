// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The sound before the target of a seek. The output fades in over it, so the target is exact from its first frame.
/// A pure value.
struct LeadIn: Sendable, Equatable {
    /// The longest difference that the rounding of times to frames makes.
    private static let rounding = Duration.milliseconds(1)

    private let target: TimeTarget
    /// The duration of the sound: shorter near the start of an item, and zero before a fraction of its duration, whose
    /// place is not exact.
    let time: Duration
    /// The time in which the output fades in.
    let fade: Duration

    init(before target: TimeTarget, fade: Duration) {
        self.target = target
        switch target {
        case .time(let place), .estimated(let place, _):
            time = max(.zero, min(place, fade + Self.rounding))
            self.fade = max(.zero, time - Self.rounding)
        case .fraction: (time, self.fade) = (.zero, fade)
        }
    }

    /// The target at which the sound begins.
    var start: TimeTarget {
        switch target {
        case .time(let place): .time(place - time)
        case .estimated(let place, let anchor): .estimated(place - time, from: anchor)
        case .fraction: target
        }
    }

    /// Returns the time to show while the frame at `time` plays: the target during the fade.
    func position(at time: Duration) -> Duration {
        switch target {
        case .time(let place), .estimated(let place, _):
            (place - self.time - Self.rounding..<place).contains(time) ? place : time
        case .fraction: time
        }
    }
}
