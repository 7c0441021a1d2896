// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// A server fault while the program is killed repeatedly.
private enum ServerFault: CaseIterable {
    case none, drops, sendsParts, changesOnce

    func script(_ body: FaultScript, _ request: Int, _ random: inout SeededGenerator) -> FaultScript {
        switch self {
        case .none, .changesOnce: body
        case .drops where request.isMultiple(of: 2): body.cut(after: Int.random(in: 1..<80_000, using: &random), .reset)
        case .drops: body
        case .sendsParts: body.with { $0.ranges = .capped(70_000) }
        }
    }
}

@Suite("Kills at random times")
struct KillLoopTests {
    /// The number of kills: a thousand if EARSHOT_LONG_TESTS is set.
    private static let kills = LongTests.size(24, inFull: 1000)
    private static let killsOfOne = 4
    /// The maximum number of bytes lost by one kill: unwritten bytes and the bytes of the comparison. A busy machine
    /// writes later.
    private static let loss = (64 << 10) * TimeLimit.factor

    @Test("Written bytes are not fetched again, and a kept file is exactly one version")
    func killed() throws {
        var random = SeededGenerator(seed: 7)
        for round in 0..<Self.kills / Self.killsOfOne {
            let trouble = ServerFault.allCases[round % ServerFault.allCases.count]
            try killOne(trouble, isPlayed: round % 3 == 0, "round \(round), \(trouble)", &random)
        }
    }

    private func killOne(
        _ trouble: ServerFault, isPlayed: Bool, _ comment: Comment, _ random: inout SeededGenerator
    ) throws {
        let server = try FaultServer()
        let earshot = try Earshot()
        let target = server.url("/episode.mp3")
        var version = DemoEpisodes.episode(4)
        let changesAt = trouble == .changesOnce ? Int.random(in: 0..<Self.killsOfOne, using: &random) : nil
        for kill in 0..<Self.killsOfOne {
            if kill == changesAt { version = DemoEpisodes.episode(3) }
            serve(trouble, version.with { $0.rate = 250_000 }, on: server, seed: random.next())
            let run = isPlayed ? try earshot.startPlaying([target]) : try earshot.startDownloading([target])
            usleep(UInt32.random(in: 30_000..<330_000, using: &random))
            run.signal(SIGKILL)
            _ = run.wait()
            let named = earshot.kept.filter { $0.hasSuffix(".mp3") }
            #expect(named.allSatisfy { earshot.bytes(kept: $0) == version.body }, comment)
        }
        serve(trouble, version, on: server, seed: random.next())
        let outcome = try earshot.download([target])
        #expect(outcome.status == 0, "\(comment): \(outcome.errors)")
        let name = try #require(earshot.kept.first, comment)
        #expect(earshot.kept.count == 1 && firstDifference(earshot.bytes(kept: name), version.body) == nil, comment)
        guard changesAt == nil else { return }
        let sent = server.requests.reduce(0) { $0 + Int($1.bytesSent) }
        let twice = sent - version.body.count
        #expect(twice <= (Self.killsOfOne + 1) * Self.loss, "\(comment): \(twice) bytes were sent twice")
    }

    private func serve(_ trouble: ServerFault, _ body: FaultScript, on server: FaultServer, seed: UInt64) {
        server.handle("/episode.mp3") { _, request in
            var random = SeededGenerator(seed: seed &+ UInt64(request))
            return trouble.script(body, request, &random)
        }
    }
}
