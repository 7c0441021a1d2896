// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Logging
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

@Suite("EpisodeDownload", .timeLimit(.minutes(TimeLimit.factor)))
struct EpisodeDownloadTests {
    let content = episode(300_000)
    let other = episode(300_000, seed: 2)
    typealias Server = ScriptedTransport

    /// Expects that the final file is the only one and equals `expected` byte for byte.
    func expectKept(
        _ expected: [UInt8], _ fixture: DownloadFixture, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(
            fixture.directory.fileNames == ["e.mp3"], "\(fixture.source.downloadProgress.condition)",
            sourceLocation: location)
        // Compared separately, since `#expect` takes minutes to print the difference of such arrays.
        let isEqual = fixture.directory.read("e.mp3") == expected
        #expect(isEqual, sourceLocation: location)
    }

    @Test("A complete response becomes the file with a single request")
    func whole() async {
        let fixture = DownloadFixture(Server.serve(content))
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && downloadProgress.total == 300_000)
        #expect(fixture.transport.requests == [HTTPRequest(url: "http://a/b.mp3")])
        #expect(ByteSourceContract.violations(of: fixture.source, content: content, held: 300_000) == [])
        expectKept(content, fixture)
    }

    @Test("The complete file gets the extension of its content")
    func ending() async {
        let flac = Array("fLaC".utf8) + content
        let fixture = DownloadFixture(Server.serve(flac))
        _ = await fixture.run()
        #expect(fixture.directory.fileNames == ["e.flac"])
        let isEqual = fixture.directory.read("e.flac") == flac
        #expect(isEqual)
    }

    @Test("The length is known before the first byte can be read")
    func lengthFirst() async {
        let reader = Mutex<DownloadedByteSource?>(nil)
        let lengths = Mutex<[Int64?]>([])
        let calls = DiskCalls(write: { descriptor, bytes, count, offset in
            if let source = reader.withLock({ $0 }) { lengths.withLock { $0.append(source.downloadProgress.total) } }
            return pwrite(descriptor, bytes, count, offset)
        })
        let fixture = DownloadFixture(calls: calls, Server.serve(content))
        reader.withLock { $0 = fixture.source }
        _ = await fixture.run()
        #expect(lengths.withLock { $0.first } == 300_000)
        reader.withLock { $0 = nil }
    }

    @Test("An interrupted download resumes where it left off, with If-Range", arguments: [1, 1000, 100_000, 299_999])
    func resume(cut: Int) async {
        let fixture = DownloadFixture(Server.serve(content, cut: cut), Server.serve(content))
        _ = await fixture.run()
        let first = Int64(max(0, cut - 5003))
        #expect(fixture.transport.requests.last == HTTPRequest(url: "http://a/b.mp3", range: first, ifRange: "\"1\""))
        expectKept(content, fixture)
    }

    @Test("A download survives a connection that is interrupted again and again")
    func manyCuts() async {
        let answers = Server.serve(content, cut: 70_000)
        let fixture = DownloadFixture(answers, answers, answers, answers, answers)
        _ = await fixture.run()
        expectKept(content, fixture)
    }

    @Test("A 206 from another offset is not stored")
    func wrongStart() async {
        let shifted: Server.Answer = { request in
            let fields: HeaderFields = ["content-range": "bytes 5-9/300000", "etag": "\"1\""]
            let head = ResponseHead(status: 206, fields: fields, finalURL: request.url)
            return [.head(head), .body([9, 9, 9, 9, 9])]
        }
        let fixture = DownloadFixture(Server.serve(content, cut: 100_000), shifted, Server.serve(content))
        _ = await fixture.run()
        #expect(fixture.transport.requests.last?.range == nil)
        expectKept(content, fixture)
    }

    @Test(
        "A server without ranges sends the whole file again, and bytes read before stay valid",
        arguments: ["\"1\"", nil])
    func rangeIgnored(etag: String?) async {
        let fixture = DownloadFixture(
            Server.serve(content, etag: etag, cut: 100_000, ranges: false),
            Server.serve(content, etag: etag, ranges: false))
        fixture.start()
        _ = await fixture.reach { !$0.extents.isEmpty }
        _ = ByteSourceContract.read(fixture.source, at: 0, count: 10)
        let downloadProgress = await fixture.finish()
        fixture.download.cancel()
        #expect(downloadProgress.condition == .complete)
        expectKept(content, fixture)
    }

    @Test("Another version replaces the first one if no byte of it has been read")
    func changedUnread() async {
        let fixture = DownloadFixture(Server.serve(content, cut: 100_000), Server.serve(other, etag: "\"2\""))
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete)
        #expect(ByteSourceContract.violations(of: fixture.source, content: other, held: 300_000) == [])
        expectKept(other, fixture)
    }

    @Test("If the version changes while it is read, the source fails at the end of its bytes and the new file is kept")
    func changedWhileRead() async {
        let fixture = DownloadFixture(
            clock: ManualClock(), Server.serve(content, cut: 100_000), Server.serve(other, etag: "\"2\""))
        fixture.start()
        await fixture.clock.waitForSleeper()
        _ = ByteSourceContract.read(fixture.source, at: 0, count: 10)
        fixture.clock.advance(by: .seconds(1))
        let downloadProgress = await fixture.finish()
        #expect(downloadProgress.condition == .failed(MediaFailure(.badData, "the episode changed on the server")))
        #expect(await eventually { fixture.download.core.withLock({ $0.machine.condition }) == .complete })
        fixture.download.cancel()
        let complaints = ByteSourceContract.violations(
            of: fixture.source, content: content, held: 100_000, isOver: true)
        #expect(complaints == [])
        expectKept(other, fixture)
    }

    @Test("A position in the old version does not steer the download of the new one")
    func changedWhileSeeking() async {
        let (old, new) = (episode(4_000_000), episode(4_000_000, seed: 2))
        let reader = Mutex<DownloadedByteSource?>(nil)
        var calls = DiskCalls()
        calls.open = { path, flags, mode in
            if path.hasSuffix(".partial.new") { reader.withLock { $0 }?.setReadPosition(from: 3_000_000) }
            return Glibc.open(path, flags, mode)
        }
        let held: ScriptedTransport.Answer = { request in
            var steps = Server.serve(new, etag: "\"2\"")(request)
            steps.insert(.hold, at: steps.count / 4)
            return steps
        }
        let fixture = DownloadFixture(
            clock: ManualClock(), calls: calls, Server.serve(old, cut: 100_000), held, Server.serve(new, etag: "\"2\""))
        fixture.start()
        await fixture.clock.waitForSleeper()
        _ = ByteSourceContract.read(fixture.source, at: 0, count: 10)
        reader.withLock { $0 = fixture.source }
        fixture.clock.advance(by: .seconds(1))
        _ = await fixture.finish()
        fixture.download.waitForQueuedEvents()
        #expect(await eventually { fixture.transport.release() })
        #expect(await eventually { fixture.download.core.withLock({ $0.machine.condition }) == .complete })
        reader.withLock { $0 = nil }
        fixture.download.cancel()
        #expect(fixture.transport.requests.map(\.range) == [nil, 94_997])
        expectKept(new, fixture)
    }

    @Test("A change without a validator is detected by the overlap")
    func silentChange() async {
        let fixture = DownloadFixture(
            Server.serve(content, etag: nil, cut: 100_000), Server.serve(other, etag: nil),
            Server.serve(other, etag: nil))
        _ = await fixture.run()
        #expect(fixture.transport.requests.map(\.range) == [nil, 94_997, nil])
        expectKept(other, fixture)
    }

    @Test("A server with a new version at every request fails, and no mixture is kept")
    func restless() async {
        let versions = (1...8).map { Server.serve(episode(300_000, seed: $0), etag: "\"\($0)\"", cut: 100_000) }
        let fixture = DownloadFixture(
            versions[0], versions[1], versions[2], versions[3], versions[4], versions[5], versions[6])
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .failed(DownloadStateMachine.restless))
        #expect(!fixture.directory.fileNames.contains("e.mp3"))
    }

    @Test("A response that is not audio fails with its reason and leaves no file", arguments: Refusal.all)
    func refused(refusal: Refusal) async {
        let fixture = DownloadFixture(refusal.answer)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .failed(refusal.failure))
        #expect(fixture.directory.fileNames == [])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedTransport.Answer
        let failure: MediaFailure

        static let html = Array(("<!DOCTYPE html>" + String(repeating: "sign in ", count: 1000)).utf8)
        static let page = MediaFailure(.badData, "the server sent a web page, not audio")
        static let empty = MediaFailure(.badData, "the server sent an empty file")

        static let all = [
            Refusal(
                testDescription: "404", answer: ScriptedTransport.status(404),
                failure: MediaFailure(.missing, "the server answered 404 Not Found")),
            Refusal(
                testDescription: "a web page with its own content type",
                answer: ScriptedTransport.serve(html, type: "text/html; charset=utf-8"), failure: page),
            Refusal(
                testDescription: "a web page with an audio content type", answer: ScriptedTransport.serve(html),
                failure: page),
            Refusal(
                testDescription: "a web page byte by byte", answer: ScriptedTransport.serve(html, chunk: 1),
                failure: page),
            Refusal(
                testDescription: "an error that is declared as JSON",
                answer: ScriptedTransport.serve(Array("{\"error\": 4}".utf8), type: "application/json"),
                failure: page),
            Refusal(testDescription: "an empty body", answer: ScriptedTransport.serve([]), failure: empty),
            Refusal(
                testDescription: "an empty body of unknown length",
                answer: ScriptedTransport.serve([], length: false), failure: empty),
        ]
    }

    @Test(
        "Audio is downloaded, also after an interruption, if the server declares the type of a page",
        arguments: ["application/json", "application/xml", "text/html"])
    func declaredAsPage(type: String) async {
        let fixture = DownloadFixture(
            Server.serve(content, type: type, cut: 100_000), Server.serve(content, type: type))
        _ = await fixture.run()
        #expect(fixture.transport.requests.map(\.range) == [nil, 94_997])
        expectKept(content, fixture)
    }

    @Test("Audio that is declared as a page is downloaded after an interruption also from a server without ranges")
    func declaredAsPageWithoutRanges() async {
        let fixture = DownloadFixture(
            Server.serve(content, type: "application/json", cut: 100_000),
            Server.serve(content, type: "application/json", ranges: false))
        _ = await fixture.run()
        #expect(fixture.transport.requests.map(\.range) == [nil, 94_997])
        expectKept(content, fixture)
    }

    @Test("A sign-in page during the download deletes no stored byte")
    func portal() async {
        let page = Array("<html>sign in".utf8)
        let fixture = DownloadFixture(
            Server.serve(content, cut: 100_000), Server.serve(page, etag: nil, ranges: false),
            Server.status(200, ["content-type": "text/html"], body: page), Server.serve(content))
        _ = await fixture.run()
        #expect(fixture.transport.requests.last?.range == 94_997)
        expectKept(content, fixture)
    }

    @Test("A server error is retried")
    func trouble() async {
        let fixture = DownloadFixture(Server.status(503), Server.status(500), Server.serve(content))
        _ = await fixture.run()
        expectKept(content, fixture)
    }
}
