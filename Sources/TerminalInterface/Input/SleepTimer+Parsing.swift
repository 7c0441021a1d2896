// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
public import Playback

extension SleepTimer {
    /// The forms of a timer, for messages.
    private static let form = "write a time like 30m, or chapter, chapter 2, episode, episode 3 or off"

    /// Parses the values of `sleep`: `30m`, `chapter`, `chapter 2`, `episode`, `episode 3`, `off`.
    /// - Returns: `nil` for `off`.
    public static func parse(_ values: [String]) throws(ArgumentError) -> SleepTimer? {
        let shown = values.joined(separator: " ")
        switch (values.first, values.count) {
        case ("off", 1): return nil
        case ("chapter", 1): return .endOfChapter(count: 1)
        case ("episode", 1): return .endOfItem(count: 1)
        case ("chapter", 2), ("episode", 2):
            guard let count = Int(values[1]), (1...1000).contains(count) else { break }
            return values[0] == "chapter" ? .endOfChapter(count: count) : .endOfItem(count: count)
        case (let text?, 1):
            guard let time = DurationText.duration(text), time > .zero else { break }
            return .after(time)
        default: break
        }
        throw ArgumentError("invalid sleep timer \"\(shown)\": \(form)")
    }
}
