// SPDX-License-Identifier: GPL-3.0-or-later
public import HTTPTransfer
import Media

/// What came of a refresh as a whole. Pure.
public struct RefreshSummary: Sendable, Equatable {
    /// A feed that brought nothing, and why.
    public struct Loss: Sendable, Equatable {
        public var id: Int64
        public var url: RedactedURL
        /// A phrase.
        public var reason: String
        /// How long the server has asked to be left alone.
        public var retryAfter: Duration?
    }

    public private(set) var changed = 0
    public private(set) var unchanged = 0
    /// In the feeds that have changed, new ones and those that were known.
    public private(set) var episodes = 0
    /// Never to be asked for again, by `RefreshOrder.id`.
    public private(set) var gone: [Int64] = []
    /// In the order in which they ended.
    public private(set) var losses: [Loss] = []

    public init() {}

    public var feeds: Int { changed + unchanged + gone.count + losses.count }

    public mutating func note(_ report: RefreshReport) {
        switch report.outcome {
        case .unchanged: unchanged += 1
        case .changed(_, _, let count): (changed, episodes) = (changed + 1, episodes + count)
        case .gone: gone.append(report.order.id)
        case .notAFeed(let reason): lose(report.order, reason, nil)
        case .failed(let failure, let retryAfter): lose(report.order, failure.reason, retryAfter)
        }
    }

    private mutating func lose(_ order: RefreshOrder, _ reason: String, _ retryAfter: Duration?) {
        losses.append(Loss(id: order.id, url: RedactedURL(order.url), reason: reason, retryAfter: retryAfter))
    }
}
