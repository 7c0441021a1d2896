// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
public import Subscriptions

/// The output of `earshot import`: a line for each new podcast and each rejected entry, and a summary of the changes.
public enum ImportText {
    public static func plain(_ report: SubscriptionImport.Report) -> [ReportText] {
        var (new, known, refused) = (0, 0, 0)
        let texts = report.lines.compactMap { line -> ReportText? in
            let name = PrintableText(line.name).text
            switch line.outcome {
            case .subscribed(.known):
                known += 1
                return nil
            case .subscribed(let outcome):
                new += 1
                return .output("\(PodcastTable.number(outcome.id))  \(name)\n")
            case .refused(let number, let reason):
                refused += 1
                let place = number.map { "line \($0): " } ?? ""
                return .error("earshot: \(place)\(name.isEmpty ? "" : name + ": ")\(PrintableText(reason).text)\n")
            }
        }
        let remarks = texts + report.lines.compactMap(need) + unusable(report.restored?.unusableSettings ?? [])
        guard report.hasChanged else { return remarks }
        return remarks + [LibraryRemark.message(sum(new, known, refused))]
            + [report.restored.map { LibraryRemark.message(sum($0)) }].compactMap { $0 }
    }

    private static func unusable(_ settings: Set<String>) -> [ReportText] {
        guard !settings.isEmpty else { return [] }
        let keys = settings.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        return [
            LibraryRemark.message(
                settings.count == 1
                    ? "The setting \(keys) was left out: this version cannot use its value."
                    : "The settings \(keys) were left out: this version cannot use their values.")
        ]
    }

    private static func sum(_ new: Int, _ known: Int, _ refused: Int) -> String {
        let parts = [
            "Imported \(CountText.text(new, "podcast"))", known > 0 ? "\(known) already present" : nil,
            refused > 0 ? "\(refused) rejected" : nil,
        ]
        let next = new > 0 ? " Run \"earshot refresh\" to fetch the episodes." : ""
        return parts.compactMap { $0 }.joined(separator: ", ") + "." + next
    }

    /// Returns advice if the podcast needs a password or its private address.
    private static func need(_ line: SubscriptionImport.Line) -> ReportText? {
        switch line.need {
        case .privateAddress:
            LibraryRemark.message("\"\(line.name)\" needs its private URL: earshot subscribe URL")
        case .password:
            LibraryRemark.message(
                "\"\(line.name)\" needs its password: type it with the URL in \"earshot subscribe -\"")
        case nil: nil
        }
    }

    private static func sum(_ restored: Library.RestoreResult) -> String {
        guard !restored.isEmpty else {
            return "Positions, marks, queues, bookmarks and settings are up to date."
        }
        let parts = [
            count(restored.positions, "position or mark", "positions and marks"),
            count(restored.queued, "queued episode", "queued episodes"),
            count(restored.bookmarks, "bookmark", "bookmarks"), count(restored.settings, "setting", "settings"),
            count(restored.smartQueues, "smart queue", "smart queues"),
            count(restored.listeningDays, "day of listening", "days of listening"),
            count(restored.transcriptShifts, "shift of a transcript", "shifts of transcripts"),
            count(restored.merges, "merged episode", "merged episodes"),
        ]
        return "Restored: " + parts.compactMap { $0 }.joined(separator: ", ") + "."
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String? {
        count == 0 ? nil : CountText.text(count, one, many)
    }

    public static func json(_ lines: [SubscriptionImport.Line]) -> [ReportText] {
        lines.map { line in
            let (word, id, number, reason) = parts(line.outcome)
            return .output(
                LibraryJSON.line(
                    .object([
                        .init("name", .string(line.name)),
                        .init("outcome", .string(word)),
                        .init("podcast", .optional(id, JSONValue.integer)),
                        .init("line", LibraryJSON.number(number)),
                        .init("reason", LibraryJSON.text(reason)),
                    ])))
        }
    }

    private static func parts(
        _ outcome: SubscriptionImport.Line.Outcome
    ) -> (word: String, podcast: Int64?, line: Int?, reason: String?) {
        switch outcome {
        case .subscribed(.subscribed(let id)): ("subscribed", id, nil, nil)
        case .subscribed(.known(let id)): ("known", id, nil, nil)
        case .subscribed(.restored(let id)): ("restored", id, nil, nil)
        case .refused(let line, let reason): ("refused", nil, line, reason)
        }
    }
}
