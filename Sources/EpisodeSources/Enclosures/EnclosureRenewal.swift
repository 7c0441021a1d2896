// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import HTTPTransfer
import Media
import ProgressiveDownload
import Subscriptions

/// The renewal of an episode's address from its feed, because signed addresses expire.
public struct EnclosureRenewal: Sendable {
    private let library: Library
    private let transport: any HTTPTransport

    /// The timeout; the listener is waiting.
    private static let timeout = Duration.seconds(30)

    public init(_ library: Library, transport: any HTTPTransport) {
        self.library = library
        self.transport = transport
    }

    /// Returns a closure that fetches the episode's current address.
    /// - Parameter url: the address that the server refused.
    func renewal(of episode: Int64, instead url: String) -> EpisodeDownload.Renewal {
        { await renew(episode, instead: url) }
    }

    private func renew(_ episode: Int64, instead url: String) async -> AddressRenewal {
        let library = library
        do {
            let podcast = try await DiskWork.run { try library.episode(episode).podcast }
            let refresh = LibraryRefresh(library, transport: transport, within: Self.timeout)
            for try await news in refresh.refresh([podcast], isAsked: true) {
                if let reason = news.outcome.failure { return .failed(reason) }
            }
            let resolved = try await DiskWork.run { try LibraryTargets(library).resolved(library.episode(episode)) }
            guard case .remote(let enclosure) = resolved.origin, enclosure.url != url else { return .same }
            return .renewed(enclosure.request)
        } catch let error as LibraryError {
            return .failed(error.reason)
        } catch {
            return .failed("\(error)")
        }
    }
}

extension LibraryRefresh.FeedResult.Outcome {
    /// The reason why the feed was not read; `nil` if it was.
    fileprivate var failure: String? {
        switch self {
        case .changed, .unchanged: nil
        case .gone: "the feed no longer exists"
        case .failed(let failure, _): failure.reason
        case .rests, .quiet: "its server refuses requests for now"
        }
    }
}
