// SPDX-License-Identifier: GPL-3.0-or-later

/// A list of feeds, as podcast programs exchange their subscriptions (OPML 2.0).
public struct OPML: Sendable, Equatable {
    /// One feed of the list.
    public struct Entry: Sendable, Equatable {
        public var title: String?
        /// An absolute http or https URL.
        public var url: String
        /// The groups it stands in, outermost first.
        public var group: [String]

        public init(title: String? = nil, url: String, group: [String] = []) {
            self.title = title
            self.url = url
            self.group = group
        }
    }

    /// A line that names a feed and cannot be taken.
    public struct Refusal: Sendable, Equatable {
        public enum Reason: Sendable, Equatable {
            /// It has no address, or an empty one.
            case noAddress
            case relativeAddress
            /// A page of Apple's directory: it shows a podcast and is none.
            case applePage
            /// An address of another kind: `javascript`, `file`, `ftp`.
            case scheme(String)
            /// http or https without a host.
            case noHost
            /// The same feed stands on this line already.
            case duplicate(line: Int)
        }

        /// From 1.
        public let line: Int
        /// The title or else the address: at most 80 characters, on one line.
        public let excerpt: String
        public let reason: Reason
    }

    public var title: String?
    /// In the order of the document.
    public var entries: [Entry]
    public var refused: [Refusal] = []
    /// The document ended before the list did: what stood behind is not known.
    public var isTruncated = false

    public init(title: String? = nil, entries: [Entry]) {
        self.title = title
        self.entries = entries
    }
}

extension OPML.Refusal.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noAddress: "it has no address"
        case .relativeAddress: "its address is relative"
        case .applePage: "it is a page of Apple's directory and no feed"
        case .scheme(let scheme): "\(scheme): is no address of a feed"
        case .noHost: "its address names no host"
        case .duplicate(let line): "the same feed stands on line \(line)"
        }
    }
}

/// Why bytes gave no list of feeds. What can be repaired is no error.
public enum OPMLError: Error, Sendable, Equatable {
    case notOPML(FeedError.Stranger)
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
    /// A phrase without a full stop, after the file's name and a colon.
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
