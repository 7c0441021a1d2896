// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import TerminalInterface
import Testing

@testable import Subscriptions

@Suite("Output of `earshot import`")
struct ImportTextTests {
    private typealias Line = SubscriptionImport.Line

    private func text(
        _ lines: [Line], _ restored: Library.RestoreResult? = nil, hasChanged: Bool = true
    ) -> [ReportText] {
        ImportText.plain(SubscriptionImport.Report(lines: lines, restored: restored, hasChanged: hasChanged))
    }

    @Test("New podcasts and rejected entries have a line each, and the summary counts all")
    func lines() {
        let texts = text([
            Line(name: "Harbour Tales", outcome: .subscribed(.subscribed(3))),
            Line(name: "Sea News", outcome: .subscribed(.known(1))),
            Line(name: "Bad", outcome: .refused(line: 7, reason: "not an http address")),
            Line(name: "", outcome: .refused(line: nil, reason: "too long")),
        ])
        #expect(texts.output == "p3  Harbour Tales\n")
        #expect(
            texts.errors == """
                earshot: line 7: Bad: not an http address
                earshot: too long
                Imported 1 podcast, 1 already present, 2 rejected. Run "earshot refresh" to fetch the episodes.

                """)
    }

    @Test("An import that changes nothing has no summary")
    func unchanged() {
        let lines = [
            Line(name: "Sea News", outcome: .subscribed(.known(1))),
            Line(name: "Bad", outcome: .refused(line: 7, reason: "not a URL")),
        ]
        let texts = text(lines, Library.RestoreResult(), hasChanged: false)
        #expect(texts.output == "" && texts.errors == "earshot: line 7: Bad: not a URL\n")
    }

    @Test("A podcast whose secrets are missing gets advice")
    func advice() {
        let errors = text([
            Line(name: "Paid", outcome: .subscribed(.subscribed(1)), need: .privateAddress),
            Line(name: "Locked", outcome: .subscribed(.subscribed(2)), need: .password),
        ]).errors
        #expect(errors.contains("\"Paid\" needs its private URL: earshot subscribe URL\n"))
        #expect(errors.contains("\"Locked\" needs its password: type it with the URL in \"earshot subscribe -\"\n"))
    }

    @Test("The other restored content is counted by kind")
    func restored() {
        var result = Library.RestoreResult()
        #expect(text([], result).errors.hasSuffix("bookmarks and settings are up to date.\n"))
        (result.positions, result.queued, result.bookmarks, result.settings) = (1, 2, 1, 0)
        (result.smartQueues, result.listeningDays, result.transcriptShifts) = (3, 1, 1)
        #expect(
            text([], result).errors.hasSuffix(
                "Restored: 1 position or mark, 2 queued episodes, 1 bookmark, 3 smart queues, 1 day of listening, "
                    + "1 shift of a transcript.\n"))
    }
}
