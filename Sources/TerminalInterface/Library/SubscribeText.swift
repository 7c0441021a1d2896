// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
public import Media
public import Subscriptions

/// The output of `earshot subscribe` for one address.
public enum SubscribeText {
    public static func plain(_ result: Subscribing.Result) -> [ReportText] {
        page(result.feedsOfPage) + plain(result.outcome)
    }

    /// Reports the choice if a page lists several feeds.
    private static func page(_ feeds: [String]) -> [ReportText] {
        guard feeds.count > 1, let first = feeds.first else { return [] }
        let others = feeds.dropFirst().map { LibraryRemark.message("Not used: \($0)") }
        return [LibraryRemark.message("The page lists \(feeds.count) feeds. Using: \(first)")] + others
    }

    static func plain(_ outcome: Subscribing.Outcome) -> [ReportText] {
        switch outcome {
        case .subscribed(let podcast):
            let count = CountText.text(podcast.episodeCount, "episode")
            return [.output("\(number(podcast))  \(PrintableText(podcast.name).text)  (\(count))\n")] + cut(podcast)
        case .known(let podcast):
            return [LibraryRemark.message("\"\(podcast.name)\" is already in the library as \(number(podcast)).")]
        case .newPassword(let podcast):
            return [LibraryRemark.message("The password of \"\(podcast.name)\" (\(number(podcast))) was replaced.")]
        case .restored(let podcast):
            return [.output("\(number(podcast))  \(PrintableText(podcast.name).text)  (restored)\n")]
        case .movedBack(let podcast):
            let moved = "\"\(podcast.name)\" moved back to \(podcast.shownFeedURL)."
            return [LibraryRemark.message("\(moved) \"earshot undo\" undoes this.")]
        }
    }

    /// Reports a feed of which no whole document was read yet.
    private static func cut(_ podcast: PodcastSummary) -> [ReportText] {
        guard podcast.feed.succeededAt != nil, podcast.feed.fullAt == nil else { return [] }
        let remark = "Only a part of the feed of \"\(podcast.name)\" could be read."
        return [LibraryRemark.message("\(remark) \"earshot refresh\" requests all of it again.")]
    }

    private static func number(_ podcast: PodcastSummary) -> String { PodcastTable.number(podcast.id) }

    /// Adds advice to a failure caused by a missing password.
    public static func withAdvice(_ failure: MediaFailure) -> MediaFailure {
        guard failure.needsPassword else { return failure }
        let advice = "earshot subscribe https://NAME:PASSWORD@..., or earshot subscribe - to type it"
        return MediaFailure(failure.kind, "\(failure.reason): \(advice)")
    }

    public static func json(_ result: Subscribing.Result) -> [ReportText] {
        let outcome = result.outcome
        let (word, podcast) =
            switch outcome {
            case .subscribed(let podcast): ("subscribed", podcast)
            case .known(let podcast): ("known", podcast)
            case .newPassword(let podcast): ("newPassword", podcast)
            case .restored(let podcast): ("restored", podcast)
            case .movedBack(let podcast): ("movedBack", podcast)
            }
        return [.output(LibraryJSON.line(.object([
            .init("outcome", .string(word)), .init("podcast", LibraryJSON.podcast(podcast)),
            .init("otherFeeds", .array(result.feedsOfPage.dropFirst().map(JSONValue.string))),
        ])))]
    }
}
