// SPDX-License-Identifier: GPL-3.0-or-later
package import EpisodeSources
import Media
package import TerminalInterface

/// The lines of `earshot doctor`.
package enum DiagnosticText {
    package static func line(_ finding: SystemReport.Diagnostic) -> ReportText {
        let mark =
            switch finding.grade {
            case .good: "good:    "
            case .remark: "remark:  "
            case .trouble: "trouble: "
            }
        return .output(mark + PrintableText(finding.words).text + "\n")
    }

    /// Returns a number of bytes as text.
    package static func size(_ bytes: Int64) -> String { ClockText.size(bytes) }

    /// Returns the diagnostic as a line of `--json`: docs/json-library.md.
    package static func json(_ finding: SystemReport.Diagnostic) -> ReportText {
        let object = JSONValue.object([
            .init("grade", .string(finding.grade.rawValue)), .init("finding", .string(finding.words)),
        ])
        return .output("\(object)\n")
    }

    /// Returns the diagnostics for files that belong to no episode, with advice.
    /// - Parameters:
    ///   - deleted: the deleted files; `nil` if deletion was not requested.
    ///   - wasRestored: true if the library was restored after damage, and may have lost their episodes.
    package static func strays(
        _ strays: [OrphanFiles.OrphanFile], deleted: [OrphanFiles.OrphanFile]?, wasRestored: Bool = false
    ) -> [SystemReport.Diagnostic] {
        if let deleted, !deleted.isEmpty {
            return [.init(.good, "deleted \(files(deleted)) that belonged to no episode")]
        }
        guard !strays.isEmpty else { return [] }
        let lines = strays.map { stray in
            SystemReport.Diagnostic(
                .remark, "belongs to no episode: \(stray.path), \(ClockText.size(stray.bytes))")
        }
        let verb = strays.count == 1 ? "belongs" : "belong"
        let advice =
            wasRestored
            ? "the library was restored after damage and may have lost their episodes: \"earshot refresh\" fetches them"
            : "\"earshot doctor --delete-orphans\" deletes such files permanently"
        return lines + [.init(.remark, "\(files(strays)) \(verb) to no episode; \(advice)")]
    }

    private static func files(_ strays: [OrphanFiles.OrphanFile]) -> String {
        let size = ClockText.size(strays.reduce(0) { $0 + $1.bytes })
        return "\(CountText.text(strays.count, "file")) (\(size))"
    }
}
