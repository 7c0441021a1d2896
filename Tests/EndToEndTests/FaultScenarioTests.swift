// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// The results of every scenario, run once in each of its modes, before the first test reads them.
private enum FaultRecord {
    static let results: Result<[String: FaultResult], any Error> = Result {
        try FaultRuns.all(FaultExpectation.runs, atOnce: 12)
    }

    static func result(_ mode: FaultMode, _ name: String, _ format: FaultFormat = .mp3) throws -> FaultResult {
        try #require(results.get()["\(mode) \(format) \(name)"])
    }
}

@Suite("Network and server faults")
struct FaultScenarioTests {
    @Test("Each scenario reaches its expected result, played or downloaded", arguments: FaultExpectation.runs)
    func wanted(run: FaultExpectation.Run) throws {
        let (mode, expectation) = (run.mode, run.expectation)
        let result = try FaultRecord.result(mode, expectation.name, run.format)
        // In every scenario, the versions are never mixed.
        #expect(result.heard != .mixed && result.kept != .mixed || expectation.name == "endless", "\(result.summary)")
        if FaultExpectation.unsettled["\(mode) \(expectation.name)"] != nil { return }
        let complaints = FaultChecker(expectation, mode, run.format, result).complaints
        let pending = FaultExpectation.pending
        if let reason = pending[expectation.name] ?? pending["\(mode) \(expectation.name)"] {
            #expect(!complaints.isEmpty, "the expectation is met now; remove it from pending: \(reason)")
        } else {
            #expect(complaints == [], "\(result.summary)")
        }
    }

    @Test("A password goes only to the server that it was given for")
    func passwords() throws {
        for mode in FaultMode.allCases {
            for name in ["auth-redirect", "auth-redirect-port"] {
                let result = try FaultRecord.result(mode, name)
                #expect(result.strangers.count == 1 && result.strangers.allSatisfy { $0.authorization == nil })
            }
            let result = try FaultRecord.result(mode, "auth-redirect-here")
            #expect(result.requests.last?.authorization != nil)
        }
    }

    @Test("No connection is opened for an address that is not http or https")
    func canary() throws {
        for mode in FaultMode.allCases {
            for scheme in ["ftp", "gopher", "dict", "smb", "scp"] {
                #expect(try FaultRecord.result(mode, "redirect-scheme-\(scheme)").strangeConnections == 0)
            }
        }
    }

    @Test("Text from a server never reaches the terminal unescaped and never names a file")
    func words() throws {
        for mode in FaultMode.allCases {
            let result = try FaultRecord.result(mode, "header-injection")
            #expect(!result.outcome.errors.contains("\u{1B}") && !result.outcome.outputText.contains("\u{1B}"))
            #expect(access("/tmp/earshot-was-here", F_OK) != 0)
        }
    }

    @Test("Retries are few and respect Retry-After")
    func storms() throws {
        for result in try FaultRecord.results.get().values {
            #expect(result.requests.count <= 12, "\(result.summary)")
        }
        for (name, delay) in [("503-retry-after-3", 3.0), ("429-retry-after-2", 2)] {
            let times = try FaultRecord.result(.download, name).requests.map { $0.time / .seconds(1) }
            #expect(
                times.count == 2 && times[1] - times[0] >= delay
                    && times[1] - times[0] < delay + 2 * Double(TimeLimit.factor))
        }
    }

    @Test("The table contains every scenario of the catalogue once")
    func complete() {
        #expect(FaultExpectation.table.map(\.name).sorted() == FaultScenario.all.map(\.name).sorted())
        #expect(Set(FaultExpectation.table.map(\.name)).count == FaultExpectation.table.count)
    }
}
