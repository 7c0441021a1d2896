// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import HTTPTransfer
public import Media

/// Subscribes to what an address leads to: a feed, or a web page that names one.
public struct Subscribing: Sendable {
    public enum Outcome: Sendable, Equatable {
        case subscribed(PodcastSummary)
        /// It was there already.
        case known(PodcastSummary)
        /// It is back, with everything the listener did with it.
        case restored(PodcastSummary)
        /// It is at an address again that it had left.
        case movedBack(PodcastSummary)
    }

    /// What became of an address.
    public struct Result: Sendable, Equatable {
        public let outcome: Outcome
        /// The feeds of a page, the one that was taken first; empty for the address of a feed.
        public let feedsOfPage: [String]

        public init(outcome: Outcome, feedsOfPage: [String]) {
            (self.outcome, self.feedsOfPage) = (outcome, feedsOfPage)
        }
    }

    private let library: Library
    private let transport: any HTTPTransport
    private let downloads: LibraryDownloads?

    /// - Parameter downloads: where those of a podcast that is back come out of the trash.
    public init(_ library: Library, transport: any HTTPTransport, downloads: LibraryDownloads? = nil) {
        self.library = library
        self.transport = transport
        self.downloads = downloads
    }

    /// - Parameter target: as people write it: also without a scheme, with `feed:`, or with `user:password@`.
    /// - Throws: why there is no feed to be had; the library is then as it was.
    public func subscribe(_ target: String) async throws(MediaFailure) -> Result {
        do {
            return try await follow(FeedScheme.webAddress(target))
        } catch let error as LibraryError {
            throw MediaFailure(error)
        } catch let error as MediaFailure {
            throw error
        } catch {
            throw MediaFailure(.inputOutput, "\(error)")
        }
    }

    /// A target as it may be shown: the address that is asked, without its secrets.
    public static func shown(_ target: String) -> String {
        RedactedURL(FeedScheme.webAddress(target)).description
    }

    private func follow(_ url: String) async throws -> Result {
        let address = try Self.address(url)
        do {
            return Result(outcome: try await subscribe(to: address, address.credentials, .any), feedsOfPage: [])
        } catch let error as MediaFailure where error.kind == .badData {
            // A page that says where its feed is will do.
            let (links, reach) = await FeedFetcher(transport: transport).links(onPage: url)
            guard let link = links.first else { throw error }
            let feed = try Self.address(link)
            let credentials = feed.isOfOneOrigin(with: address) ? address.credentials : nil
            return Result(
                outcome: try await subscribe(to: feed, credentials, reach),
                feedsOfPage: links.map(PublicAddress.text))
        }
    }

    private static func address(_ url: String) throws(MediaFailure) -> BareURL {
        do throws(TransferError) { return try BareURL(url) } catch { throw error.mediaFailure }
    }

    private func subscribe(
        to address: BareURL, _ credentials: Credentials?, _ reach: AddressReach
    ) async throws -> Outcome {
        let login = credentials.map { Login(user: $0.user, password: $0.password) }
        let subscription = Subscription(feedURL: address.text, login: login)
        let library = library
        let place = try await DiskWork.run { try library.prepare(subscription) }
        let before = try await DiskWork.run { try library.login(for: place.id) }
        let incomplete = try await DiskWork.run { try library.complete(place.id, with: address.text) }
        if case .known(let id) = place, incomplete == nil, login == nil || login == before {
            let known = try await summary(id)
            // One that could not be had is asked again: what a feed may not name, the listener may.
            if known.feed.failures > 0 { _ = try await fetch(id, reach) }
            return .known(try await summary(id))
        }
        // A new password counts where it works.
        if let login { try await DiskWork.run { try library.keep(login, for: place.id) } }
        let taken: String?
        do {
            taken = try await fetch(place.id, reach)
        } catch {
            try await DiskWork.run {
                if case .subscribed = place { return try library.dropPrepared(place.id) }
                try library.keep(before, for: place.id)
                if let incomplete { try library.takeBack(incomplete, of: place.id) }
            }
            throw error
        }
        if case .subscribed = place, let taken {
            try await DiskWork.run { try library.dropPrepared(place.id) }
            return try await subscribe(to: Self.address(taken), nil, reach)
        }
        if case .subscribed = place, let former = try await DiskWork.run({
            try library.podcast(formerlyAt: address.text, besides: place.id)
        }) {
            try await DiskWork.run { try library.dropPrepared(place.id) }
            return try await goBack(former, to: address.text, login, reach)
        }
        let outcome = try await confirm(place.id)
        return incomplete == nil ? outcome : .restored(try await summary(place.id))
    }

    /// A feed was read where the podcast was before it moved: it is there again.
    private func goBack(
        _ podcast: PodcastSummary, to url: String, _ login: Login?, _ reach: AddressReach
    ) async throws -> Outcome {
        let library = library
        try await DiskWork.run {
            try library.moveBack(podcast.id, to: url)
            if let login { try library.keep(login, for: podcast.id) }
        }
        _ = try await fetch(podcast.id, reach)
        if podcast.unsubscribedAt != nil { return try await confirm(podcast.id) }
        return .movedBack(try await summary(podcast.id))
    }

    /// - Returns: where it is for good, where another podcast lives there.
    private func fetch(_ podcast: Int64, _ reach: AddressReach) async throws -> String? {
        let refresh = LibraryRefresh(library, transport: transport, reach: reach)
        var last: LibraryRefresh.News?
        // To its end: what is known of the answer is noted after the news.
        for try await news in refresh.refresh([podcast], isAsked: true) { last = news }
        switch last?.outcome {
        case .failed(let failure, _): throw failure
        case .gone: throw MediaFailure(.missing, "the server says that the feed is gone for good")
        case .changed, .unchanged, .rests, .quiet, nil: return last?.takenAddress
        }
    }

    /// The feed may have moved while it was fetched.
    private func confirm(_ podcast: Int64) async throws -> Outcome {
        let library = library
        let now = try await summary(podcast)
        let outcome = try await DiskWork.run {
            try library.subscribe(Subscription(feedURL: now.feedURL, title: now.title))
        }
        let summary = try await summary(podcast)
        if case .restored = outcome, let downloads { try await DiskWork.run { try downloads.settleTrash() } }
        switch outcome {
        case .subscribed: return .subscribed(summary)
        case .known: return .known(summary)
        case .restored: return .restored(summary)
        }
    }

    private func summary(_ podcast: Int64) async throws -> PodcastSummary {
        let library = library
        return try await DiskWork.run { try library.podcast(podcast) }
    }
}
