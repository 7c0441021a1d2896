// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds
public import HTTPTransfer
public import Media

/// A subscription to the feed at an address, or to the feed that the web page there links to.
public struct Subscribing: Sendable {
    /// The outcome of subscribing.
    public enum Outcome: Sendable, Equatable {
        case subscribed(PodcastSummary)
        /// The podcast was already subscribed to.
        case known(PodcastSummary)
        /// The podcast was already subscribed to, with another password.
        case newPassword(PodcastSummary)
        /// The podcast was restored with all of the listener's data.
        case restored(PodcastSummary)
        /// The podcast returned to an address that it had left.
        case movedBack(PodcastSummary)
    }

    /// The result of subscribing to an address.
    public struct Result: Sendable, Equatable {
        public let outcome: Outcome
        /// The feeds that the page links to, the subscribed one first; empty for the address of a feed.
        public let feedsOfPage: [String]

        public init(outcome: Outcome, feedsOfPage: [String]) {
            (self.outcome, self.feedsOfPage) = (outcome, feedsOfPage)
        }
    }

    private let library: Library
    private let transport: any HTTPTransport
    private let afterRestore: (@Sendable () throws -> Void)?

    /// - Parameter afterRestore: brings the files of a restored podcast back from the trash. It may wait for the disk.
    public init(
        _ library: Library, transport: any HTTPTransport, afterRestore: (@Sendable () throws -> Void)? = nil
    ) {
        self.library = library
        self.transport = transport
        self.afterRestore = afterRestore
    }

    /// Subscribes to the podcast at `target`.
    /// - Parameters:
    ///   - target: an address as people write it: also without a scheme, with `feed:`, or with `user:password@`.
    ///   - reach: the addresses that the target may lead to.
    /// - Throws: the reason if no feed can be read; the library is then unchanged.
    public func subscribe(_ target: String, reach: AddressScope = .any) async throws(MediaFailure) -> Result {
        do {
            return try await follow(FeedAddress.typed(target), reach)
        } catch let error as LibraryError {
            throw MediaFailure(error)
        } catch let error as MediaFailure {
            throw error
        } catch {
            throw MediaFailure(.inputOutput, "\(error)")
        }
    }

    /// Returns the address of the target without its secrets, for display.
    public static func shown(_ target: String) -> String {
        RedactedURL(FeedAddress.typed(target)).description
    }

    private func follow(_ url: String, _ reach: AddressScope) async throws -> Result {
        let (address, credentials) = try Self.address(url)
        do {
            return Result(outcome: try await subscribe(to: address, credentials, reach), feedsOfPage: [])
        } catch let error as MediaFailure where error.kind == .badData && reach == .any {
            // Follows the link if the address leads to a web page.
            let (links, reach) = await FeedFetcher(transport: transport).links(onPage: url)
            guard let link = links.first else { throw error }
            let (feed, _) = try Self.address(link)
            let ownCredentials = feed.sharesOrigin(with: address) ? credentials : nil
            return Result(
                outcome: try await subscribe(to: feed, ownCredentials, reach),
                feedsOfPage: links.map(PublicAddress.text))
        }
    }

    private static func address(_ url: String) throws(MediaFailure) -> (WebAddress, Credentials?) {
        do throws(TransferError) { return try WebAddress.parse(url) } catch { throw error.mediaFailure }
    }

    private func subscribe(
        to address: WebAddress, _ credentials: Credentials?, _ reach: AddressScope
    ) async throws -> Outcome {
        do {
            return try await subscribeOnce(to: address, credentials, reach)
        } catch let error as LibraryError where error.kind == .missing {
            // Another podcast has moved to the address in the meantime, and took the place of the prepared one.
            return try await subscribeOnce(to: address, credentials, reach)
        }
    }

    private func subscribeOnce(
        to address: WebAddress, _ credentials: Credentials?, _ reach: AddressScope
    ) async throws -> Outcome {
        let login = credentials.map { Login(user: $0.user, password: $0.password) }
        let subscription = Subscription(feedURL: address.text, login: login)
        let library = library
        let place = try await DiskWork.run { try library.prepare(subscription) }
        let before = try await DiskWork.run { try library.login(for: place.id) }
        let isIncomplete = PublicAddress.lacksSecrets(try await summary(place.id).feedURL)
        if case .known(let id) = place, !isIncomplete, login == nil || login == before {
            let known = try await summary(id)
            // Requests a failing feed again: the listener may enter addresses that a feed must not link to.
            if known.feed.failures > 0 { _ = try await fetch(id, reach) }
            return .known(try await summary(id))
        }
        let taken: String?
        do {
            taken = try await fetch(place.id, reach, login, at: address.text)
        } catch {
            if case .subscribed = place { try await DiskWork.run { try library.dropPrepared(place.id) } }
            throw error
        }
        if case .subscribed = place, let taken {
            try await DiskWork.run { try library.dropPrepared(place.id) }
            return try await subscribe(to: Self.address(taken).0, nil, reach)
        }
        if case .subscribed = place,
            let former = try await DiskWork.run({
                try library.podcast(formerlyAt: address.text, besides: place.id)
            })
        {
            try await DiskWork.run { try library.dropPrepared(place.id) }
            return try await goBack(former, to: address.text, login, reach)
        }
        // The server may have asked for a pause, so that the feed was not read.
        try await DiskWork.run { try library.complete(place.id, with: address.text) }
        let outcome = try await confirm(place.id, login, for: address.text)
        if case .known(let podcast) = outcome, let login, login != before { return .newPassword(podcast) }
        return isIncomplete ? .restored(try await summary(place.id)) : outcome
    }

    /// Moves a podcast back to a former address, at which a feed was read.
    private func goBack(
        _ podcast: PodcastSummary, to url: String, _ login: Login?, _ reach: AddressScope
    ) async throws -> Outcome {
        let library = library
        try await DiskWork.run {
            try library.moveBack(podcast.id, to: url)
            if let login { try library.keep(login, for: podcast.id) }
        }
        _ = try await fetch(podcast.id, reach)
        if podcast.unsubscribedAt != nil { return try await confirm(podcast.id, login, for: url) }
        return .movedBack(try await summary(podcast.id))
    }

    /// - Parameters:
    ///   - login: the password to use instead of the stored one.
    ///   - address: the address to use if the stored one lacks its token.
    /// - Returns: the feed's permanent address if another podcast already has it.
    private func fetch(
        _ podcast: Int64, _ reach: AddressScope, _ login: Login? = nil, at address: String? = nil
    ) async throws -> String? {
        let refresh = LibraryRefresh(library, transport: transport, reach: reach, login: login, address: address)
        var last: LibraryRefresh.FeedResult?
        // Consumes the whole stream: the answer is recorded after the last news.
        for try await news in refresh.refresh([podcast], isAsked: true) { last = news }
        switch last?.outcome {
        case .failed(let failure, _): throw failure
        case .gone: throw MediaFailure(.missing, "the server reports that the feed no longer exists")
        case .changed, .unchanged, .rests, .quiet, nil: return last?.takenAddress?.url
        }
    }

    /// Confirms the subscription at the podcast's current address: the feed may have moved during the fetch.
    /// - Parameter login: the password for `url`, with which the feed was read. It is not stored for another server.
    private func confirm(_ podcast: Int64, _ login: Login?, for url: String) async throws -> Outcome {
        let library = library
        let now = try await summary(podcast)
        let isHere = NormalizedURL(now.feedURL).keepsPassword(of: NormalizedURL(url))
        let outcome = try await DiskWork.run {
            try library.subscribe(
                Subscription(feedURL: now.feedURL, title: now.title, login: isHere ? login : nil))
        }
        let summary = try await summary(podcast)
        if case .restored = outcome, let afterRestore { try await DiskWork.run(afterRestore) }
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
