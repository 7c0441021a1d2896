// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// What an answer to a request for a feed means, by its head. Pure.
enum FeedVerdict: Equatable {
    /// The body is to be read.
    case read
    /// Nothing has changed.
    case unchanged
    /// Audio, where a feed was looked for.
    case audio
    case gone
    /// Asking again would not help.
    case refused(MediaFailure)
    /// It may help, at once or when the server says.
    case trouble(MediaFailure, asked: Duration?)

    /// - Parameter isConditional: whether the request held conditions.
    init(_ head: ResponseHead, isConditional: Bool = false) {
        switch head.status {
        case 200 where head.contentType?.hasPrefix("audio/") ?? false: self = .audio
        case 304 where isConditional: self = .unchanged
        case 410: self = .gone
        default: self = Self.usual(head)
        }
    }

    private static func usual(_ head: ResponseHead) -> FeedVerdict {
        switch RangeVerdict.judge(head, requested: 0, expecting: .feed) {
        case .append: .read
        case .reject(let rejection): .refused(rejection.mediaFailure)
        // Whoever says that it is too much, and not until when, is not asked again now.
        case .retry(nil, let failure) where head.status == 429: .refused(failure)
        case .retry(let asked, let failure): .trouble(failure, asked: asked)
        case .restart, .alreadyComplete, .changed:
            .refused(MediaFailure(.badProtocol, "the server sent a part where the whole was asked for"))
        }
    }
}
