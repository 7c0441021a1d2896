// SPDX-License-Identifier: GPL-3.0-or-later

/// One thing on the playlist: an episode, or an audio file named by itself.
public struct PlaybackItem: Sendable, Equatable, Identifiable {
    /// Its number on the playlist, counted from 0 in the order of appending, never used again.
    public typealias ID = UInt32

    public let id: ID
    public let title: String
    /// The podcast's title; `nil` for a file named by itself.
    public let podcast: String?
    /// Where the enclosure is, as shown to people: a URL without credentials and query, or a path.
    public let location: String
    /// What the feed says it lasts.
    public let claimedDuration: Duration?
    /// Where to start and where to stop, where that is not the very beginning and the very end.
    public let start: TimeTarget?
    public let end: TimeTarget?
    /// Whether `start` is where the item was left, and not where the listener wants it to start now.
    public let isResumed: Bool

    public init(
        id: ID, title: String, podcast: String?, location: String, claimedDuration: Duration? = nil,
        start: TimeTarget? = nil, end: TimeTarget? = nil, isResumed: Bool = false
    ) {
        self.id = id
        self.title = title
        self.podcast = podcast
        self.location = location
        self.claimedDuration = claimedDuration
        self.start = start
        self.end = end
        self.isResumed = isResumed
    }
}
