// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

extension MediaFailure {
    /// Creates the failure for a position beyond the end of an item.
    public init(beyond place: Duration, _ end: MediaDuration, _ outcome: PlayerEvent.SeekPastEnd) {
        let length = end.value == nil ? "" : " (\(ClockText.time(end)))"
        let fact = "\(ClockText.time(place)) is beyond the end\(length)"
        self = switch outcome {
        case .refused: MediaFailure(.badData, "--from \(fact)")
        case .stayed: MediaFailure(.badData, fact)
        case .startedOver:
            MediaFailure(.badData, "the saved position \(fact); playback starts from the beginning")
        }
    }
}
