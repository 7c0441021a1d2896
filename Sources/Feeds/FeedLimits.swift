// SPDX-License-Identifier: GPL-3.0-or-later

/// The resource limits of a feed. A feed beyond `totalBytes` or `preambleBytes` is refused; excess beyond the other
/// limits is left out.
struct FeedLimits: Sendable {
    /// The size of the document, as received.
    var totalBytes = 64 << 20
    /// The size of one start tag.
    var tagBytes = 64 << 10
    /// The size of the text and markup between two tags that libxml2 reads; it bounds the text kept for a repair.
    var strictBytes = 1 << 20
    /// The number of attributes of one start tag.
    var attributes = 64
    /// The depth of nested elements.
    var depth = 64
    /// The size of one element's text.
    var textBytes = 4 << 20
    /// The number of items. The longest known feeds have a tenth of that.
    var items = 200_000
    /// The size of the junk before the root element.
    var preambleBytes = 64 << 10
    /// The size of the text of one entity that the document declares.
    var entityBytes = 1 << 10
    /// The total size of the expansions of such entities.
    var expandedBytes = 256 << 10
    /// The number of kinds of repair that are reported.
    var repairs = 0
}
