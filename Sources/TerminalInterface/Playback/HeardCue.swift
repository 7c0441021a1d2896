// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media
public import Playback

/// A cue of a transcript that playback has reached.
public struct HeardCue: Sendable, Equatable {
    public let item: PlaybackItem.ID
    public let line: TranscriptLine
    public let timing: TranscriptTiming

    public init(item: PlaybackItem.ID, line: TranscriptLine, timing: TranscriptTiming) {
        (self.item, self.line, self.timing) = (item, line, timing)
    }

    /// The cue as one line: `12:34  Mary: The storm`. `~` marks a time of another version of the audio.
    var text: ReportText {
        let time = line.time.map { (timing == .approximate ? "~" : "") + ClockText.time($0.lowerBound) + "  " } ?? ""
        let speaker = line.speaker.map { $0 + ": " } ?? ""
        return .output(time + PrintableText(speaker + line.text).text + "\n")
    }

    /// The members of the event of `--json`.
    var members: [JSONValue.Member] {
        [.init("track", .integer(Int64(item) + 1))] + LibraryJSON.members(line)
            + [.init("timing", .string(timing.rawValue))]
    }
}

/// The content that `play` shows while it plays.
public enum ShownContent: String, Sendable, Equatable {
    case transcript

    public init(parsing text: String) throws(ArgumentError) {
        guard let content = ShownContent(rawValue: text) else {
            throw ArgumentError("invalid value \"\(text)\": write transcript")
        }
        self = content
    }
}
