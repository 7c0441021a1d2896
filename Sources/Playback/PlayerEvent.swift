// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// What happens to a listener, in the order in which it is heard.
public enum PlayerEvent: Sendable, Equatable {
    case activityChanged(PlayerStatus.Activity)
    /// The first frame of the item is heard.
    case itemStarted(PlaybackItem)
    /// The last frame of the item was heard.
    case itemEnded(PlaybackItem)
    /// All of the item that is there was heard, to this position, and no further byte will come by itself. Playback
    /// waits: `Player.retry` asks anew, and goes on at the very next sample.
    case connectionLost(PlaybackItem, at: Duration?, MediaFailure)
    /// The episode is another one on the server now: what was there of the first version is read, and playback goes on
    /// in the new one, at the same word, or, where the two have nothing in common, at the same time.
    case versionChanged(PlaybackItem, at: Duration?, isSameWord: Bool)
    /// The item cannot be played, or not to its end. Playback goes on with the next.
    case itemFailed(PlaybackItem, MediaFailure)
    /// Sound stopped for want of bytes, at this position.
    case stallBegan(PlaybackItem, at: Duration)
    case stallEnded(PlaybackItem, lasted: Duration)
    /// The first sound of the place a seek went to is heard. `waited` is the time since the order.
    case seekLanded(PlaybackItem, at: Duration, isEstimated: Bool, waited: Duration)
    /// The place to go to lies beyond the end of the item.
    case beyondEnd(PlaybackItem, at: Duration, end: MediaDuration, BeyondEnd)
    /// The place to go to is far ahead, and all in between has to arrive first, for this reason.
    case mustWait(PlaybackItem, MediaFailure)
    /// Everything on the playlist was heard or has failed.
    case ended
    /// The output has gone, for this reason; it is tried again. The position stays where it was last heard.
    case outputInterrupted(MediaFailure)
    /// The output is back, and sound goes on where it was, if it is to.
    case outputRestored
    /// Paused without being asked, for this reason: what goes on by itself now would come as a surprise.
    case pausedByItself(MediaFailure)
    /// The output is lost for good.
    case outputLost(MediaFailure)

    /// What is done where a place lies beyond the end.
    public enum BeyondEnd: Sendable, Equatable {
        /// The item was to start there: it is not played.
        case refused
        /// The listener went there: playback stays where it was.
        case stayed
        /// It was left there, when it was longer: it starts from the beginning.
        case startedOver
    }
}
