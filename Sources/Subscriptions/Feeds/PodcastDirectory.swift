// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
public import HTTPTransfer
public import Media

/// A search for podcasts in the directory that the listener chose.
public struct PodcastDirectory: Sendable {
    /// A podcast that the directory lists.
    public struct Entry: Sendable, Equatable {
        public let title: String
        /// An absolute http or https URL.
        public let feedURL: String
        public let author: String?
        public let episodeCount: Int?

        public init(title: String, feedURL: String, author: String? = nil, episodeCount: Int? = nil) {
            (self.title, self.feedURL, self.author, self.episodeCount) = (title, feedURL, author, episodeCount)
        }

        init(_ entry: DirectoryEntry) {
            self.init(
                title: entry.title, feedURL: entry.feedURL, author: entry.author, episodeCount: entry.episodeCount)
        }
    }

    /// The result of a search.
    public struct Answer: Sendable, Equatable {
        public let entries: [Entry]
        /// True if the directory found more podcasts.
        public let isCut: Bool
        /// The addresses that the entries may lead to.
        public let reach: AddressScope
    }

    private let address: String
    private let transport: any HTTPTransport

    /// - Parameter address: the address of a search; `{words}` in it stands for the words.
    public init(address: String, transport: any HTTPTransport) {
        (self.address, self.transport) = (address, transport)
    }

    /// Searches for podcasts.
    /// - Throws: the reason if the directory does not answer, or not with a list of podcasts.
    public func search(_ words: String) async throws(MediaFailure) -> Answer {
        let url = address.replacing("{words}", with: Self.encoded(words))
        let request = HTTPRequest(url: url, accept: .compressed, longestBody: Int64(DirectoryDocument.longest))
        let document = try await DocumentFetcher(transport: transport, timeout: .seconds(30)).fetch(request)
        guard let answer = document.bytes.withUnsafeBytes(DirectoryDocument.parse) else {
            throw MediaFailure(.badData, "the answer is not a list of podcasts")
        }
        return Answer(
            entries: answer.entries.map(Entry.init), isCut: answer.isCut,
            reach: AddressScope.any.named(by: document.head.source))
    }

    /// Encodes all bytes but unreserved characters (RFC 3986 section 2.3).
    static func encoded(_ words: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = words.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
