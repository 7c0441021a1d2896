// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// Makes a feed of the elements of one format.
protocol FeedBuilder {
    /// An element that holds others begins; it is the path's last.
    mutating func begin(_ attributes: ElementAttributes, at path: ElementPath)
    /// An element is over; it is still the path's last. `text` is empty where only children or attributes count.
    mutating func end(_ attributes: ElementAttributes, text: [UInt8], at path: ElementPath)
    /// The episodes complete so far, which are then forgotten.
    mutating func takeEpisodes() -> [ParsedEpisode]
    /// - Returns: nil where nothing of the format was there.
    mutating func finish() -> ParsedFeed?
}
