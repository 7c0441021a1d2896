// SPDX-License-Identifier: GPL-3.0-or-later

/// How far playback goes back when it resumes, so that the context comes back.
public enum RewindRule: Sendable, Equatable {
    case fixed(Duration)
    /// The longer ago the listener stopped, the farther.
    case automatic

    /// Returns the distance for the time since the listener stopped.
    public func distance(after time: Duration) -> Duration {
        switch (self, time) {
        case (.fixed(let distance), _): distance
        case (.automatic, ..<Duration.seconds(60)): .milliseconds(800)
        case (.automatic, ..<Duration.seconds(3600)): .seconds(3)
        case (.automatic, ..<Duration.seconds(86_400)): .seconds(10)
        case (.automatic, _): .seconds(20)
        }
    }
}
