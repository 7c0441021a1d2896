// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds
public import HTTPTransfer
import Media

/// The fetching of the documents of chapters to which feeds refer: after a refresh of the feeds, and for played
/// episodes.
public struct ChapterDocumentRefresh: Sendable {
    /// The most documents of one refresh; the next ones fetch the rest.
    private static let most = 50
    private static let concurrent = 4
    /// The time after which no further request starts.
    private static let timeout = Duration.seconds(20)

    private let library: Library
    private let fetcher: DocumentFetcher

    public init(_ library: Library, transport: any HTTPTransport) {
        self.library = library
        fetcher = DocumentFetcher(transport: transport, timeout: .seconds(10))
    }

    /// Fetches and stores the documents that are due. A failure is stored; it does not end the refresh.
    /// - Parameter podcasts: the podcasts whose servers have answered.
    public func run(of podcasts: Set<Int64>) async throws(LibraryError) {
        guard !podcasts.isEmpty else { return }
        let library = library
        let due = try await DiskWork.run { () throws(LibraryError) in
            try library.dueChapterDocuments(of: podcasts, limit: Self.most)
        }
        guard !due.isEmpty else { return }
        let feeds = try await DiskWork.run { () throws(LibraryError) in
            try library.feeds(Array(Set(due.map(\.podcast))))
        }
        let requests = due.compactMap { document in
            feeds.first { $0.id == document.podcast }.map { (document, Self.request(document, $0)) }
        }
        for (document, result) in await fetch(requests) {
            try await DiskWork.run { () throws(LibraryError) in
                switch result {
                case .success(let list): try library.store(list, from: document)
                case .failure(let failure): try library.noteChapterFailure(failure.reason, of: document)
                }
            }
        }
    }

    /// Fetches and stores the document of an episode that is played, if it is due. A lost connection is not noted: the
    /// next time tries again.
    /// - Returns: true if it was stored.
    public func fetch(ofPlayed episode: Int64) async throws(LibraryError) -> Bool {
        let library = library
        let due = try await DiskWork.run { () throws(LibraryError) -> (ChapterDocument, SubscribedFeed)? in
            guard let document = try library.dueChapterDocument(ofPlayed: episode),
                let feed = try library.feeds([document.podcast]).first
            else { return nil }
            return (document, feed)
        }
        guard let (document, feed) = due else { return false }
        let result = await Self.list(Self.request(document, feed), fetcher)
        return try await DiskWork.run { () throws(LibraryError) in
            switch result {
            case .success(let list): try library.store(list, from: document)
            case .failure(let failure) where [.missing, .badData].contains(failure.kind):
                try library.noteChapterFailure(failure.reason, of: document)
                return false
            case .failure: return false
            }
            return true
        }
    }

    /// Returns the request of a document. The password of the feed is only sent to its own origin.
    private static func request(_ document: ChapterDocument, _ feed: SubscribedFeed) -> HTTPRequest {
        HTTPRequest(
            url: document.url, accept: .compressed, namedBy: feed.url,
            credentials: feed.login.map { Credentials(user: $0.user, password: $0.password) },
            reach: feed.state.isPublic ? .publicOnly() : .any, longestBody: Int64(ChaptersDocument.longest))
    }

    private typealias Answer = (ChapterDocument, Result<ChapterList, MediaFailure>)

    private func fetch(_ requests: [(ChapterDocument, HTTPRequest)]) async -> [Answer] {
        let end = ContinuousClock.now + Self.timeout
        return await withTaskGroup(of: Answer.self) { group in
            var (answers, rest): ([Answer], _) = ([], requests[...])
            let start = { (group: inout TaskGroup<Answer>) in
                guard ContinuousClock.now < end, let (document, request) = rest.popFirst() else { return }
                group.addTask { [fetcher] in (document, await Self.list(request, fetcher)) }
            }
            for _ in 0..<Self.concurrent { start(&group) }
            for await answer in group {
                answers.append(answer)
                start(&group)
            }
            return answers
        }
    }

    private static func list(
        _ request: HTTPRequest, _ fetcher: DocumentFetcher
    ) async -> Result<ChapterList, MediaFailure> {
        do throws(MediaFailure) {
            return list(try await fetcher.fetch(request))
        } catch {
            return .failure(error)
        }
    }

    private static func list(_ document: DocumentFetcher.Document) -> Result<ChapterList, MediaFailure> {
        document.bytes.withUnsafeBytes { bytes in
            Result { () throws(ChaptersDocument.Failure) in
                try ChaptersDocument.parse(
                    bytes, baseURL: document.head.finalURL, contentType: document.head.fields["content-type"])
            }
        }.mapError { MediaFailure(.badData, $0.description) }
    }
}
