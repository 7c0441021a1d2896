// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc

/// The episode of the scenarios: a minute at 128 kbit/s, and the same episode after six seconds of another sound.
enum FaultEpisode {
    static let versions: Result<Versions, any Error> = Result { try Versions() }

    struct Versions {
        let first: [UInt8]
        let second: [UInt8]
        /// The samples of both versions as mpg123 decodes them.
        let firstSound: [UInt8]
        let secondSound: [UInt8]

        init() throws {
            let sound = TestSound(frames: 60 * 44_100)
            first = try sound.encoded("-b", "128")
            // Hosts insert advertisements this way: packets before those of the episode, without a trace in any tag.
            let front = try TestSound(frames: 6 * 44_100, hertz: 330).encoded("-b", "128", "-t")
            second = try front + sound.encoded("-b", "128", "-t")
            let scratch = ScratchDirectory()
            firstSound = try ReferenceDecoder.samples(path: scratch.write(first, to: "1.mp3"))
            secondSound = try ReferenceDecoder.samples(path: scratch.write(second, to: "2.mp3"))
        }
    }
}

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
    private let earshot: Earshot
    private let stage: FaultStage
    private let run: ProgramRun
    private let start = ContinuousClock.now
    private var firstMessageTime: Duration?

    init(_ scenario: FaultScenario, _ mode: FaultMode, limit: Duration) throws {
        (self.scenario, self.mode) = (scenario, mode)
        let versions = try FaultEpisode.versions.get()
        earshot = try Earshot()
        stage = try FaultStage(first: versions.first, second: versions.second)
        let address = scenario.begin(on: stage)
        let output = mode == .play ? ["--output", "raw:" + earshot.scratch.path("out.raw")] : []
        run = try earshot.start(
            [mode.rawValue, address, "--keep-dir", earshot.keepPath] + output, limit: limit)
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
        let versions = try FaultEpisode.versions.get()
        _ = isRunning
        let names = earshot.kept.filter { !$0.hasSuffix(".json") }
        let file = names.first ?? ""
        let sent = (stage.server.requests + stage.elsewhere.requests + stage.neighbour.requests)
            .filter { $0.status == 200 || $0.status == 206 }.map(\.bytesSent).reduce(0, +)
        let bytes = file.isEmpty ? [] : earshot.bytes(kept: file)
        return FaultResult(
            outcome: outcome,
            heard: mode == .play
                ? FaultContent(
                    earshot.scratch.read("out.raw"), first: versions.firstSound, second: versions.secondSound) : nil,
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
                running.append(try FaultRun(scenario, next.mode, limit: next.expectation.limit))
            }
            for (index, run) in running.enumerated().reversed() where !run.isRunning {
                results["\(run.mode) \(run.scenario)"] = try run.finish()
                running.remove(at: index)
            }
            usleep(5000)
        }
        return results
    }
}
