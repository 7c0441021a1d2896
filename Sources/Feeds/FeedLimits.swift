// SPDX-License-Identifier: GPL-3.0-or-later

/// What a feed may cost. Beyond `totalBytes` the feed is refused; beyond the others the excess is left out.
struct FeedLimits: Sendable {
    /// All bytes of the document, as they came.
    var totalBytes = 64 << 20
    /// One start tag.
    var tagBytes = 64 << 10
    /// Attributes of one start tag.
    var attributes = 64
    /// Nested elements.
    var depth = 64
    /// The text of one element.
    var textBytes = 4 << 20
    /// Items; the longest feeds have a tenth of that.
    var items = 200_000
    /// Junk before the root element.
    var preambleBytes = 64 << 10
    /// The text of one entity that the document declares for itself.
    var entityBytes = 1 << 10
    /// What comes of all references to those.
    var expandedBytes = 256 << 10
    /// Kinds of repair that are told of.
    var repairs = 0
}
