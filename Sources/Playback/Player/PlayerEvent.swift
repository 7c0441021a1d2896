// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An event of playback. Events come in the order in which they become audible.
public enum PlayerEvent: Sendable, Equatable {
    case activityChanged(PlayerStatus.Activity)
    /// The first frame of the item is played.
    case itemStarted(PlaybackItem)
    /// The last frame of the item was played.
    case itemEnded(PlaybackItem)
    /// All downloaded data of the item was played, up to this position, and no more bytes arrive without a retry.
    /// Playback waits: `Player.retry` requests the bytes again, and playback continues at the exact next sample.
    case connectionLost(PlaybackItem, at: Duration?, MediaFailure)
    /// The server now has another version of the episode. The downloaded part of the first version was read, and
    /// playback continues in the new one.
    case versionChanged(PlaybackItem, at: Duration?, VersionMapping, VersionChange?)
    /// The item cannot be played, for this reason; the feed lists it in another format, which is played.
    case alternativePlayed(PlaybackItem, MediaFailure)
    /// The reader skipped damaged data of the item, or replaced it with silence; only the first place is reported.
    case damageSkipped(PlaybackItem, MediaFailure)
    /// The item cannot be played, or not to its end. Playback continues with the next item.
    case itemFailed(PlaybackItem, MediaFailure)
    /// Sound stopped at this position for lack of bytes.
    case stallBegan(PlaybackItem, at: Duration)
    case stallEnded(PlaybackItem, lasted: Duration)
    /// The first sound at the target of a seek is played. `waited` is the time since the request.
    case seekLanded(PlaybackItem, at: Duration, isEstimated: Bool, waited: Duration)
    /// The chapters of the item are known, or have changed; `nil` if no list fits its duration, which is now known.
    case chaptersFound(PlaybackItem, ItemChapters?)
    /// Another chapter is played; `nil` before the first chapter and between two.
    case chapterChanged(PlaybackItem, ItemChapters.Place?)
    /// The target lies beyond the end of the item.
    case beyondEnd(PlaybackItem, at: Duration, end: MediaDuration, SeekPastEnd)
    /// The listener sought beyond the end of a truncated item, which this failure describes: playback stays where it
    /// was.
    case seekFailed(PlaybackItem, MediaFailure)
    /// A command to go to the next item or to a chapter found none: playback stays where it was. The status is that of
    /// the moment when the command was executed.
    indirect case noEffect(PlayerCommand, PlayerStatus)
    /// The target is far ahead, and all bytes before it must arrive first, for this reason.
    case mustWait(PlaybackItem, MediaFailure)
    /// The item cannot be fetched, for this reason, and is requested again: later items follow only after a while.
    case startRetried(PlaybackItem, MediaFailure)
    /// Every item on the playlist was played or has failed.
    case ended
    /// The output was lost, for this reason, and is retried, or the sound server suspends the device. The position
    /// stays at the last frame played.
    case outputInterrupted(MediaFailure)
    /// The output is back; sound resumes at the same position unless playback is paused.
    case outputRestored
    /// The player paused without a request, for this reason: sound that resumes automatically would come as a
    /// surprise.
    case pausedByItself(MediaFailure)
    /// The estimated times of an item that count from a packet are known to differ from the exact ones by this.
    case timesCorrected(PlaybackItem, from: TimeAnchor, by: Duration)
    /// The listener marked this position. An estimated one counts from the packet `from`, if that is known here.
    case marked(PlaybackItem, at: Duration, isEstimated: Bool, from: TimeAnchor?, note: String?)
    /// The sleep timer paused playback, at this item if there is one.
    case sleepTimerEnded(PlaybackItem?)
    /// The output is lost permanently.
    case outputLost(MediaFailure)

    /// The reaction to a target beyond the end.
    public enum SeekPastEnd: Sendable, Equatable {
        /// The item should have started there: it is not played.
        case refused
        /// The listener sought there: playback stays where it was.
        case stayed
        /// The saved position lies there, because the item used to be longer: playback starts from the beginning.
        case startedOver
    }
}
