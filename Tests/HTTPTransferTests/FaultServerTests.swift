// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@Suite("FaultServer", .timeLimit(.minutes(TimeLimit.factor)))
struct FaultServerTests {
    private let body = pattern(100_000)

    private func get(
        _ script: FaultScript, _ fields: [String] = [], stalls: (RawClient.Response) -> Bool = { _ in false }
    ) throws -> RawClient.Response {
        let server = try FaultServer(["/e": [script]])
        return try RawClient.get("/e", port: server.port, fields, stalls: stalls)
    }

    private var plain: FaultScript {
        FaultScript(body: body).with {
            $0.etag = "\"a\""
            $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
        }
    }

    @Test("A plain script is answered correctly")
    func correct() throws {
        let answer = try get(plain)
        #expect(answer.status == 200)
        #expect(answer.field("Content-Length") == "100000")
        #expect(answer.field("Content-Type") == "audio/mpeg")
        #expect(answer.field("ETag") == "\"a\"")
        #expect(answer.field("Accept-Ranges") == "bytes")
        #expect(answer.body == body)
        #expect(answer.end == .closed)
    }

    @Test("A range is honoured, open or closed; after the end the status is 416")
    func ranges() throws {
        let open = try get(plain, ["Range: bytes=99000-"])
        #expect(open.status == 206)
        #expect(open.field("Content-Range") == "bytes 99000-99999/100000")
        #expect(open.body == Array(body[99_000...]))
        let closed = try get(plain, ["Range: bytes=10-19"])
        #expect(closed.field("Content-Range") == "bytes 10-19/100000")
        #expect(closed.body == Array(body[10..<20]))
        let behind = try get(plain, ["Range: bytes=100000-"])
        #expect(behind.status == 416)
        #expect(behind.field("Content-Range") == "bytes */100000")
        #expect(behind.body.isEmpty)
    }

    @Test("If-Range with the validator returns the part, another one the whole, and a script may ignore it")
    func ifRange() throws {
        let fields = ["Range: bytes=10-19", "If-Range: \"a\""]
        #expect(try get(plain, fields).status == 206)
        #expect(try get(plain, [fields[0], "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"]).status == 206)
        #expect(try get(plain, [fields[0], "If-Range: \"b\""]).status == 200)
        let ignoring = plain.with { $0.honoursIfRange = false }
        #expect(try get(ignoring, [fields[0], "If-Range: \"b\""]).status == 206)
    }

    @Test("Each faulty kind of range has its own fault")
    func brokenRanges() throws {
        func ask(_ ranges: FaultScript.Ranges) throws -> RawClient.Response {
            try get(plain.with { $0.ranges = ranges }, ["Range: bytes=50000-59999"])
        }
        let ignored = try ask(.ignored)
        #expect(ignored.status == 200 && ignored.body == body && ignored.field("Accept-Ranges") == nil)
        let shifted = try ask(.shifted(by: -100))
        #expect(shifted.field("Content-Range") == "bytes 49900-59899/100000")
        #expect(shifted.body == Array(body[49_900..<59_900]))
        let lying = try ask(.lying(by: 100))
        #expect(lying.field("Content-Range") == "bytes 50000-59999/100000")
        #expect(lying.body == Array(body[50_100..<60_100]))
        #expect(try ask(.wrongTotal(7)).field("Content-Range") == "bytes 50000-59999/7")
        let bare = try ask(.bare)
        #expect(bare.status == 206 && bare.field("Content-Range") == nil && bare.body.count == 10_000)
        let capped = try ask(.capped(10))
        #expect(capped.field("Content-Range") == "bytes 50000-50009/100000" && capped.body.count == 10)
    }

    @Test("The framings are a wrong length, no length, chunks and malformed chunks")
    func framing() throws {
        #expect(try get(plain.with { $0.framing = .declaredLength(7) }).field("Content-Length") == "7")
        let endless = try get(plain.with { $0.framing = .untilClose })
        #expect(endless.field("Content-Length") == nil && endless.body == body)
        let chunked = try get(plain.with { $0.framing = .chunked })
        #expect(chunked.field("Transfer-Encoding") == "chunked")
        #expect(chunked.body.starts(with: "4000\r\n".utf8))
        #expect(chunked.body.suffix(5).elementsEqual("0\r\n\r\n".utf8))
        let broken = try get(plain.with { $0.framing = .brokenChunked })
        #expect(broken.body.suffix(10).elementsEqual("no chunk\r\n".utf8))
    }

    @Test(
        "A cut ends the connection after exactly the given number of bytes, with FIN or RST",
        arguments: [0, 1, 12_345, 100_000])
    func cuts(count: Int) throws {
        let fin = try get(plain.cut(after: count))
        #expect(fin.body == Array(body[..<count]))
        #expect(fin.end == .closed)
        let reset = try get(plain.cut(after: count, .reset))
        #expect(reset.body == Array(body[..<count]))
        #expect(reset.end == .reset)
    }

    @Test("A stall begins after exactly the given number of bytes, for a time or forever")
    func stalls() throws {
        let passing = try get(plain.stalled(after: 5000, for: .milliseconds(200)))
        #expect(passing.body == body)
        #expect(passing.time >= .milliseconds(200))
        let lasting = try get(plain.stalled(after: 5000)) { $0.body.count == 5000 }
        #expect(lasting.end == .silent)
        #expect(lasting.body == Array(body[..<5000]))
    }

    @Test("Latency precedes the head, and the rate is kept")
    func timing() throws {
        let late = try get(plain.with { $0.latency = .milliseconds(150) })
        #expect(late.time >= .milliseconds(150) && late.body == body)
        let slow = try get(plain.with { $0.rate = 400_000 })
        #expect(slow.time >= .milliseconds(200) && slow.body == body)
    }

    @Test("A round trip delays each response, and the first one of a connection twice")
    func roundTrip() throws {
        let server = try FaultServer(["/e": [plain.with { $0.roundTrip = .milliseconds(100) }]])
        let request = "GET /e HTTP/1.1\r\nHost: x\r\n\r\n"
        let last = "GET /e HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let once = try RawClient.exchange(last, port: server.port)
        #expect(once.time >= .milliseconds(200))
        let twice = try RawClient.exchange(request + last, port: server.port)
        #expect(twice.time >= .milliseconds(300))
    }

    @Test("Concurrent responses are counted, without those whose client has disconnected")
    func mostAtOnce() async throws {
        let server = try FaultServer(["/e": [plain.stalled(after: 10)], "/short": [FaultScript(body: [1])]])
        let port = server.port
        for _ in 0..<3 { #expect(try RawClient.get("/e", port: port, patience: .milliseconds(20)).end == .silent) }
        _ = try RawClient.get("/short", port: port)
        #expect(server.mostAtOnce == 1)
        let other = WorkerThread.start { _ = try? RawClient.get("/e", port: port, patience: TimeLimit.event) }
        #expect(await eventually { server.requests(for: "/e").count == 4 })
        _ = try RawClient.get("/short", port: port)
        #expect(server.mostAtOnce == 2)
        server.stop()
        other?.join()
    }

    @Test("Mute closes without a response, interim heads come first, and HTML and gzip have their type")
    func others() throws {
        let mute = try get(plain.with { $0.isMute = true })
        #expect(mute.bytes.isEmpty && mute.end == .closed)
        #expect(try get(plain.with { $0.interim = [103] }).head.hasPrefix("HTTP/1.1 103 "))
        #expect(try get(.webPage()).field("Content-Type") == "text/html; charset=utf-8")
        let gzip = try get(.gzip(body, contentType: "audio/mpeg"))
        #expect(gzip.field("Content-Encoding") == "gzip" && gzip.body.starts(with: [0x1F, 0x8B]))
        let redirect = try get(.redirect(to: "/x", code: 308))
        #expect(redirect.status == 308 && redirect.field("Location") == "/x")
    }

    @Test("The k-th request gets the k-th script, later ones the last, and unknown paths a 404")
    func sequence() throws {
        let server = try FaultServer(["/e": [.status(500), .status(503), plain]])
        let statuses = try (0..<4).map { _ in try RawClient.get("/e?q=1", port: server.port).status }
        #expect(statuses == [500, 503, 200, 200])
        #expect(try RawClient.get("/other", port: server.port).status == 404)
    }

    @Test("Every request is logged with its fields and the bytes sent")
    func log() throws {
        let server = try FaultServer(["/e": [plain]])
        _ = try RawClient.get("/e?token=1", port: server.port, ["Range: bytes=10-19", "If-Range: \"a\""])
        let request = try #require(server.requests(for: "/e").first)
        #expect(request.query == "token=1")
        #expect(request.range == "bytes=10-19")
        #expect(request.ifRange == "\"a\"")
        #expect(request.status == 206)
        #expect(request.bytesSent == 10)
    }

    @Test("One connection serves several requests")
    func keepAlive() throws {
        let server = try FaultServer(["/e": [FaultScript(body: Array("abc".utf8))]])
        let request = "GET /e HTTP/1.1\r\nHost: x\r\n\r\n"
        let last = "GET /e HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let answer = try RawClient.exchange(request + request + last, port: server.port)
        #expect(answer.end == .closed)
        #expect(server.requests.map(\.connection) == [0, 0, 0])
    }

    @Test("stop() ends endless stalls and may be called twice")
    func stop() throws {
        let server = try FaultServer(["/e": [plain.stalled(after: 10)]])
        let answer = try RawClient.get("/e", port: server.port, patience: .milliseconds(50))
        #expect(answer.end == .silent)
        server.stop()
        server.stop()
    }
}
