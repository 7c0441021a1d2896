// SPDX-License-Identifier: GPL-3.0-or-later
import Listening
import TerminalInterface
import Testing

@Suite("What the doctor found")
struct FindingTextTests {
    @Test(
        "a line for people, an object for programs",
        arguments: [
            (.good, "good:    it \"answers\"\n", "good"), (.remark, "remark:  it \"answers\"\n", "remark"),
            (.trouble, "trouble: it \"answers\"\n", "trouble"),
        ] as [(MachineReport.Finding.Grade, String, String)])
    func texts(grade: MachineReport.Finding.Grade, line: String, name: String) {
        let finding = MachineReport.Finding(grade, "it \"answers\"")
        #expect(FindingText.line(finding) == .output(line))
        #expect(FindingText.json(finding) == .output(#"{"grade":"\#(name)","finding":"it \"answers\""}"# + "\n"))
    }
}
