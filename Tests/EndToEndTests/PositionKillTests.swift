// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Glibc
import SQLDatabase
import Testing

@Suite("Kills during playback of a library episode")
struct PositionKillTests {
    /// The action before the kill.
    private enum UserAction: CaseIterable { case listening, pausing, seeking }

    /// The number of libraries, which are used at the same time, and the number of kills for each.
    private static let libraries = 5
    private static let kills = LongTests.size(3, inFull: 30)

    /// The player checks 5 times per second whether the one-second `position` event is due, and saves the position at
    /// every second check. At the kill, the last reported position is therefore up to 1.2 s old and the last saved
    /// one up to 0.4 s: the saved one is at most 0.4 s before and 1.2 s after the reported one. The rest is for a
    /// slow machine.
    private static let mostLost = 1.0 * Double(TimeLimit.factor)
    private static let maximumUnreported = 2.0 * Double(TimeLimit.factor)

    @Test("The saved position is within a second of the last reported one, and the next start resumes there")
    func killed() async throws {
        let lanes = (0..<Self.libraries).map { ThreadLane("library \($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, lane) in lanes.enumerated() {
                group.addTask(executorPreference: lane) { try killRepeatedly(seed: UInt64(number)) }
            }
            try await group.waitForAll()
        }
    }

    private func killRepeatedly(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let server = try DemoEpisodes.server()
        let run = try LibraryRun()
        #expect(try run.run("subscribe", server.url("/demo.xml")).status == 0)
        let id = try #require(try run.json("episodes", "demo").numbers("id").first)
        var saved = 0.0
        for kill in 0..<Self.kills {
            let deed = UserAction.allCases[kill % UserAction.allCases.count]
            let told = try play(run, id, deed, &random)
            let first = try #require(told.first)
            #expect(first > saved - 0.1 && first < saved + Self.maximumUnreported, "\(kill): at \(first), not \(saved)")
            let last = try #require(told.last)
            saved = try position(run, Int64(id))
            let lost = last - saved
            #expect(
                lost < Self.mostLost && lost > -Self.maximumUnreported,
                "library \(seed), kill \(kill), \(deed): \(last) reported, \(saved) saved")
            #expect(try verdict(run.stage.path) == ["ok"])
        }
    }

    /// - Returns: the positions reported since sound began; after a seek only the first one and those after the seek.
    private func play(
        _ run: LibraryRun, _ id: Int, _ deed: UserAction, _ random: inout SeededGenerator
    ) throws -> [Double] {
        let session = try run.earshot.start(
            ["play", "\(id)", "--output", "null", "--json", "--commands", "-", "--keep-dir", run.earshot.keepPath],
            environment: ["XDG_DATA_HOME": run.stage.directory.path], keepsInput: true)
        #expect(session.wait { Self.hasPosition(afterStart: $0.outputSoFar) })
        usleep(UInt32.random(in: 300_000..<2_500_000, using: &random))
        switch deed {
        case .listening: break
        case .pausing:
            session.write("pause\n")
            #expect(session.wait { $0.outputSoFar.contains(#""state":"paused""#) })
        case .seeking:
            session.write("seek \(Int.random(in: 1...3, using: &random))\n")
            // Wait for the complete line.
            #expect(
                session.wait { session in
                    Self.afterJump(session.outputSoFar).split(separator: #""event":"position""#).dropFirst()
                        .contains { $0.contains("\n") }
                })
        }
        usleep(UInt32.random(in: 0..<100_000, using: &random))
        session.signal(SIGKILL)
        let output = session.wait().outputText
        let before = try Self.positions(output)
        guard deed == .seeking, let first = before.first else { return before }
        return [first] + (try Self.positions(Self.afterJump(output)))
    }

    private static func afterJump(_ output: String) -> Substring {
        output.split(separator: #""phase":"landed""#, maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            ?? ""
    }

    /// True if a complete line has a position since playback began.
    private static func hasPosition(afterStart output: String) -> Bool {
        let parts = output.split(separator: #""state":"playing""#, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.dropFirst().joined().split(separator: #""event":"position""#).dropFirst()
            .contains { $0.contains("\n") }
    }

    /// Returns the positions of complete lines since playback began.
    private static func positions(_ output: some StringProtocol) throws -> [Double] {
        let whole = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let events = try whole.filter { $0.hasPrefix("{") }.map { try JSONDocument(parsing: $0) }
        let start = events.firstIndex { $0["state"]?.text == "playing" } ?? 0
        return events[start...].filter { $0["event"]?.text == "position" }.compactMap { $0["position"]?.number }
    }

    private func position(_ run: LibraryRun, _ id: Int64) throws -> Double {
        let position = try run.stage.another().position(of: id)?.position ?? .zero
        return Double(position.components.seconds) + Double(position.components.attoseconds) / 1e18
    }

    private func verdict(_ path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { db in try String.fetchAll(db, sql: "PRAGMA integrity_check") }
    }
}
