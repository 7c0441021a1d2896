// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("A low limit on open files")
struct DescriptorLimitTests {
    private func run(_ limit: String, _ arguments: [String]) throws -> ProgramRun.Outcome {
        let earshot = try Earshot()
        // The loader needs one descriptor, and the tests may have inherited some.
        let inherited = (3...9).map { "\($0)>&-" }.joined(separator: " ")
        return try ProgramRun.run(
            ["/bin/sh", "-c", "exec \(inherited); ulimit \(limit); exec \"$0\" \"$@\"", Earshot.program] + arguments,
            environment: ProgramRun.plainEnvironment.merging(["XDG_DATA_HOME": earshot.scratch.path]) { $1 })
    }

    @Test("The program ends with one sentence instead of a crash", arguments: [4, 8, 12, 18, 32])
    func refused(limit: Int) throws {
        for arguments in [["podcasts"], ["doctor"], ["play", "/dev/null", "--output", "null"]] {
            let outcome = try run("-n \(limit)", arguments)
            #expect(outcome.status == 75 && outcome.output.isEmpty)
            #expect(outcome.sentences.count == 1 && outcome.errors.contains("limit on open files"), "\(outcome.errors)")
        }
    }

    @Test("A limit that may be raised is raised")
    func raised() throws {
        #expect(try run("-S -n 8", ["podcasts"]).status == 0)
    }
}
