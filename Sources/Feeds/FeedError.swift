// SPDX-License-Identifier: GPL-3.0-or-later

/// Why bytes gave no feed. What can be repaired is no error.
public enum FeedError: Error, Sendable, Equatable {
    /// What came instead of a feed.
    public enum Stranger: Sendable, Equatable {
        /// Nothing but white space.
        case empty
        case htmlPage
        /// Text or binary data without a root element.
        case notMarkup
        /// JSON of another kind.
        case otherJSON
        /// XML of another kind; the root element's name.
        case unknownRoot(String)
    }

    case notAFeed(Stranger)
    /// It began as a feed and broke before anything of use came. `line` counts from 1.
    case malformed(reason: String, line: Int)
    /// More bytes than a feed may have.
    case tooLarge(limit: Int)
}

extension FeedError: CustomStringConvertible {
    /// A phrase without a full stop, after the feed's name and a colon.
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
