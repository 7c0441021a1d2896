// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds

/// A receiver of one feed while it is parsed, so that the memory in use does not grow with the feed.
///
/// All calls for one feed are sequential, on threads that may block; while they block, the transfer waits too. The
/// last call is either `finished` or `abandoned`.
public protocol FeedSink {
    /// Receives the next episodes in document order; those of older pages follow.
    func receive(_ episodes: [ParsedEpisode])
    /// Receives the feed without its episodes after all of them were delivered. If `isTruncated` is true, some are
    /// missing.
    func finished(_ feed: ParsedFeed)
    /// Discards the delivered episodes: the rest of the feed did not arrive, or the feed is unchanged.
    func abandoned()
}
