// SPDX-License-Identifier: GPL-3.0-or-later

/// A list of feeds, the format in which podcast programs exchange subscriptions (OPML 2.0).
public struct OPML: Sendable, Equatable {
    /// One feed of the list.
    public struct Entry: Sendable, Equatable {
        public var title: String?
        /// An absolute http or https URL.
        public var url: String
        /// The groups that contain the feed, outermost first.
        public var group: [String]

        public init(title: String? = nil, url: String, group: [String] = []) {
            self.title = title
            self.url = url
            self.group = group
        }
    }

    /// A feed of the document that cannot be imported.
    public struct Refusal: Sendable, Equatable {
        /// The reason for a refusal.
        public enum Reason: Sendable, Equatable {
            /// The address is missing or empty.
            case noAddress
            /// This text is not an absolute URL.
            case notURL(String)
            /// A page of Apple's directory, which shows a podcast but is not its feed.
            case applePage
            /// A URL with another scheme: `javascript`, `file`, `ftp`.
            case scheme(String)
            /// An http or https URL without a host.
            case noHost
            /// The same feed is already on this line.
            case duplicate(line: Int)
        }

        /// The line in the document, from 1.
        public let line: Int
        /// The title, or else the address: at most 80 characters, on one line.
        public let excerpt: String
        public let reason: Reason
    }

    public var title: String?
    /// In document order.
    public var entries: [Entry]
    public var refused: [Refusal] = []
    /// True if the document ended before the list did. Entries may be missing.
    public var isTruncated = false

    public init(title: String? = nil, entries: [Entry]) {
        self.title = title
        self.entries = entries
    }
}

extension OPML.Refusal.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noAddress: "it has no URL"
        case .notURL(let text): "\"\(text)\" is not a URL"
        case .applePage: "it is a page of Apple's directory, not a feed"
        case .scheme(let scheme): "\(scheme): is not a scheme for feeds"
        case .noHost: "its URL names no host"
        case .duplicate(let line): "duplicate of the feed on line \(line)"
        }
    }
}

/// The reason why a document is not a list of feeds. Repaired faults are not errors.
public enum OPMLError: Error, Sendable, Equatable {
    case notOPML(FeedError.UnexpectedContent)
    case malformed(reason: String, line: Int)
    case tooLarge(limit: Int)

    init(_ error: FeedError) {
        switch error {
        case .notAFeed(let stranger): self = .notOPML(stranger)
        case .malformed(let reason, let line): self = .malformed(reason: reason, line: line)
        case .tooLarge(let limit): self = .tooLarge(limit: limit)
        }
    }
}

extension OPMLError: CustomStringConvertible {
    /// A phrase without a full stop, for use after the file's name and a colon.
    public var description: String {
        switch self {
        case .notOPML(.empty): "not OPML: it is empty"
        case .notOPML(.htmlPage): "not OPML: it is an HTML page"
        case .notOPML(.notMarkup): "not OPML: it is not XML"
        case .notOPML(.otherJSON): "not OPML: it is JSON"
        case .notOPML(.unknownRoot(let name)): "not OPML: its root element is <\(name)>"
        case .malformed(let reason, let line): "the list is broken on line \(line): \(reason)"
        case .tooLarge(let limit): "the list is larger than \(limit >> 20) MiB"
        }
    }
}
