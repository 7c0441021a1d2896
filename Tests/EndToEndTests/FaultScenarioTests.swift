// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// The results of every scenario, run once as `play` and once as `download`, before the first test reads them.
private enum FaultRecord {
    static let wishes = FaultExpectation.table.filter { !$0.isLong || getenv("EARSHOT_LONG_TESTS") != nil }
    static let results: Result<[String: FaultResult], any Error> = Result { try FaultRuns.all(wishes, atOnce: 12) }

    static func result(_ mode: FaultMode, _ name: String) throws -> FaultResult {
        try #require(results.get()["\(mode) \(name)"])
    }
}

@Suite("Network and server faults", .firstLane)
struct FaultScenarioTests {
    @Test(
        "Each scenario reaches its expected result, played and downloaded",
        arguments: FaultMode.allCases, FaultRecord.wishes)
    func wanted(mode: FaultMode, wish: FaultExpectation) throws {
        let result = try FaultRecord.result(mode, wish.name)
        // In every scenario, the versions are never mixed.
        #expect(result.heard != .mixed && result.kept != .mixed || wish.name == "endless", "\(result.summary)")
        if FaultExpectation.unsettled["\(mode) \(wish.name)"] != nil { return }
        let complaints = FaultChecker(wish, mode, result).complaints
        if let reason = FaultExpectation.pending[wish.name] ?? FaultExpectation.pending["\(mode) \(wish.name)"] {
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
        for mode in FaultMode.allCases {
            for result in try FaultRecord.wishes.map({ try FaultRecord.result(mode, $0.name) }) {
                #expect(result.requests.count <= 12, "\(result.summary)")
            }
            for (name, delay) in [("503-retry-after-3", 3.0), ("429-retry-after-2", 2)] {
                let times = try FaultRecord.result(mode, name).requests.map { $0.time / .seconds(1) }
                #expect(times.count == 2 && times[1] - times[0] >= delay && times[1] - times[0] < delay + 2)
            }
        }
    }

    @Test("The table contains every scenario of the catalogue once")
    func complete() {
        #expect(FaultExpectation.table.map(\.name).sorted() == FaultScenario.all.map(\.name).sorted())
        #expect(Set(FaultExpectation.table.map(\.name)).count == FaultExpectation.table.count)
    }
}
