// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

/// Scenarios of timing, statuses and redirects.
@Suite("FaultScenario responses", .timeLimit(.minutes(2 * TimeLimit.factor)))
struct FaultScenarioAnswerTests {
    private let first = pattern(500_000)

    private func begin(_ name: String) throws -> (FaultStage, String) {
        let stage = try FaultStage(first: first, second: pattern(510_000))
        let address = try #require(FaultScenario.named(name)).begin(on: stage)
        return (stage, address)
    }

    private func get(
        _ stage: FaultStage, _ fields: String..., path: String = "/episode.mp3",
        stalls: (RawClient.Response) -> Bool = { _ in false }
    ) throws -> RawClient.Response {
        try RawClient.get(path, port: stage.server.port, fields, stalls: stalls)
    }

    @Test(
        "A stall begins after the given number of bytes",
        arguments: [("stall-300k", 300_000), ("stall-always-200k", 200_000), ("hang", 0), ("hang-then-ok-1", 0)])
    func silence(name: String, count: Int) throws {
        let stage = try begin(name).0
        let answer = try get(stage) { $0.body.count == count }
        #expect(answer.end == .silent && answer.body.count == count && (count > 0) == (answer.status == 200))
        if name == "hang-then-ok-1" { #expect(try get(stage).body == first) }
    }

    @Test(
        "A delayed response takes at least the given time",
        arguments: [
            ("latency-ms-1500", 1500), ("slow-headers", 1000), ("jitter-5", 700), ("trace-train", 400),
        ])
    func times(name: String, least: Int) throws {
        let answer = try get(begin(name).0)
        #expect(answer.time >= .milliseconds(least) && answer.body == first)
    }

    @Test(
        "A slow scenario sends within its rate",
        arguments: [("trickle", 5, 390), ("rate-8k", 4096, 450), ("slow-headers-always", 0, 390)])
    func slow(name: String, bodyBytes: Int, least: Int) throws {
        let stage = try begin(name).0
        let answer = try RawClient.get("/episode.mp3", port: stage.server.port, patience: TimeLimit.event) { answer in
            bodyBytes > 0 ? answer.body.count >= bodyBytes : answer.bytes.count >= 5
        }
        // 10 ms less than the sum of the waits, each of which may end a moment early.
        #expect(answer.time >= .milliseconds(least))
        #expect(bodyBytes > 0 || "HTTP/1.1 200".hasPrefix(answer.head))
    }

    @Test("The rate falls from fast to slow")
    func cliff() throws {
        let stage = try FaultStage(first: pattern(750_000), second: [])
        _ = try #require(FaultScenario.named("trace-cliff")).begin(on: stage)
        let answer = try get(stage)
        // 720 kB in 0.6 s, the rest at 60 kB/s.
        #expect(answer.body.count == 750_000 && answer.time >= .milliseconds(1000))
    }

    @Test(
        "Statuses follow in the order of the scenario",
        arguments: [
            ("400", [400, 400]), ("403", [403]), ("404", [404]), ("410", [410]), ("451", [451]),
            ("500-then-ok-2", [500, 500, 200]), ("500-forever", [500, 500, 500]), ("503-retry-after-3", [503, 200]),
            ("429-retry-after-2", [429, 200]), ("503-retry-date", [503, 200]), ("429-forever", [429, 429, 429]),
            ("401-basic", [401, 401]), ("range-416-300k", [200, 200]), ("drop-then-500-300k-2", [200, 500, 500, 200]),
            ("html-instead", [200]), ("drop-then-moved-300k", [302, 302]),
        ])
    func statuses(name: String, statuses: [Int]) throws {
        let stage = try begin(name).0
        #expect(try statuses.map { _ in try get(stage).status } == statuses)
    }

    @Test("A busy server sends Retry-After, and a protected one sends WWW-Authenticate")
    func fields() throws {
        #expect(try get(begin("503-retry-after-3").0).field("Retry-After") == "3")
        #expect(try get(begin("429-forever").0).field("Retry-After") == "1")
        #expect(try get(begin("503-retry-date").0).field("Retry-After")?.hasSuffix("GMT") == true)
        #expect(try get(begin("401-basic").0).field("WWW-Authenticate")?.hasPrefix("Basic ") == true)
        let stage = try begin("head-405").0
        let head = "HEAD /episode.mp3 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        #expect(try RawClient.exchange(head, port: stage.server.port).status == 405)
    }

    @Test("Contents match the name of the scenario")
    func contents() throws {
        #expect(try get(begin("html-instead").0).field("Content-Type")?.hasPrefix("text/html") == true)
        let page = try get(begin("html-as-audio").0)
        #expect(page.field("Content-Type") == "audio/mpeg" && page.body.starts(with: "<!DOCTYPE".utf8))
        #expect(try get(begin("wrong-type").0).field("Content-Type") == "text/plain")
        #expect(try get(begin("no-type").0).field("Content-Type") == nil)
        let gzip = try get(begin("gzip-audio").0)
        #expect(gzip.field("Content-Encoding") == "gzip" && gzip.body.starts(with: [0x1F, 0x8B]))
        let asked = try begin("gzip-if-asked").0
        #expect(try get(asked).body == first && get(asked, "Accept-Encoding: gzip").body.count > first.count)
        for (name, count) in [("garbage-4k", 4096), ("garbage-200", 200)] {
            let body = try get(begin(name).0).body
            let wrong = body.indices.filter { body[$0] != first[$0] }
            #expect(body.count == first.count && wrong.count > count * 9 / 10)
            #expect(wrong.allSatisfy { (250_000..<250_000 + count).contains($0) })
        }
    }

    @Test("A gzip bomb of seven megabytes expands to a gigabyte")
    func bomb() throws {
        let body = try get(begin("gzip-bomb").0).body
        #expect(body.count > 6_000_000 && body.count < 8_000_000)
        let scratch = ScratchDirectory()
        let file = try scratch.write(body.prefix(100_000), to: "bomb.gz")
        let unpacked = try ProgramRun.run(["/bin/sh", "-c", "gzip -dc \(file) 2>/dev/null | wc -c"])
        #expect(Int(unpacked.outputText.split(separator: "\n").first ?? "") ?? 0 > 15_000_000)
    }

    @Test("Heads are large, numerous or malicious, depending on the scenario")
    func heads() throws {
        #expect(try get(begin("huge-header").0).head.utf8.count > 1 << 20)
        #expect(try get(begin("many-headers-5000").0).head.contains("\r\nX-Number-4999: "))
        let strange = try get(begin("header-injection").0).head
        #expect(strange.contains("\u{1B}]0;owned") && strange.contains("../../tmp/"))
        let interim = try get(begin("info-103").0)
        #expect(String(decoding: interim.bytes, as: UTF8.self).contains("HTTP/1.1 103 ") && interim.status == 100)
        let flood = try get(begin("info-flood").0).bytes
        #expect(flood.count > 100_000 * 20 + first.count)
    }

    @Test(
        "Redirects lead to their target",
        arguments: [
            ("redirect-code-301", 301, "/moved.mp3"), ("redirect-code-302", 302, "/moved.mp3"),
            ("redirect-code-303", 303, "/moved.mp3"), ("redirect-code-307", 307, "/moved.mp3"),
            ("redirect-code-308", 308, "/moved.mp3"), ("redirect-9", 302, "/step1"),
            ("redirect-relative", 302, "moved/./x/../there.mp3"), ("redirect-loop", 302, "/back"),
            ("redirect-scheme", 302, "file:///etc/passwd"), ("redirect-scheme-ftp", 302, "/episode.mp3"),
            ("redirect-scheme-gopher", 302, "/episode.mp3"), ("redirect-scheme-dict", 302, "/episode.mp3"),
            ("redirect-scheme-smb", 302, "/episode.mp3"), ("redirect-scheme-scp", 302, "/episode.mp3"),
            ("multi-host", 302, "/back.mp3"), ("portal-redirect", 302, "/login"),
            ("idle-close-after-redirect", 302, "/moved.mp3"), ("signed-2-300k", 302, "/signed.mp3?signature=0"),
        ])
    func redirects(name: String, status: Int, end: String) throws {
        let answer = try get(begin(name).0)
        #expect(answer.status == status && answer.field("Location")?.hasSuffix(end) == true)
    }

    @Test("Nine redirects end at the episode, and one scenario has no Location")
    func chain() throws {
        let stage = try begin("redirect-9").0
        #expect(try get(stage, path: "/step8").field("Location") == "/step9")
        #expect(try get(stage, path: "/step9").body == first)
        #expect(try get(begin("redirect-noloc").0).field("Location") == nil)
    }

    @Test("A scenario with a password requires it and redirects to the expected server")
    func passwords() throws {
        for name in ["auth-redirect", "auth-redirect-port", "auth-redirect-here"] {
            let (stage, address) = try begin(name)
            #expect(address.hasPrefix("http://name:secret@127.0.0.1:"))
            #expect(try get(stage).status == 401)
            let answer = try get(stage, "Authorization: Basic bmFtZTpzZWNyZXQ=")
            let place = try #require(answer.field("Location"))
            let servers = [stage.elsewhere, stage.neighbour, stage.server]
            #expect(servers.map(\.authority).contains { place.contains($0) } && answer.status == 302)
            #expect(place.contains("127.0.0.2") == (name == "auth-redirect"))
        }
    }

    @Test("A cookie is required, and a signed address can be used twice")
    func walls() throws {
        let wall = try begin("cookie-required").0
        #expect(try get(wall).field("Set-Cookie") == "pass=1; Path=/")
        #expect(try get(wall, "Cookie: pass=1").body == first)
        let signed = try begin("signed-2-300k").0
        let uses = try (0..<3).map { _ in try get(signed, path: "/signed.mp3?signature=0").status }
        #expect(uses == [200, 200, 403])
        #expect(try get(signed, path: "/signed.mp3?signature=1").body.count == 300_000)
    }
}
