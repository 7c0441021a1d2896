// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Subscriptions

struct GatedSink: FeedSink {
    let gate: Gate

    func receive(_ episodes: [ParsedEpisode]) { gate.pass() }
    func finished(_ feed: ParsedFeed) {}
    func abandoned() {}
}
