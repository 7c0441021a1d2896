// SPDX-License-Identifier: GPL-3.0-or-later
public import Listening

/// One line of `earshot doctor`.
public enum DiagnosticText {
    public static func line(_ finding: SystemReport.Diagnostic) -> ReportText {
        let mark =
            switch finding.grade {
            case .good: "good:    "
            case .remark: "remark:  "
            case .trouble: "trouble: "
            }
        return .output(mark + PrintableText(finding.words).text + "\n")
    }

    /// Bytes for a finding.
    public static func size(_ bytes: Int64) -> String { ClockText.size(bytes) }

    /// As `--json` prints it: docs/json-library.md.
    public static func json(_ finding: SystemReport.Diagnostic) -> ReportText {
        let object = JSONValue.object([
            .init("grade", .string(finding.grade.rawValue)), .init("finding", .string(finding.words)),
        ])
        return .output("\(object)\n")
    }

    /// The files that belong to no episode, and what can be done about them.
    /// - Parameter deleted: those of them that are gone now; `nil` if none were to be deleted.
    public static func strays(_ strays: [OrphanFile.Stray], deleted: [OrphanFile.Stray]?) -> [SystemReport.Diagnostic] {
        if let deleted, !deleted.isEmpty {
            return [.init(.good, "deleted \(files(deleted)) that belonged to no episode")]
        }
        guard !strays.isEmpty else { return [] }
        let lines = strays.map { stray in
            SystemReport.Diagnostic(
                .remark, "belongs to no episode: \(stray.path), \(ClockText.size(stray.bytes))")
        }
        let way = "earshot doctor --delete-orphans deletes what was played or downloaded by its address alone"
        return lines + [.init(.remark, "\(files(strays)) belong to no episode; \(way)")]
    }

    private static func files(_ strays: [OrphanFile.Stray]) -> String {
        let size = ClockText.size(strays.reduce(0) { $0 + $1.bytes })
        return strays.count == 1 ? "1 file (\(size))" : "\(strays.count) files (\(size))"
    }
}
