// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

/// Tests that each scenario matches its name, as seen by a client that only reads bytes.
@Suite("FaultScenario", .timeLimit(.minutes(2 * TimeLimit.factor)))
struct FaultScenarioServerTests {
    private let first = pattern(500_000)
    private let second = [1, 2, 3] + pattern(510_000)

    private func begin(_ name: String) throws -> FaultStage {
        let stage = try FaultStage(first: first, second: second)
        let address = try #require(FaultScenario.named(name)).begin(on: stage)
        #expect(address.hasSuffix("\(stage.server.authority)/episode.mp3"))
        return stage
    }

    private func get(
        _ stage: FaultStage, _ fields: String...
    ) throws -> RawClient.Response {
        try RawClient.get("/episode.mp3", port: stage.server.port, fields)
    }

    /// Returns the responses to these requests, in order.
    private func answers(_ name: String, _ fields: [[String]]) throws -> [RawClient.Response] {
        let stage = try begin(name)
        return try fields.map { try RawClient.get("/episode.mp3", port: stage.server.port, $0) }
    }

    private static let rest = ["Range: bytes=300000-", "If-Range: \"first\""]

    @Test(
        "A connection ends after the given number of bytes, by FIN or RST",
        arguments: [
            ("burst-drop-150k", 150_000, .closed), ("reset-300k", 300_000, .reset),
            ("reset-always-200k", 200_000, .reset), ("drop-once-norange-300k", 300_000, .closed),
            ("drop-norange-300k", 300_000, .closed), ("drop-wrongrange-300k", 300_000, .closed),
            ("etag-change-300k", 300_000, .closed), ("weak-etag-300k", 300_000, .closed),
            ("drop-then-500-300k-2", 300_000, .closed), ("drop-then-html-300k-1", 300_000, .closed),
            ("close-delimited-drop-300k", 300_000, .closed), ("empty-drop", 0, .closed),
            ("close-delimited-norange-300k", 300_000, .closed),
            ("idle-close", 100_000, .closed),
            ("truncated-but-200", 300_000, .closed), ("close-delimited", 500_000, .closed), ("ok", 500_000, .closed),
            ("no-keepalive", 500_000, .closed), ("head-405", 500_000, .closed), ("etag-flap-300k", 300_000, .closed),
            ("slow-change-500k", 500_000, .closed), ("long-cut", 300_000, .closed), ("long", 550_000, .closed),
        ] as [(String, Int, RawClient.End)])
    func ends(name: String, count: Int, end: RawClient.End) throws {
        let answer = try get(begin(name))
        #expect(answer.status == 200 && answer.end == end && answer.body.count == count)
        #expect(answer.body.prefix(500_000).elementsEqual(first.prefix(min(count, 500_000))))
    }

    @Test("A burst scenario drops each time, and a one-time scenario once")
    func again() throws {
        #expect(try answers("burst-drop-150k", [[], Self.rest])[1].body == Array(first[300_000..<450_000]))
        #expect(try answers("reset-300k", [[], Self.rest])[1].body == Array(first[300_000...]))
        #expect(try answers("reset-always-200k", [[], []])[1].end == .reset)
    }

    @Test(
        "The response to a request for the rest follows the scenario",
        arguments: [
            ("ok", 206, "bytes 300000-499999/500000", 200_000), ("norange", 200, nil, 500_000),
            ("drop-once-norange-300k", 200, nil, 500_000), ("drop-norange-300k", 200, nil, 300_000),
            ("drop-wrongrange-300k", 206, "bytes 100000-299999/500000", 200_000),
            ("drop-shiftrange-300k", 206, "bytes 300100-499999/500000", 199_900),
            ("drop-lyingrange-300k", 206, "bytes 300000-499999/500000", 199_000),
            ("drop-bare206-300k", 206, nil, 200_000),
            ("drop-wrongtotal-300k", 206, "bytes 300000-499999/123456789", 200_000),
            ("range-cap-200k", 206, "bytes 300000-499999/500000", 200_000), ("range-416-300k", 416, nil, nil),
            ("short", 206, "bytes 300000-499999/500000", 200_000), ("etag-change-300k", 200, nil, 510_003),
            ("lastmod-change-300k", 200, nil, 510_003),
            ("ifrange-ignored-change-300k", 206, "bytes 300000-510002/510003", 210_003),
            ("etag-flap-300k-3", 200, nil, 300_000), ("etag-mirror-300k-2", 200, nil, 300_000),
            ("drop-then-500-300k-2", 500, nil, nil), ("drop-then-html-300k-1", 200, nil, nil),
            ("drop-then-503-retry-after-2-300k", 503, nil, nil), ("drop-then-portal-300k-1", 302, nil, nil),
            ("drop-then-empty-300k-1", 200, nil, 0), ("drop-then-204-300k-1", 204, nil, 0),
            ("weak-etag-300k", 200, nil, 500_000), ("close-delimited-norange-300k", 200, nil, 300_000),
        ] as [(String, Int, String?, Int?)])
    func rest(name: String, status: Int, range: String?, count: Int?) throws {
        let answer = try answers(name, [[], Self.rest])[1]
        #expect(answer.status == status && answer.field("Content-Range") == range)
        if let count { #expect(answer.body.count == count) }
    }

    @Test("A silent change has no validators, and other scenarios have theirs")
    func silent() throws {
        let changed = try answers("silent-change-300k", [[], ["Range: bytes=300000-"]])
        #expect(changed.allSatisfy { $0.field("ETag") == nil && $0.field("Last-Modified") == nil })
        #expect(changed[1].status == 206 && changed[1].body == Array(second[300_000...]))
        #expect(try answers("no-validator-300k", [[]])[0].field("ETag") == nil)
        #expect(try answers("weak-etag-300k", [[]])[0].field("ETag") == "W/\"first\"")
        let mirror = try answers("etag-mirror-300k-2", [[], [], []])
        #expect(Set(mirror.map { $0.field("ETag") }).count == 3 && mirror[2].body == first)
    }

    @Test(
        "Length fields are those of the scenario",
        arguments: [
            ("short", ["520000"]), ("long", ["500000"]), ("truncated-but-200", ["300000"]), ("empty-200", ["0"]),
            ("dup-length", ["500000", "500005"]), ("negative-length", ["-1"]),
            ("huge-length", ["4611686018427387904"]), ("overflow-length", ["18446744073709551616"]),
            ("cl-and-te", ["5"]), ("no-length", []), ("close-delimited", []), ("chunked-drop-300k", []),
        ])
    func lengths(name: String, texts: [String]) throws {
        let answer = try get(begin(name))
        let lines = answer.head.split(separator: "\r\n").filter { $0.hasPrefix("Content-Length: ") }
        #expect(lines.map { String($0.dropFirst("Content-Length: ".count)) } == texts)
        let isChunked = ["cl-and-te", "no-length", "chunked-drop-300k"].contains(name)
        #expect((answer.field("Transfer-Encoding") == "chunked") == isChunked)
    }

    @Test("A chunked body ends with a last chunk only in scenarios that complete it")
    func chunks() throws {
        #expect(try get(begin("no-length")).body.suffix(5).elementsEqual("0\r\n\r\n".utf8))
        #expect(try !get(begin("chunked-drop-300k")).body.suffix(5).elementsEqual("0\r\n\r\n".utf8))
        #expect(try get(begin("chunked-bad")).body.suffix(10).elementsEqual("no chunk\r\n".utf8))
    }

    @Test("A scenario without a reply sends no byte, and an endless one does not end")
    func extremes() async throws {
        #expect(try get(begin("no-reply")).bytes.isEmpty)
        let stage = try begin("endless")
        let port = stage.server.port
        let reader = WorkerThread.start { _ = try? RawClient.get("/episode.mp3", port: port) }
        #expect(await eventually { stage.server.requests.first?.bytesSent ?? 0 > 1_200_000 })
        stage.server.stop()
        reader?.join()
    }

    @Test("A kept connection is closed when it is used again")
    func idle() throws {
        let stage = try begin("idle-close")
        _ = try get(stage)
        let request = "GET /episode.mp3 HTTP/1.1\r\nHost: x\r\nRange: bytes=0-9\r\n\r\n"
        let answer = try RawClient.exchange(request + request, port: stage.server.port)
        #expect(answer.field("Connection") == nil && answer.body.count == 10 && answer.end == .closed)
        let moved = try begin("idle-close-after-redirect")
        let redirect = try RawClient.exchange(request, port: moved.server.port)
        #expect(redirect.status == 302 && redirect.field("Connection") == nil && redirect.end == .closed)
        #expect(try get(begin("no-keepalive")).field("Connection") == "close")
    }
}
