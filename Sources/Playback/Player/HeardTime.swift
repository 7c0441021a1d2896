// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media

/// How long an item was heard. Seeks and pauses do not count; a passage that is heard twice counts twice.
public struct HeardTime: Sendable, Equatable {
    /// The time of the source, with the omitted parts of pauses.
    public var source: Duration
    /// The time that playback took.
    public var played: Duration
    /// The time of the source that shortened pauses omitted.
    public var trimmed: Duration

    /// The time that a higher speed saved; negative at a lower speed.
    public var saved: Duration { source - trimmed - played }

    public init(source: Duration = .zero, played: Duration = .zero, trimmed: Duration = .zero) {
        (self.source, self.played, self.trimmed) = (source, played, trimmed)
    }

    init(_ frames: PlayedFrames, _ format: AudioFormat) {
        source = format.duration(ofFrames: frames.source)
        played = format.duration(ofFrames: frames.output)
        trimmed = format.duration(ofFrames: frames.cut)
    }
}

extension PlaybackLoop {
    /// Updates the times for which the items were heard.
    func publishHeardTimes() {
        guard let format = audio.ring?.format else { return }
        mailbox.heardTimes = Dictionary(
            uniqueKeysWithValues: output.timeline.played.map { ($0, HeardTime($1, format)) })
    }
}
