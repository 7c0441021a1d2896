// SPDX-License-Identifier: GPL-3.0-or-later

/// Whether a podcast has another address from now on. Pure.
///
/// A redirect for good and `itunes:new-feed-url` say so. Whoever can forge either takes the podcast away, so the old
/// address is worth keeping.
public enum FeedMove: Sendable, Equatable {
    public enum Objection: Sendable, Equatable, CaseIterable {
        /// Nothing was read there that would be the podcast.
        case notRead
        /// It would lead from https to http.
        case insecure
        /// It was said over plain http, where anybody on the way can say so.
        case unproven
        /// The podcast was there and has left.
        case circle
    }

    case stays
    /// The feed was read there.
    case moved(to: String)
    /// The feed says it is there: the podcast moves once a feed was read there that does not lead back.
    case announced(at: String)
    case refused(String, Objection)

    /// - Parameters:
    ///   - asked: the address that the listener has subscribed to.
    ///   - permanent: `FeedAnswer.permanentURL`.
    ///   - announced: `ParsedFeed.newFeedURL`; most feeds name themselves.
    ///   - isRead: whether the answer was a feed, or that it has not changed.
    ///   - isProven: `FeedAnswer.isProven`.
    ///   - left: addresses that the podcast has left in this refresh.
    public static func decide(
        from asked: String, redirectedTo permanent: String?, announcing announced: String?, isRead: Bool,
        isProven: Bool, left: [String] = []
    ) -> FeedMove {
        let known = Set((left + [asked]).map(FeedAddress.init))
        let here = permanent.flatMap { FeedAddress($0) == FeedAddress(asked) ? nil : $0 }
        if let announced, !known.contains(FeedAddress(announced)),
            FeedAddress(announced) != here.map(FeedAddress.init)
        {
            let objection = isRead ? objection(to: announced, of: asked, isProven) : .notRead
            return objection.map { .refused(announced, $0) } ?? .announced(at: announced)
        }
        guard let here else { return .stays }
        if known.contains(FeedAddress(here)) { return .refused(here, .circle) }
        if !isRead { return .refused(here, .notRead) }
        let objection = objection(to: here, of: asked, isProven)
        return objection.map { .refused(here, $0) } ?? .moved(to: here)
    }

    private static func objection(to there: String, of asked: String, _ isProven: Bool) -> Objection? {
        let (there, here) = (FeedAddress(there), FeedAddress(asked))
        // What is read there by TLS is the same server's.
        if there.isUpgrade(of: here) { return nil }
        guard isProven else { return .unproven }
        return there.scheme == "https" ? nil : .insecure
    }
}
