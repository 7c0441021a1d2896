// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import HTTPTransfer
import Listening
import Media
import Testing

@Suite("RefreshSummary")
struct RefreshSummaryTests {
    @Test("it counts what came and says what did not, and why, without secrets")
    func summary() {
        let answer = FeedAnswer(version: FeedVersion())
        let outcomes: [RefreshOutcome] = [
            .changed(answer, ParsedFeed(), episodes: 3), .unchanged(answer), .gone,
            .notAFeed("not a feed: it is empty"), .failed(MediaFailure(.temporary, "busy"), retryAfter: .seconds(60)),
            .changed(answer, ParsedFeed(), episodes: 4),
        ]
        var summary = RefreshSummary()
        for (id, outcome) in outcomes.enumerated() {
            let order = RefreshOrder(id: Int64(id), url: "https://me:secret@example.org/\(id)?token=secret")
            summary.note(RefreshReport(order: order, outcome: outcome))
        }
        #expect(summary.changed == 2 && summary.episodes == 7 && summary.unchanged == 1 && summary.feeds == 6)
        #expect(summary.gone == [2])
        #expect(summary.losses.map(\.id) == [3, 4])
        #expect(summary.losses.map(\.reason) == ["not a feed: it is empty", "busy"])
        #expect(summary.losses.map(\.retryAfter) == [nil, .seconds(60)])
        #expect(summary.losses.map(\.url.description) == ["https://example.org/3", "https://example.org/4"])
    }
}
