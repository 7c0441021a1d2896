// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EpisodeLibrary
import Media
import Playback
import TerminalInterface

/// Determines which cues of the current item were heard since the last look. A pure value on the caller's clock.
struct TranscriptDisplay {
    /// The step that always counts as playback, and the tolerance of longer ones: a busy machine delays looks.
    private static let shortestStep = Duration.seconds(3)
    private static let tolerance = 1.5
    /// The step of an output that plays as fast as bytes arrive. Its starts and seeks have positions of their own.
    private static let anyStep = Duration.seconds(1 << 40)

    /// True if the output plays in real time.
    private let isPaced: Bool

    init(isPaced: Bool = true) { self.isPaced = isPaced }

    fileprivate struct Shown {
        let item: PlaybackItem.ID
        var transcript: StoredTranscript
        var follower: TranscriptFollower
        /// True after the item changed on the server: the transcript cannot belong to both versions.
        var hasChanged = false
        /// The status at the last look.
        var status: PlayerStatus?
    }

    private var shown: Shown?
    /// The item whose sound has started.
    private var started: PlaybackItem.ID?
    private var lookedAt = Duration.zero
    /// The announced position of an output that does not play in real time, until the next look.
    private var start: Duration?

    /// Shows the transcript of an item, which may be the next one.
    mutating func show(_ transcript: StoredTranscript, in item: PlaybackItem.ID) {
        shown = Shown(item: item, transcript: transcript, follower: TranscriptFollower(transcript))
    }

    /// True if the transcript of an item is loaded.
    func shows(_ item: PlaybackItem.ID) -> Bool { shown?.item == item }

    /// Follows an event after which another part of the item is heard.
    /// - Parameter status: the present status, which may be that of the next item.
    mutating func note(_ event: PlayerEvent, _ status: PlayerStatus) {
        switch event {
        // A seek may lead back into an item that had ended.
        case .itemStarted(let item):
            begin(item, at: item.startPosition(within: status.item?.id == item.id ? status.duration : nil))
        case .seekLanded(let item, let position, _, _): begin(item, at: position)
        case .itemEnded: started = nil
        case .versionChanged(let item, _, _, let change) where item.id == shown?.item: shown?.move(change?.times)
        default: break
        }
    }

    private mutating func begin(_ item: PlaybackItem, at position: Duration?) {
        started = item.id
        shown?.follower.jump()
        start = isPaced ? nil : position
    }

    /// Returns the cues that were heard since the last look.
    mutating func heard(_ status: PlayerStatus, at now: Duration) -> [HeardCue] {
        let step = step(status, at: now)
        lookedAt = now
        // The target of a running seek has not been played.
        guard var shown, shown.item == started, shown.item == status.item?.id, let position = status.position,
            !status.isSeeking
        else { return [] }
        shown.status = status
        let lines = shown.advance(from: start.take(), to: position, atMost: step)
        self.shown = shown
        return shown.cues(lines)
    }

    /// Returns the time until the next cue is heard; `nil` if none follows, and while the position does not advance or
    /// advances faster than in real time.
    func timeToNextCue(_ status: PlayerStatus) -> Duration? {
        guard isPaced, let shown, shown.item == started, shown.item == status.item?.id, !status.isSeeking,
            status.rate > 0, let position = status.position, let next = shown.follower.nextStart(after: position)
        else { return nil }
        return (next - position) / status.rate
    }

    /// Returns the cues between the last look and the end of an item, if the event is that end.
    /// - Parameter status: the present status, which may be that of the next item.
    mutating func ended(_ event: PlayerEvent, _ status: PlayerStatus, at now: Duration) -> [HeardCue] {
        guard case .itemEnded(let item) = event, var shown, shown.item == item.id, started == item.id else { return [] }
        // An output that does not play in real time may end an item before the first look.
        if shown.status == nil, !isPaced, status.item?.id == item.id { shown.status = status }
        guard let last = shown.status, let end = shown.end(of: item) else { return [] }
        let step = step(last, at: now)
        let first = start.take().map { shown.advance(from: $0, to: $0, atMost: step) } ?? []
        let lines = first + shown.follower.finish(at: end, atMost: step)
        self.shown = shown
        return shown.cues(lines)
    }

    /// Returns the longest step that playback can have made since the last look.
    private func step(_ status: PlayerStatus, at now: Duration) -> Duration {
        guard isPaced else { return Self.anyStep }
        return max(Self.shortestStep, (now - lookedAt) * (status.sound.speed * Self.tolerance))
    }
}

extension TranscriptDisplay.Shown {
    func cues(_ lines: [TranscriptLine]) -> [HeardCue] {
        guard !lines.isEmpty else { return [] }
        let timing = timing
        return lines.map { HeardCue(item: item, line: $0, timing: timing) }
    }

    /// Returns the cues up to a position, after those from `start` on.
    mutating func advance(from start: Duration?, to position: Duration, atMost step: Duration) -> [TranscriptLine] {
        let first = start.map { follower.advance(to: min($0, position), atMost: step) } ?? []
        return first + follower.advance(to: position, atMost: step)
    }

    /// Follows the content to another version of the audio.
    mutating func move(_ times: VersionTimes?) {
        hasChanged = true
        guard let times else { return }
        transcript = transcript.moved { times.time(ofOld: $0).time }
        follower = TranscriptFollower(transcript)
    }

    private var timing: TranscriptTiming {
        guard !hasChanged, status?.positionIsEstimated != true else { return .approximate }
        return transcript.timing(in: AudioVersion(duration: duration, length: status?.downloadProgress?.total))
    }

    private var duration: Duration? {
        switch status?.duration {
        case .exact(let duration), .declared(let duration): duration
        case .estimated, .unknown, nil: nil
        }
    }

    /// Returns the end of the played part; `nil` if it is unknown.
    func end(of item: PlaybackItem) -> Duration? {
        switch item.end {
        case .time(let time), .estimated(let time, _): min(time, duration ?? time)
        case .fraction(let part): duration.map { $0 * part }
        case nil: duration
        }
    }
}
