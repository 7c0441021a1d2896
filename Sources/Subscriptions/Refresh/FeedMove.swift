// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The decision whether a podcast moves to another address. Pure.
///
/// A permanent redirect or `itunes:new-feed-url` announces a move. An attacker who can forge either could take over
/// the podcast, so the old address is worth keeping.
public enum FeedMove: Sendable, Equatable {
    /// The reason for refusing a move.
    public enum Objection: Sendable, Equatable, CaseIterable {
        /// No feed was read at the new address.
        case notRead
        /// The move would lead from https to http.
        case insecure
        /// The move was announced over plain http, where anyone on the path can forge it.
        case unproven
        /// The podcast has already left the new address.
        case circle
    }

    case stays
    /// The feed was read at the new address.
    case moved(to: String)
    /// The feed announces the new address; the podcast moves after a feed was read there that does not lead back.
    case announced(at: String)
    case refused(String, Objection)

    /// Decides on a move.
    /// - Parameters:
    ///   - asked: the address that the listener is subscribed to.
    ///   - permanent: `FeedAnswer.permanentURL`.
    ///   - announced: `ParsedFeed.newFeedURL`; most feeds give their own address.
    ///   - isRead: true if the response was a feed, or if it reported no change.
    ///   - isProven: `FeedAnswer.isProven`.
    ///   - left: the addresses that the podcast has left in this refresh.
    public static func decide(
        from asked: String, redirectedTo permanent: String?, announcing announced: String?, isRead: Bool,
        isProven: Bool, left: [String] = []
    ) -> FeedMove {
        let known = Set((left + [asked]).map(NormalizedURL.init))
        let here = permanent.flatMap { NormalizedURL($0) == NormalizedURL(asked) ? nil : $0 }
        if let announced, !known.contains(NormalizedURL(announced)),
            NormalizedURL(announced) != here.map(NormalizedURL.init)
        {
            let objection = isRead ? objection(to: announced, of: asked, isProven) : .notRead
            return objection.map { .refused(announced, $0) } ?? .announced(at: announced)
        }
        guard let here else { return .stays }
        if known.contains(NormalizedURL(here)) { return .refused(here, .circle) }
        if !isRead { return .refused(here, .notRead) }
        let objection = objection(to: here, of: asked, isProven)
        return objection.map { .refused(here, $0) } ?? .moved(to: here)
    }

    private static func objection(to there: String, of asked: String, _ isProven: Bool) -> Objection? {
        let (there, here) = (NormalizedURL(there), NormalizedURL(asked))
        // The upgrade to TLS stays on the same server.
        if there.isUpgrade(of: here) { return nil }
        guard isProven else { return .unproven }
        return there.scheme == "https" ? nil : .insecure
    }
}
