// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
public import Media
public import Subscriptions

/// The output of `earshot refresh`: a line for each podcast with new episodes and for each failure, and a summary.
public struct RefreshText: Sendable {
    private static let mostTitles = 3

    private let isJSON: Bool
    private let draws: Bool
    private let isQuiet: Bool
    private let isNamed: Bool
    private var total = 0
    private var done = 0
    private var newCount = 0
    private var changed = 0
    private var failed = 0
    /// The number of feeds that were not requested.
    private var resting = 0
    /// The kind of the first failure.
    public private(set) var failure: MediaFailure.Kind?

    /// - Parameters:
    ///   - draws: true if the terminal can redraw a line.
    ///   - named: true if the feeds to read were named.
    public init(json: Bool, draws: Bool, quiet: Bool, named: Bool) {
        (isJSON, self.draws, isQuiet, isNamed) = (json, draws && !json && !quiet, quiet, named)
    }

    /// Failures that a lost connection may explain. They are reported at the end, in one sentence if there are no
    /// others.
    private var unreached: [ReportText] = []

    /// True if every requested feed failed.
    public var hasFailed: Bool { failed > 0 && failed == done - resting }

    public mutating func begin(_ count: Int) { total = count }

    /// Reports the result for one feed.
    /// - Parameter titles: the titles of the new episodes, newest first.
    public mutating func news(_ news: LibraryRefresh.FeedResult, titles: [String]) -> [ReportText] {
        done += 1
        count(news.outcome)
        if isJSON { return [.output(Self.json(news))] }
        var lines = Self.lines(news, titles, isQuiet: isQuiet)
        if Self.isUnreached(news.outcome) { unreached.append(lines.removeLast()) }
        guard draws else { return lines }
        return [.error(RedrawnLine.clear)] + lines + [.error("\(done) of \(max(total, done)) feeds")]
    }

    public func finish() -> [ReportText] {
        if isJSON { return [] }
        return (draws ? [.error(RedrawnLine.clear)] : []) + outage + (isQuiet ? [] : [.error("\(sum)\n")])
    }

    /// The failures to reach a server. If no feed was reached, the first reason is reported for all of them.
    private var outage: [ReportText] {
        let others = unreached.count - 1
        guard others > 0, unreached.count == done - resting else { return unreached }
        let rest = CountText.text(others, "other feed")
        return [unreached[0], .error("\(rest) could not be reached either: are you offline?\n")]
    }

    private var sum: String {
        guard done > 0 || total > 0 else { return "No podcasts yet. Subscribe first: earshot subscribe URL" }
        guard done > resting else { return "No feeds were due." }
        let episodes = newCount == 0 ? "No new episodes" : CountText.text(newCount, "new episode")
        let podcasts = newCount == 0 ? "" : " in \(CountText.text(changed, "podcast"))"
        return "\(episodes)\(podcasts)." + lack(unreached.count, "reached") + lack(failed - unreached.count, "read")
    }

    private func lack(_ count: Int, _ what: String) -> String {
        count == 0 ? "" : " \(CountText.text(count, "feed")) could not be \(what)."
    }

    private static func isUnreached(_ outcome: LibraryRefresh.FeedResult.Outcome) -> Bool {
        guard case .failed(let failure, _) = outcome else { return false }
        return failure.kind == .unknownHost || failure.kind == .unavailable
    }

    private mutating func count(_ outcome: LibraryRefresh.FeedResult.Outcome) {
        switch outcome {
        case .changed(let new, _):
            newCount += new.count
            if !new.isEmpty { changed += 1 }
        case .unchanged: break
        case .gone: fail(.missing)
        case .failed(let failure, _): fail(failure.kind)
        // A feed that was named should have been read.
        case .rests where isNamed: fail(.temporary)
        case .rests, .quiet: resting += 1
        }
    }

    private mutating func fail(_ kind: MediaFailure.Kind) {
        failed += 1
        failure = failure ?? kind
    }

    private static func lines(
        _ news: LibraryRefresh.FeedResult, _ titles: [String], isQuiet: Bool
    ) -> [ReportText] {
        let name = PrintableText(news.name).text
        let moved = moves(of: news, isQuiet: isQuiet)
        switch news.outcome {
        case .changed(let new, _) where !new.isEmpty && !isQuiet:
            let shown = titles.prefix(mostTitles).map { PrintableText($0).text }
            let more = new.count > shown.count ? ["..."] : []
            return moved + [.output("\(name): \(new.count) new: \((shown + more).joined(separator: "; "))\n")]
        case .failed(let failure, _):
            let reason = SubscribeText.withAdvice(failure).reason
            return moved + [.error("\(name): \(PrintableText(reason).text)\n")]
        case .gone: return [.error("\(name): the feed no longer exists; its episodes stay in the library\n")]
        case .quiet(let time, _) where !isQuiet:
            return [.error("\(name): its server refuses requests until \(DateText.minute(time))\n")]
        case .changed, .unchanged, .rests, .quiet: return moved
        }
    }

    private static func moves(of news: LibraryRefresh.FeedResult, isQuiet: Bool) -> [ReportText] {
        var sentences: [String] = []
        if let url = news.newAddress { sentences.append("\(news.name) has moved to \(news.shown(url))") }
        if let unread = news.unreadAddress, !isQuiet {
            let announcement = "\(news.name) announces a move to \(news.shown(unread.url))"
            sentences.append("\(announcement), but no feed could be read there: \(unread.failure.reason)")
        }
        if let owner = news.takenAddress?.owner, !isQuiet { sentences.append(duplicate(news, of: owner)) }
        return sentences.map(LibraryRemark.message)
    }

    private static func duplicate(_ news: LibraryRefresh.FeedResult, of owner: PodcastSummary) -> String {
        let number = PodcastTable.number(owner.id)
        let move = "\"\(news.name)\" has moved to the address of \"\(owner.name)\" (\(number))"
        guard owner.unsubscribedAt == nil else { return "\(move), from which you unsubscribed" }
        return "\(move): earshot unsubscribe \(PodcastTable.number(news.podcast))"
    }

    private static func json(_ news: LibraryRefresh.FeedResult) -> String {
        var outcome = "unchanged"
        var (new, edited) = ([Int64](), 0)
        var failure: MediaFailure?
        var retryAfter: Duration?
        switch news.outcome {
        case .changed(let ids, let count): (outcome, new, edited) = ("changed", ids, count)
        case .unchanged: break
        case .gone: outcome = "gone"
        case .failed(let reason, let time): (outcome, failure, retryAfter) = ("failed", reason, time)
        case .rests: outcome = "resting"
        case .quiet(_, let time): (outcome, retryAfter) = ("resting", time)
        }
        let newAddress = news.newAddress ?? news.takenAddress?.url
        failure = failure ?? news.unreadAddress?.failure
        return LibraryJSON.line(.object([
            .init("podcast", .integer(news.podcast)),
            .init("title", .string(news.name)),
            .init("outcome", .string(outcome)),
            .init("new", .array(new.map(JSONValue.integer))),
            .init("edited", .integer(Int64(edited))),
            .init("kind", LibraryJSON.text(failure?.kind.name)),
            .init("reason", LibraryJSON.text(failure?.reason)),
            .init("retryAfter", LibraryJSON.seconds(retryAfter)),
            .init("newAddress", LibraryJSON.text(newAddress.map(news.shown))),
            .init("unreadAddress", LibraryJSON.text(news.unreadAddress.map { news.shown($0.url) })),
        ]))
    }
}
