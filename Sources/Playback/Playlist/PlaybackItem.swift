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
    /// The duration according to the feed. Its chapters belong to audio of this duration.
    public let claimedDuration: Duration?
    /// The duration from which times and places are estimated until it is counted: that of the last playback, else the
    /// one according to the feed.
    public let expectedDuration: Duration?
    /// The start and the end, if they are not those of the whole item.
    public private(set) var start: TimeTarget?
    public private(set) var end: TimeTarget?
    /// The introduction to skip when the item begins again.
    public private(set) var introduction: Duration?
    /// The end to skip if `end` is `nil`. The item then counts as played to its end.
    public private(set) var skippedEnd: SkippedEnd?
    /// True if `start` is the saved position of the item, false if the listener chose it.
    public private(set) var isResumed: Bool
    /// True if playback returns to the place where the listener left the item; false if it begins again.
    public let keepsPlace: Bool
    /// The processing of its sound.
    public private(set) var sound: SoundSettings
    /// True to leave out the chapters that its table of contents hides.
    public private(set) var skipsHiddenChapters: Bool
    /// How far playback goes back after a pause.
    public private(set) var rewind: RewindRule
    /// The source of its audio; without one, the item cannot be played.
    private(set) var source: (any ItemSource)?

    public init(
        id: ID, title: String, podcast: String?, location: String, claimedDuration: Duration? = nil,
        expectedDuration: Duration? = nil, start: TimeTarget? = nil, end: TimeTarget? = nil,
        introduction: Duration? = nil, skippedEnd: SkippedEnd? = nil, isResumed: Bool = false,
        keepsPlace: Bool = false, sound: SoundSettings = SoundSettings(), skipsHiddenChapters: Bool = false,
        rewind: RewindRule = .fixed(.zero), source: (any ItemSource)? = nil
    ) {
        self.id = id
        self.title = title
        self.podcast = podcast
        self.location = location
        self.claimedDuration = claimedDuration
        self.expectedDuration = expectedDuration ?? claimedDuration
        self.start = start
        self.end = end
        self.introduction = introduction
        self.skippedEnd = skippedEnd
        self.isResumed = isResumed
        self.keepsPlace = keepsPlace
        self.sound = sound
        self.skipsHiddenChapters = skipsHiddenChapters
        self.rewind = rewind
        self.source = source
    }

    /// Returns the same item with another source of its audio.
    func replacing(_ source: any ItemSource) -> PlaybackItem {
        var item = self
        item.source = source
        return item
    }

    /// Returns the same item with another end.
    public func ending(at end: TimeTarget?) -> PlaybackItem {
        var item = self
        item.end = end
        return item
    }

    /// Returns the same item with other settings.
    /// - Parameter hasBegun: true to keep its start, and the end to skip.
    func applying(_ settings: ItemSettings, hasBegun: Bool) -> PlaybackItem {
        var item = self
        (item.sound, item.rewind) = (settings.sound, settings.rewind)
        item.skipsHiddenChapters = settings.skipsHiddenChapters
        guard !hasBegun else { return item }
        if isResumed, start == introduction.map(TimeTarget.time) {
            item.start = settings.introduction.map(TimeTarget.time)
        }
        item.introduction = settings.introduction
        item.skippedEnd = end == nil ? settings.skippedEnd : nil
        return item
    }

    /// The same item after it was played to its end: its saved position no longer counts.
    var startingOver: PlaybackItem {
        guard isResumed else { return self }
        var item = self
        item.start = introduction.map { .time($0) }
        return item
    }

    /// Returns the same item from the place where the listener left it.
    func returning(to place: TimeTarget) -> PlaybackItem {
        var item = self
        (item.start, item.isResumed) = (place, true)
        return item
    }

    /// The duration below which the item begins at its beginning, because its introduction and its skipped end together
    /// are more than a third of it; `nil` if it does not begin after its introduction.
    var leastDuration: Duration? {
        guard isResumed, let introduction, start == .time(introduction) else { return nil }
        return skippedEnd?.leastDuration ?? introduction * 3
    }

    /// The start of the item, unless it is its introduction, which a short item does not skip.
    public var fixedStart: TimeTarget? { leastDuration == nil ? start : nil }

    /// Returns the start of the item if that is its duration.
    func start(within duration: MediaDuration?) -> TimeTarget {
        if let leastDuration, let length = duration?.unlessEstimated, length < leastDuration { return .time(.zero) }
        return start ?? .time(.zero)
    }

    /// Returns the position at which the item starts; `nil` if it depends on an unknown duration.
    public func startPosition(within duration: MediaDuration?) -> Duration? {
        start(within: duration).position(within: duration)
    }

    /// Opens the bytes of the item.
    func open() throws(MediaFailure) -> any ByteSource {
        guard let source else { throw MediaFailure(.missing, "the episode has no URL") }
        return try source.open()
    }
}

extension PlaybackItem {
    /// The failure if no frame lies between the start and the end; `nil` if they are those of the whole item.
    var emptySection: MediaFailure? {
        guard start != nil || end != nil || skippedEnd != nil else { return nil }
        let isSaved = isResumed && keepsPlace && end != nil && fixedStart != nil
        return MediaFailure(
            .missing,
            isSaved
                ? "its saved position is not before the end position; choose a start position, too"
                : "no audio lies between the start position and the end position")
    }
}

extension PlaybackItem: Equatable {
    /// Compares everything but the sources, which have no identity of their own.
    public static func == (one: PlaybackItem, other: PlaybackItem) -> Bool {
        one.id == other.id && one.title == other.title && one.podcast == other.podcast
            && one.location == other.location && one.claimedDuration == other.claimedDuration
            && one.expectedDuration == other.expectedDuration && one.start == other.start && one.end == other.end
            && one.isResumed == other.isResumed && one.keepsPlace == other.keepsPlace
            && one.sound == other.sound && one.skipsHiddenChapters == other.skipsHiddenChapters
            && one.introduction == other.introduction && one.skippedEnd == other.skippedEnd
            && one.rewind == other.rewind
    }
}

/// The target of a seek.
public enum SeekTarget: Sendable, Equatable {
    case absolute(TimeTarget)
    /// A distance from the displayed position: `+30`, `-10`. Hidden chapters that are left out do not count.
    case relative(Duration)
}
