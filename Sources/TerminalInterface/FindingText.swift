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
}
