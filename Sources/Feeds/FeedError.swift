// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why a document is not a feed. Repaired faults are not errors.
public enum FeedError: Error, Sendable, Equatable {
    /// The kind of content received instead of a feed.
    public enum UnexpectedContent: Sendable, Equatable {
        /// Only white space.
        case empty
        case htmlPage
        /// Text or binary data without a root element.
        case notMarkup
        /// JSON of another format.
        case otherJSON
        /// XML of another format, with the name of its root element.
        case unknownRoot(String)
    }

    case notAFeed(UnexpectedContent)
    /// The document began as a feed and broke before any usable content. `line` counts from 1.
    case malformed(reason: String, line: Int)
    /// The document is larger than the limit in bytes.
    case tooLarge(limit: Int)
}

extension FeedError: CustomStringConvertible {
    /// A phrase without a full stop, for use after the feed's name and a colon.
    public var description: String {
        switch self {
        case .notAFeed(.empty): "not a feed: it is empty"
        case .notAFeed(.htmlPage): "not a feed: it is an HTML page"
        case .notAFeed(.notMarkup): "not a feed: it is not XML"
        case .notAFeed(.otherJSON): "not a feed: it is JSON of another kind"
        case .notAFeed(.unknownRoot(let name)): "not a feed: its root element is <\(name)>"
        case .malformed(let reason, let line): "the feed is broken on line \(line): \(reason)"
        case .tooLarge(let limit): "the feed is larger than \(limit >> 20) MiB"
        }
    }
}
