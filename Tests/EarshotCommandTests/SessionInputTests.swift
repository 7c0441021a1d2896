// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@testable import TerminalInterface

@Suite("SessionInput")
struct SessionInputTests {
    @Test("A command keeps its line for the answer")
    func command() {
        #expect(SessionInput(.text("volume 80")) == .command(.setVolume(0.8), line: "volume 80"))
    }

    @Test(
        "An invalid line is answered with an error",
        arguments: [LineSplitter.Line.text("dance"), .tooLong, .notUTF8])
    func badLine(line: LineSplitter.Line) {
        guard case .badCommand(let answer) = SessionInput(line) else {
            Issue.record("\(line) was accepted")
            return
        }
        #expect(answer.problem?.isEmpty == false)
    }

    @Test("The answer to a very long line is short")
    func shortAnswer() {
        let answer = CommandAnswer(line: String(repeating: "x", count: 60_000))
        #expect(answer.line.count == 200)
    }
}
