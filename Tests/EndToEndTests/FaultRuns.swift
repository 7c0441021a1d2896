// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

enum FaultMode: String, CaseIterable { case play, download }

/// The result of one run of the program in one scenario.
struct FaultResult: Sendable {
    let outcome: ProgramRun.Outcome
    /// The played samples; `nil` for a download.
    let heard: FaultContent?
    /// The bytes on disk.
    let kept: FaultContent
    let isFinished: Bool
    /// The time of the first error or retry message.
    let told: Duration?
    let requests: [FaultRequest]
    /// Requests to the other host and the other port.
    let strangers: [FaultRequest]
    let strangeConnections: Int
    /// The number of body bytes sent in excess of the stored bytes.
    let sentAgain: Int

    var summary: String {
        let heard = heard.map { "played \($0), " } ?? ""
        let told = told.map { ", first message after \($0)" } ?? ""
        return
            "\(heard)kept \(kept)\(isFinished ? "" : " (partial)"), status \(outcome.status), \(sentAgain) bytes again,"
            + " \(requests.count) requests, \(outcome.time)\(told); \(outcome.sentences)"
    }
}

/// A run in progress.
final class FaultRun {
    let scenario: FaultScenario
    let mode: FaultMode
    let format: FaultFormat
    private let versions: FaultEpisode.Versions
    private let earshot: Earshot
    private let stage: FaultStage
    private let run: ProgramRun
    private let start = ContinuousClock.now
    private var firstMessageTime: Duration?

    init(_ scenario: FaultScenario, _ mode: FaultMode, _ format: FaultFormat, limit: Duration) throws {
        (self.scenario, self.mode, self.format) = (scenario, mode, format)
        versions = try FaultEpisode.versions(format)
        earshot = try Earshot()
        stage = try FaultStage(
            first: versions.first, second: versions.second, name: "episode.\(format)", type: format.contentType)
        let address = scenario.begin(on: stage)
        let output = mode == .play ? ["--output", "raw:" + earshot.scratch.path("out.raw")] : []
        run = try earshot.start(
            [mode.rawValue, address, "--keep-dir", earshot.keepPath] + output, limit: limit)
    }

    private var heard: FaultContent {
        let sound = earshot.scratch.read("out.raw")
        func content(_ sound: [UInt8]) -> FaultContent {
            FaultContent(sound, first: versions.firstSound, second: versions.secondSound)
        }
        let heard = content(sound)
        guard heard == .mixed, format == .opus else { return heard }
        return content(FaultContent.restored(sound, from: versions.secondSound))
    }

    /// True while the program runs; also records the time of the first error message.
    var isRunning: Bool {
        if firstMessageTime == nil {
            let words = run.errorsSoFar
            if words.contains("earshot: ") || words.contains("retrying") {
                firstMessageTime = ContinuousClock.now - start
            }
        }
        return run.isRunning
    }

    func finish() throws -> FaultResult {
        let outcome = run.wait()
        _ = isRunning
        let names = earshot.kept.filter { !$0.hasSuffix(".json") }
        let file = names.first ?? ""
        let sent = (stage.server.requests + stage.elsewhere.requests + stage.neighbour.requests)
            .filter { $0.status == 200 || $0.status == 206 }.map(\.bytesSent).reduce(0, +)
        let bytes = file.isEmpty ? [] : earshot.bytes(kept: file)
        return FaultResult(
            outcome: outcome,
            heard: mode == .play ? heard : nil,
            kept: FaultContent(bytes, first: versions.first, second: versions.second),
            isFinished: names.count == 1 && !file.hasSuffix(".partial"), told: firstMessageTime,
            requests: stage.server.requests, strangers: stage.elsewhere.requests + stage.neighbour.requests,
            strangeConnections: stage.elsewhere.connectionCount + stage.neighbour.connectionCount,
            sentAgain: sent - bytes.count)
    }
}

/// Runs scenarios concurrently, because each run spends most of its time waiting.
enum FaultRuns {
    static func all(_ runs: [FaultExpectation.Run], atOnce: Int) throws -> [String: FaultResult] {
        // Start the longest runs first, so that none of them prolongs the end.
        var waiting = runs.sorted { $0.expectation.limit > $1.expectation.limit }[...]
        var running: [FaultRun] = []
        var results: [String: FaultResult] = [:]
        while !waiting.isEmpty || !running.isEmpty {
            while running.count < atOnce, let next = waiting.popFirst() {
                guard let scenario = FaultScenario.named(next.expectation.name) else { continue }
                running.append(
                    try FaultRun(scenario, next.mode, next.format, limit: next.expectation.limit))
            }
            for (index, run) in running.enumerated().reversed() where !run.isRunning {
                results["\(run.mode) \(run.format) \(run.scenario)"] = try run.finish()
                running.remove(at: index)
            }
            usleep(5000)
        }
        return results
    }
}
