// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The meaning of a response to a request for a feed, judged by its head. Pure.
enum FeedVerdict: Equatable {
    /// The body must be read.
    case read
    /// The feed has not changed.
    case unchanged
    /// The server declares the response to be audio instead of a feed.
    case audio(type: String)
    case gone
    /// A retry would not help.
    case refused(MediaFailure)
    /// A retry may help, immediately or after the delay that the server asked for.
    case temporaryFailure(MediaFailure, asked: Duration?)

    /// - Parameter isConditional: true if the request had conditions.
    init(_ head: ResponseHead, isConditional: Bool = false) {
        switch (head.status, head.contentType) {
        case (200, let type?) where type.hasPrefix("audio/"): self = .audio(type: type)
        case (304, _) where isConditional: self = .unchanged
        case (410, _): self = .gone
        default: self = Self.usual(head)
        }
    }

    private static func usual(_ head: ResponseHead) -> FeedVerdict {
        switch RangeVerdict.judge(head, requested: 0, expecting: .feed) {
        case .append: .read
        case .reject(let rejection): .refused(rejection.mediaFailure)
        // A server that reports too many requests without a delay is not asked again in this refresh.
        case .retry(nil, let failure) where head.status == 429: .refused(failure)
        case .retry(let asked, let failure): .temporaryFailure(failure, asked: asked)
        case .restart, .alreadyComplete, .changed:
            .refused(MediaFailure(.badProtocol, "the server sent only part of the feed"))
        }
    }
}
