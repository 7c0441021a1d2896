// SPDX-License-Identifier: GPL-3.0-or-later
public import Listening

/// One line of `earshot doctor`.
public enum FindingText {
    public static func line(_ finding: MachineReport.Finding) -> ReportText {
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
    public static func json(_ finding: MachineReport.Finding) -> ReportText {
        let object = JSONValue.object([
            .init("grade", .string(finding.grade.rawValue)), .init("finding", .string(finding.words)),
        ])
        return .output("\(object)\n")
    }
}
