// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EpisodeSources
import Subscriptions
import TerminalInterface
import Testing

@testable import Sessions

@Suite("Diagnostics of the doctor command")
struct FindingTextTests {
    @Test(
        "A diagnostic is printed as a line of text or as a JSON object",
        arguments: [
            (.good, "good:    it \"answers\"\n", "good"), (.remark, "remark:  it \"answers\"\n", "remark"),
            (.trouble, "trouble: it \"answers\"\n", "trouble"),
        ] as [(SystemReport.Diagnostic.Grade, String, String)])
    func texts(grade: SystemReport.Diagnostic.Grade, line: String, name: String) {
        let finding = SystemReport.Diagnostic(grade, "it \"answers\"")
        #expect(DiagnosticText.line(finding) == .output(line))
        #expect(DiagnosticText.json(finding) == .output(#"{"grade":"\#(name)","finding":"it \"answers\""}"# + "\n"))
    }

    @Test("A missing sound server is a remark, because downloads need none; a server that refuses is trouble")
    func sound() {
        let missing = SystemReport.sound(.failure(.noServer("the default server does not answer")))
        let refused = SystemReport.sound(.failure(.refused(operation: "connect", reason: "access denied")))
        #expect(missing.grade == .remark && missing.words.contains("the default server does not answer"))
        #expect(refused == SystemReport.Diagnostic(.trouble, "no sound output: connect: access denied"))
        #expect(SystemReport.sound(.success("Headphones")).words == "sound plays on \"Headphones\"")
        #expect(SystemReport.sound(.success(nil)).words == "sound plays on the default device")
    }
}
