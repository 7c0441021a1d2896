// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Everything a display needs to know, at one instant.
public struct PlayerStatus: Sendable, Equatable {
    public enum Activity: Sendable, Equatable {
        /// Nothing to play yet.
        case idle
        /// The item is being opened; no sound of it has been heard.
        case loading
        /// Sound stopped for want of bytes, and waits for more.
        case buffering
        case seeking
        case playing
        /// Paused by the listener; `waiting` when it could not go on at once.
        case paused(waiting: Bool)
        case ended
        /// What is missing will not come by itself: `Player.retry` asks anew.
        case failedAtEdge(reason: String)
        /// The sound output is gone.
        case noDevice(reason: String)
    }

    /// Waiting for bytes before sound starts or goes on.
    public struct Wait: Sendable, Equatable {
        /// So far, pauses of the listener's not counted.
        public var waited: Duration
        /// From now on, an estimate; `nil` where it cannot be told.
        public var expected: Duration?

        public init(waited: Duration, expected: Duration?) {
            self.waited = waited
            self.expected = expected
        }
    }

    public var activity: Activity
    public var item: PlaybackItem?
    /// Place of `item` on the playlist, from 1, and how many items it has so far.
    public var itemNumber: Int
    public var itemCount: Int
    /// The time now heard; `nil` before anything of the item is.
    public var position: Duration?
    /// The position is worked out from a bit rate or a tag's table, and will be corrected.
    public var positionIsEstimated: Bool
    /// A seek is under way: the position is where it goes, and nothing of that was heard yet.
    public var isSeeking: Bool
    public var duration: MediaDuration
    /// The stretches of time that can be played without the network.
    public var buffered: [Range<Duration>]
    /// How far the item's bytes have arrived; `nil` before it is opened.
    public var arrival: Arrival?
    /// The present silence; `nil` while there is sound, and where nothing is waited for.
    public var wait: Wait?
    /// How likely the sound is to stop for want of bytes; `nil` while there is none, or too little is known.
    public var stallRisk: StallRisk?
    /// 0 ... 1.5; 1 leaves every sample as it is.
    public var volume: Double
    public var repeatMode: RepeatMode

    public init(
        activity: Activity = .idle, item: PlaybackItem? = nil, itemNumber: Int = 0, itemCount: Int = 0,
        position: Duration? = nil, positionIsEstimated: Bool = false, isSeeking: Bool = false,
        duration: MediaDuration = .unknown, buffered: [Range<Duration>] = [], arrival: Arrival? = nil,
        wait: Wait? = nil, stallRisk: StallRisk? = nil, volume: Double = 1, repeatMode: RepeatMode = .off
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
        self.arrival = arrival
        self.wait = wait
        self.stallRisk = stallRisk
        self.volume = volume
        self.repeatMode = repeatMode
    }
}
