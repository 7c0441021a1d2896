// SPDX-License-Identifier: GPL-3.0-or-later
public import Feeds

/// Takes one feed while it is parsed, so that memory does not grow with it.
///
/// All calls for one feed come in order and never two at a time, on threads that may wait; while they do, the network
/// waits, too. Either `finished` or `abandoned` is the last one.
public protocol FeedSink {
    /// The next episodes in document order; those of older pages follow.
    func takes(_ episodes: [ParsedEpisode])
    /// The feed without its episodes: all of them were taken, but for what `isTruncated` says.
    func finished(_ feed: ParsedFeed)
    /// What was taken is to be forgotten: the rest did not come, or all is as it was.
    func abandoned()
}
