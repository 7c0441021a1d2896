// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Synchronization

@testable import DesktopBus

/// A message bus of its own for one test, and the programs that use it.
final class BusFixture: Sendable {
    static let programs = ["dbus-daemon", "playerctl", "gdbus", "busctl"].map { "/usr/bin/\($0)" }
    static let isInstalled = programs.allSatisfy { ProgramRun.isInstalled($0) }

    private let scratch = ScratchDirectory()
    private let daemon = Mutex<ProgramRun?>(nil)
    private let requestsSoFar = Mutex<[MPRISRequest]>([])

    deinit { killDaemon() }

    var address: String { "unix:path=\(scratch.path("bus"))" }

    /// The requests since the last call.
    func takeRequests() -> [MPRISRequest] {
        requestsSoFar.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }

    /// Starts the bus, and returns when it accepts connections.
    func startDaemon() throws {
        let run = try ProgramRun.messageBus(at: address)
        daemon.withLock { $0 = run }
    }

    func killDaemon() {
        let run = daemon.withLock { $0 }
        run?.signal(SIGKILL)
        _ = run?.wait()
    }

    func startPlayer() throws -> DesktopBus {
        let bus = DesktopBus.start(address: address) { [self] request in requestsSoFar.withLock { $0.append(request) } }
        guard let bus else { throw BusFixtureFailure(description: "no thread") }
        return bus
    }

    /// Waits until the player has its name on the bus.
    func waitForPlayer() throws { _ = try run("gdbus", "wait", "--session", "-t", "60", MPRISObject.name) }

    /// Runs a program on the bus and returns its output without the last line end.
    func run(_ words: String...) throws -> String { try run(words) }

    func run(_ words: [String]) throws -> String {
        let result = try ProgramRun.run(words, environment: environment, limit: TimeLimit.event)
        guard result.status == 0 else { throw BusFixtureFailure(description: "\(words): \(result.errors)") }
        return result.outputText.hasSuffix("\n") ? String(result.outputText.dropLast()) : result.outputText
    }

    /// Starts a program on the bus.
    func start(_ words: String...) throws -> ProgramRun {
        try ProgramRun(words, environment: environment, limit: TimeLimit.event * 3)
    }

    private var environment: [String: String] {
        ProgramRun.plainEnvironment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
    }

    /// Calls a method with gdbus and returns the reply, or the error.
    func call(_ method: String, _ arguments: String...) throws -> String {
        let words = ["gdbus", "call", "--session", "-d", MPRISObject.name, "-o", MPRISObject.path, "-m", method]
        let result = try ProgramRun.run(words + arguments, environment: environment, limit: TimeLimit.event)
        return result.outputText + result.errors
    }
}

struct BusFixtureFailure: Error {
    let description: String
}
