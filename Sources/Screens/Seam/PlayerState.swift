// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The state of the owner of playback (`player.status`, docs/protocol.md).
public struct PlayerState: Sendable, Equatable {
    public enum Activity: Sendable, Hashable {
        case idle, loading, buffering, seeking, playing, paused, ended, connectionLost, noDevice
    }

    public struct Item: Sendable, Hashable {
        /// The episode in the library; `nil` for a file or an address.
        public var episode: Int64?
        public var title: String
        public var podcast: String?

        public init(episode: Int64?, title: String, podcast: String? = nil) {
            (self.episode, self.title, self.podcast) = (episode, title, podcast)
        }
    }

    public var activity: Activity
    public var item: Item?
    /// The number of the item, as events have it.
    public var track: Int64?
    /// The position at the time `at`.
    public var position: Duration?
    public var positionIsEstimated = false
    /// Seconds of the item per second; 0 while the position does not advance.
    public var rate = 0.0
    /// The monotonic time of the position, of the clock of `ScreenEvent.clock`.
    public var at = Duration.zero
    public var duration: MediaDuration
    /// The parts that play without the network.
    public var buffered: [Range<Duration>] = []
    public var isDownloaded = false
    public var bytesPerSecond: Double?
    public var bytesLeft: Int64?
    /// 0...150
    public var volumePercent = 100
    public var speed = 1.0
    public var repeatMode = "off"
    /// The monotonic time at which the sleep timer pauses, if the sound continues until then.
    public var sleepsAt: Duration?
    /// A sleep timer without a time, such as `after this episode`.
    public var sleep: String?
    public var chapters: [Chapter] = []
    /// True if the times of the chapters may be those of another version of the audio.
    public var areChaptersApproximate = false
    public var canNext = false
    /// The item that follows, if it is known.
    public var next: Item?

    public init(
        _ activity: Activity = .idle, item: Item? = nil, position: Duration? = nil, duration: MediaDuration = .unknown
    ) {
        (self.activity, self.item, self.position, self.duration) = (activity, item, position, duration)
    }

    /// Notes the chapters of the item.
    public mutating func take(_ chapters: [Chapter], areApproximate: Bool) {
        (self.chapters, areChaptersApproximate) = (chapters, areApproximate)
    }
}

/// A request to the owner of playback.
public enum PlayerRequest: Sendable, Hashable {
    /// Play an episode from the library now; the driver starts an owner if there is none.
    case play(Int64, from: Duration?)
    /// Play an episode of the queue now, and then the rest of the queue.
    case playInQueue(Int64)
    /// Pause or resume. Without an owner, the driver resumes the last episode.
    case toggle
    /// Seek by a signed time.
    case skip(by: Duration)
    case seek(to: Duration)
    case next, previous, retry, stop
    /// Bookmark the position 3 seconds ago. The player knows whether it is exact.
    case bookmark
    case volume(by: Int)
    /// A speed or a signed change, as `player.speed` reads it.
    case speed(String)
    /// The next step of the sleep timer, which the player knows.
    case cycleSleep
    /// The repeat mode after the one that the player has.
    case cycleRepeat
}
