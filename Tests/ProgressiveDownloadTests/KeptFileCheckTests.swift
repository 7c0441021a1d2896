// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("KeptFileCheck")
struct KeptFileCheckTests {
    private typealias Server = ScriptedTransport
    private let directory = ScratchDirectory()
    private let content = episode(100_000)
    private var location: DownloadLocation { DownloadLocation(directory: directory.path, name: "e.mp3") }

    /// Downloads the file from a server with the given ETag.
    private func keep(etag: String? = "\"1\"") async {
        let fixture = DownloadFixture(in: directory, Server.serve(content, etag: etag))
        _ = await fixture.run()
        fixture.source.close()
        #expect(directory.read("e.mp3") == content)
    }

    private func ask(_ transport: Server, _ clock: ManualClock = ManualClock()) async -> KeptFileCheck.Outcome {
        await KeptFileCheck(transport: transport, timeout: .seconds(2), clock: clock)
            .check(HTTPRequest(url: "http://a/b.mp3"), about: location)
    }

    @Test("The validators are kept beside the complete file, and a 304 means unchanged")
    func unchanged() async {
        await keep()
        #expect(directory.names == ["e.mp3", "e.mp3.origin"])
        let transport = Server([Server.status(304)])
        #expect(await ask(transport) == .unchanged)
        #expect(transport.requests.map(\.conditions) == [RequestConditions(etag: "\"1\"")])
    }

    @Test("A body of another length, or of the same length with other bytes, means changed")
    func changed() async {
        await keep()
        #expect(await ask(Server([Server.serve(episode(120_000, seed: 2), etag: "\"2\"")])) == .changed)
        #expect(await ask(Server([Server.serve(episode(100_000, seed: 2), etag: "\"2\"")])) == .changed)
        #expect(await ask(Server([Server.serve(episode(100_000, seed: 2), etag: "\"2\"", length: false)])) == .changed)
    }

    @Test("The body of a server that ignores conditions is compared", arguments: ["\"1\"", "\"2\"", nil])
    func ignoresConditions(etag: String?) async {
        await keep()
        #expect(await ask(Server([Server.serve(content, etag: etag)])) == .unchanged)
        #expect(await ask(Server([Server.serve(content, etag: etag, length: false)])) == .unchanged)
    }

    @Test("Without validators the request has no conditions and the bytes are compared")
    func withoutValidators() async {
        await keep(etag: nil)
        #expect(directory.names == ["e.mp3"])
        let transport = Server([Server.serve(content, etag: nil), Server.serve(episode(100_000, seed: 3), etag: nil)])
        #expect(await ask(transport) == .unchanged)
        #expect(await ask(transport) == .changed)
        #expect(transport.requests.allSatisfy { $0.conditions == RequestConditions() })
    }

    @Test("Validators of another file are not sent")
    func otherFile() async throws {
        await keep()
        try directory.write(episode(90_000), to: "e.mp3")
        let transport = Server([Server.serve(content)])
        #expect(await ask(transport) == .changed)
        #expect(transport.requests.first?.conditions == RequestConditions())
    }

    private static let refusals: [ScriptedTransport.Answer] = [
        ScriptedTransport.status(403), ScriptedTransport.status(404), ScriptedTransport.status(503),
        ScriptedTransport.status(200, ["content-type": "text/html"], body: Array("<!doctype html>".utf8)),
        ScriptedTransport.status(200, ["content-type": "audio/mpeg"], body: Array("<!doctype html>".utf8)),
        ScriptedTransport.status(200, ["content-type": "audio/mpeg"], body: Array("Please log in.".utf8)),
        ScriptedTransport.status(200, body: Array(String(repeating: "Please log in. ", count: 5000).utf8)),
        { _ in [.end(.failed(.cannotConnect(host: "a", reason: "refused")))] },
    ]

    @Test("A refusal, a web page, plain text or a missing server leaves the answer unknown", arguments: refusals)
    func unknown(answer: @escaping ScriptedTransport.Answer) async {
        await keep()
        guard case .unknown = await ask(Server([answer])) else {
            Issue.record("a refusal was treated as an answer")
            return
        }
    }

    @Test("A server that does not answer is not waited for")
    func silent() async {
        await keep()
        let answer = await ask(Server([{ _ in [.hold] }]), ManualClock(skipsWaits: true))
        #expect(answer == .unknown(MediaFailure(.temporary, "the server did not answer in time")))
    }
}
