// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioProcessing
public import Media

/// A snapshot of the player's state for a display.
public struct PlayerStatus: Sendable, Equatable {
    public enum Activity: Sendable, Equatable {
        /// Nothing to play yet.
        case idle
        /// The item is being opened; none of its sound was played yet.
        case loading
        /// Sound stopped for lack of bytes; playback waits for more.
        case buffering
        case seeking
        case playing
        /// Paused; `waiting` is true if playback could not resume immediately.
        case paused(waiting: Bool)
        case ended
        /// The missing bytes do not arrive without a retry: `Player.retry` requests them again.
        case connectionLost(reason: String)
        /// The sound output is not available.
        case noDevice(reason: String)
    }

    /// A wait for bytes before sound starts or resumes.
    public struct Wait: Sendable, Equatable {
        /// The time waited so far, without the listener's pauses.
        public var waited: Duration
        /// The estimated time still to wait; `nil` if it is unknown.
        public var expected: Duration?

        public init(waited: Duration, expected: Duration?) {
            self.waited = waited
            self.expected = expected
        }
    }

    public var activity: Activity
    public var item: PlaybackItem?
    /// The position of `item` on the playlist, from 1, and the number of items so far.
    public var itemNumber: Int
    public var itemCount: Int
    /// The position being played; `nil` before the item's sound starts.
    public var position: Duration?
    /// True if the position is derived from a bit rate or a tag's table, and will be corrected.
    public var positionIsEstimated: Bool
    /// The packet from which an estimated position, or the target of a seek from one, counts; `nil` for an exact one.
    public var anchor: TimeAnchor?
    /// True during a seek: the position is its target, and no sound of the target was played yet.
    public var isSeeking: Bool
    /// The seeks of the listener that have not landed, in order. Another player that continues executes them.
    public var awaitedSeeks: [SeekTarget] = []
    /// The place to which playback returns if the target of the pending seek lies beyond the end.
    public var seekOrigin: TimeTarget?
    public var duration: MediaDuration
    /// The ranges of time that can be played without the network.
    public var buffered: [Range<Duration>]
    /// The download progress of the item; `nil` before it is opened.
    public var downloadProgress: DownloadProgress?
    /// The present wait; `nil` while sound is playing, and if nothing is awaited.
    public var wait: Wait?
    /// The risk that sound stops for lack of bytes; `nil` during a wait, and if too little is known.
    public var stallRisk: StallRisk?
    /// 0 ... 1.5; 1 leaves every sample unchanged.
    public var volume: Double
    public var repeatMode: RepeatMode
    /// The processing of the item's sound.
    public var sound: SoundSettings
    /// The gain in dB that brings the item to its target loudness; `nil` if its loudness is not changed.
    public var loudnessGain: Double?
    /// The sleep timer, with the time or the items left; `nil` if it is off.
    public var sleep: SleepTimer?
    /// The item in which the fade of the sleep timer began; `nil` while the sound does not fade.
    public var fadedItem: PlaybackItem.ID?
    /// The number of times that playback has returned to the place where a fade began. `sleepTimerEnded` follows each.
    public var fadeReturns = 0
    /// The chapters of `item`; `nil` if none are known.
    public var chapters: ItemChapters?
    /// The hidden chapters that playback leaves out, ascending.
    public var skipped: [Range<Duration>]
    /// The changes of the settings of all items by the listener.
    public var soundChanges = SoundChanges()
    /// True if playback is paused, also while the activity names a missing device or a lost connection.
    public var isPaused = false
    /// True while the device is suspended, also if that is too short to be reported.
    var standsStill = false
    /// The positions that follow; `nil` while the position stands still or cannot be foreseen.
    var forecast: PositionForecast?

    public init(
        activity: Activity = .idle, item: PlaybackItem? = nil, itemNumber: Int = 0, itemCount: Int = 0,
        position: Duration? = nil, positionIsEstimated: Bool = false, isSeeking: Bool = false,
        duration: MediaDuration = .unknown, buffered: [Range<Duration>] = [], downloadProgress: DownloadProgress? = nil,
        wait: Wait? = nil, stallRisk: StallRisk? = nil, volume: Double = 1, repeatMode: RepeatMode = .off,
        sound: SoundSettings = SoundSettings(), loudnessGain: Double? = nil, sleep: SleepTimer? = nil,
        chapters: ItemChapters? = nil
    ) {
        self.activity = activity
        self.item = item
        self.itemNumber = itemNumber
        self.itemCount = itemCount
        self.position = position
        self.positionIsEstimated = positionIsEstimated
        self.isSeeking = isSeeking
        self.duration = duration
        self.buffered = buffered
        self.downloadProgress = downloadProgress
        self.wait = wait
        self.stallRisk = stallRisk
        self.volume = volume
        self.repeatMode = repeatMode
        self.sound = sound
        self.loudnessGain = loudnessGain
        self.sleep = sleep
        self.chapters = chapters
        skipped = item?.skipsHiddenChapters == true ? chapters?.hidden ?? [] : []
    }

    /// The chapter being played; `nil` if there is none.
    public var chapter: ItemChapters.Place? { position.flatMap { chapters?.place(at: $0) } }
}

extension PlayerStatus {
    /// The position, or where the sound of the item will start; `nil` if that depends on an unknown duration.
    public var positionOrStart: Duration? { position ?? item?.startPosition(within: duration) }

    /// The time until playback of the item ends, at the present speed, without hidden chapters that are skipped, but
    /// with pauses that will be shortened; `nil` while the position or the end is unknown.
    public var remaining: Duration? {
        guard let position, let end else { return nil }
        return (position..<max(position, end)).length(without: skipped) / sound.speed
    }

    /// The time at which playback of the item ends: at the chosen end, before a skipped end, or with the item.
    public var end: Duration? {
        if let end = item?.end { return end.position(within: duration) }
        switch duration {
        case .exact(let time), .declared(let time):
            // Later positions lie in the skipped part, which the listener chose then.
            guard let stop = item?.skippedEnd?.stop(in: .exact(time), from: .zero), position ?? .zero <= stop
            else { return time }
            return stop
        case .estimated, .unknown: return duration.value
        }
    }

    /// Seconds of the item per second: 0 while the position does not advance.
    public var rate: Double { activity == .playing && !standsStill ? sound.speed : 0 }

    /// True if `next` plays another item.
    public var canNext: Bool { item != nil && (itemNumber < itemCount || repeatMode == .all) }
}
