// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioProcessing
public import Media

/// One entry of the playlist: an episode, or a single audio file.
public struct PlaybackItem: Sendable, Identifiable {
    /// The number of an item in the order of appending, counted from 0, never reused.
    public typealias ID = UInt32

    public let id: ID
    public let title: String
    /// The podcast's title; `nil` for a single file.
    public let podcast: String?
    /// The location of the enclosure for display: a URL without credentials and query, or a path.
    public let location: String
    /// The duration according to the feed.
    public let claimedDuration: Duration?
    /// The start and the end, if they are not those of the whole item.
    public let start: TimeTarget?
    public let end: TimeTarget?
    /// True if `start` is the saved position of the item, false if the listener chose it.
    public let isResumed: Bool
    /// The processing of its sound.
    public let sound: SoundSettings
    /// The source of its audio; without one, the item cannot be played.
    let source: (any ItemSource)?

    public init(
        id: ID, title: String, podcast: String?, location: String, claimedDuration: Duration? = nil,
        start: TimeTarget? = nil, end: TimeTarget? = nil, isResumed: Bool = false,
        sound: SoundSettings = SoundSettings(), source: (any ItemSource)? = nil
    ) {
        self.id = id
        self.title = title
        self.podcast = podcast
        self.location = location
        self.claimedDuration = claimedDuration
        self.start = start
        self.end = end
        self.isResumed = isResumed
        self.sound = sound
        self.source = source
    }

    /// Opens the bytes of the item.
    func open() throws(MediaFailure) -> any ByteSource {
        guard let source else { throw MediaFailure(.missing, "the episode has no address") }
        return try source.open()
    }
}

extension PlaybackItem: Equatable {
    /// Compares everything but the sources, which have no identity of their own.
    public static func == (one: PlaybackItem, other: PlaybackItem) -> Bool {
        one.id == other.id && one.title == other.title && one.podcast == other.podcast
            && one.location == other.location && one.claimedDuration == other.claimedDuration
            && one.start == other.start && one.end == other.end && one.isResumed == other.isResumed
            && one.sound == other.sound
    }
}

/// The target of a seek.
public enum SeekTarget: Sendable, Equatable {
    case absolute(TimeTarget)
    /// A distance from the displayed position: `+30`, `-10`.
    case relative(Duration)
}
