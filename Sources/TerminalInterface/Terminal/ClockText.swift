// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
package import Media
package import Playback

/// Times and sizes as text for people.
package enum ClockText {
    /// Returns `41:07` or `1:02:03`, truncated to the second; a negative time counts as 0.
    package static func time(_ time: Duration) -> String {
        let seconds = max(0, time.components.seconds)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let tail = twoDigits(seconds % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    /// Returns `0:41.2`, truncated to the tenth of a second; a negative time counts as 0.
    package static func tenths(_ time: Duration) -> String {
        // A number of frames is seldom a whole number of attoseconds.
        let time = time + .nanoseconds(1)
        let tenth = max(0, time.components.attoseconds) / 100_000_000_000_000_000
        return Self.time(time) + ".\(tenth)"
    }

    /// Returns `41:07`, or `~41:07` for an estimate.
    package static func time(_ time: Duration, isEstimated: Bool) -> String {
        (isEstimated ? "~" : "") + self.time(time)
    }

    /// Returns `58:20`, `~58:20` for an estimate, or `?` for an unknown duration.
    package static func time(_ duration: MediaDuration) -> String {
        switch duration {
        case .unknown: "?"
        case .estimated(let value): "~" + time(value)
        case .declared(let value), .exact(let value): time(value)
        }
    }

    /// Returns the playback position, marked with `~` if it is an estimate; before the first sound, the start of the
    /// item.
    package static func position(_ status: PlayerStatus) -> String {
        time(status.positionOrStart ?? .zero, isEstimated: status.positionIsEstimated)
    }

    /// Returns `950 B`, `64 kB`, `1.2 MB`, `34 MB` or `2.1 GB`: powers of ten, with at least two digits.
    package static func size(_ bytes: Int64) -> String {
        let bytes = max(0, bytes)
        if bytes < 1000 { return "\(bytes) B" }
        var unit: Int64 = 1000
        var names = ["kB", "MB", "GB", "TB"][...]
        while names.count > 1, bytes >= unit * 1000 - unit / 2 {
            unit *= 1000
            names.removeFirst()
        }
        let tenths = bytes / (unit / 10) + (bytes % (unit / 10) >= unit / 20 ? 1 : 0)
        let name = names[names.startIndex]
        return tenths < 100 && unit > 1000 ? "\(tenths / 10).\(tenths % 10) \(name)" : "\((tenths + 5) / 10) \(name)"
    }

    package static func rate(_ bytesPerSecond: Double) -> String {
        size(Int64(min(max(0, bytesPerSecond), 1e15))) + "/s"
    }

    /// Returns an estimate such as `about 9 s` or `about 2 min`, rounded up to steps that grow with the time.
    package static func about(_ time: Duration) -> String {
        let seconds = max(1, Int64(min((time / .seconds(1)).rounded(.up), 1e9)))
        switch seconds {
        case ...10: return "about \(seconds) s"
        case ...55: return "about \((seconds + 4) / 5 * 5) s"
        case ...7140: return "about \((seconds + 59) / 60) min"
        default: return "about \((seconds + 3599) / 3600) h"
        }
    }

    /// Returns the sleep timer such as `sleep 29:30` or `sleep after 2 episodes`; `nil` if it is off.
    package static func sleep(_ status: PlayerStatus) -> String? {
        status.sleep.map { "sleep " + Self.sleep($0) }
    }

    /// Returns a sleep timer such as `29:30` or `after 2 episodes`.
    package static func sleep(_ timer: SleepTimer) -> String {
        switch timer {
        case .after(let time): Self.time(time)
        case .endOfItem(1): "after this episode"
        case .endOfItem(let count): "after \(count) episodes"
        case .endOfChapter(1): "after this chapter"
        case .endOfChapter(let count): "after \(count) chapters"
        }
    }

    /// Returns a speed and the time left at that speed, such as `1.5x 12:30 left`; `nil` for the normal speed.
    package static func speed(_ status: PlayerStatus) -> String? {
        let hundredths = Int((status.sound.speed * 100).rounded())
        guard hundredths != 100 else { return nil }
        let decimals = hundredths % 10 == 0 ? "\(hundredths / 10 % 10)" : twoDigits(Int64(hundredths % 100))
        let speed = "\(hundredths / 100).\(decimals)x"
        return status.remaining.map { "\(speed) \(time($0)) left" } ?? speed
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
