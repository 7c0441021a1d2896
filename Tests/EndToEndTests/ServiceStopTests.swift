// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EarshotTestSupport
import Media
import Testing

@testable import ControlSocket

@Suite("Requests that come while a player stops")
struct ServiceStopTests {
    private let stage: ServiceRun

    init() throws { stage = try ServiceRun() }

    /// Sends requests without waiting for their replies.
    private func send(_ requests: [String], _ connection: inout ControlConnection) throws {
        let lines = requests.map { $0 + "\n" }.joined()
        try connection.stream.send(Array(lines.utf8), until: MonotonicTime.now + ServiceRun.limit)
    }

    @Test("A volume and a request to play that come while a player stops apply after it")
    func directlyAfterStop() throws {
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        try stage.play(["1"], on: service, &connection)
        #expect(stage.status("{title}") == "Part 1")
        try send([
            #"{"id":1000,"method":"player.stop"}"#, #"{"id":1001,"method":"player.volume","params":{"percent":40}}"#,
            #"{"id":1002,"method":"player.play","params":{"targets":["2"]}}"#,
        ], &connection)
        #expect(service.wait { _ in stage.status("{state} {title} {volume}") == "playing Part 2 40" })
        stage.end(service)
    }

    @Test("A stop after a postponed request to play applies to that one")
    func stopAfterPlay() throws {
        let service = try stage.serve()
        var connection = try stage.connect(to: "player")
        try stage.play(["1"], on: service, &connection)
        #expect(stage.status("{title}") == "Part 1")
        try send([
            #"{"id":1000,"method":"player.stop"}"#,
            #"{"id":1001,"method":"player.play","params":{"targets":["2"]}}"#,
            #"{"id":1002,"method":"player.stop"}"#, #"{"id":1003,"method":"player.volume","params":{"percent":40}}"#,
        ], &connection)
        #expect(service.wait { _ in stage.status("{volume}") == "40" })
        #expect(stage.status("{state}") == "idle")
        stage.end(service)
    }
}
