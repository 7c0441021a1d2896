// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Synchronization
import Testing

@Suite("CurlTransport", .timeLimit(.minutes(TimeLimit.factor)))
struct CurlTransportTests {
    private let body = pattern(300_000)

    @Test("A whole body arrives in order between one head and one outcome")
    func whole() async throws {
        let server = try FaultServer(["/e.mp3": [FaultScript(body: body).with { $0.etag = "\"a\"" }]])
        let record = await CurlTransport.quick().fetch(server.url("/e.mp3"))
        #expect(record.outcome == .complete)
        #expect(record.order == [.head, .body, .finished])
        #expect(record.ids.count == 1)
        #expect(record.body == body)
        #expect(record.head?.status == 200)
        #expect(record.head?.contentLength == 300_000)
        #expect(record.head?.validator == .strongETag("\"a\""))
        #expect(record.head?.finalURL == server.url("/e.mp3"))
    }

    @Test("Media is requested without a content coding and with Earshot's user agent")
    func requestFields() async throws {
        let server = try FaultServer(["/e.mp3": [FaultScript(body: body)]])
        _ = await CurlTransport.quick().fetch(server.url("/e.mp3"))
        let request = try #require(server.requests.first)
        #expect(request.userAgent == "Earshot/9.9")
        #expect(request.acceptEncoding == nil)
        #expect(request.range == nil)
        #expect(request.fields["cookie"] == nil)
    }

    @Test("A range is requested with its validator and arrives as that part")
    func range() async throws {
        let server = try FaultServer(["/e.mp3": [FaultScript(body: body).with { $0.etag = "\"a\"" }]])
        let request = HTTPRequest(url: server.url("/e.mp3"), range: 100_000, rangeEnd: 200_000, ifRange: "\"a\"")
        let record = await CurlTransport.quick().fetch(request)
        #expect(server.requests.first?.range == "bytes=100000-199999")
        #expect(server.requests.first?.ifRange == "\"a\"")
        #expect(record.head?.status == 206)
        #expect(record.head?.contentRange == .part(100_000..<200_000, total: 300_000))
        #expect(record.body == Array(body[100_000..<200_000]))
    }

    @Test("A response without a body still has its head", arguments: [204, 404, 416, 503])
    func empty(status: Int) async throws {
        let script = FaultScript(contentType: nil).with { $0.status = status }
        let server = try FaultServer(["/e": [script]])
        let record = await CurlTransport.quick().fetch(server.url("/e"))
        #expect(record.order == [.head, .finished])
        #expect(record.head?.status == status)
        #expect(record.outcome == .complete)
    }

    @Test("After a refused head no body byte is delivered")
    func refusedHead() async throws {
        let server = try FaultServer(["/e": [.webPage()]])
        let record = await CurlTransport.quick().fetch(
            HTTPRequest(url: server.url("/e")), CapturingReceiver(acceptsHead: false))
        #expect(record.order == [.head, .finished])
        #expect(record.outcome == .refused)
    }

    @Test("A refused body ends the transfer immediately, without the rest")
    func refusedBody() async throws {
        let script = FaultScript(body: body).with { $0.rate = 100_000 }
        let server = try FaultServer(["/e": [script]])
        let record = await CurlTransport.quick().fetch(
            HTTPRequest(url: server.url("/e")), CapturingReceiver(bodyLimit: 10_000))
        #expect(record.outcome == .refused)
        #expect(record.body.count < 30_000)
    }

    @Test("A cancelled transfer ends immediately with that outcome and no further call")
    func cancel() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: body).stalled(after: 50_000)]])
        let transport = CurlTransport.quick()
        let receiver = CapturingReceiver { count, id in
            if count == 50_000 { transport.cancel(id) }
        }
        let record = await transport.fetch(HTTPRequest(url: server.url("/e")), receiver)
        #expect(record.outcome == .cancelled)
        #expect(record.order == [.head, .body, .finished])
        transport.cancel(try #require(record.ids.first))
    }

    @Test(
        "A transfer of any speed reads messages after at most 128 KiB",
        arguments: [FaultScript.Framing.length, .chunked, .untilClose])
    func turns(framing: FaultScript.Framing) async throws {
        let server = try FaultServer(["/e": [FaultScript(body: pattern(1 << 20)).with { $0.framing = framing }]])
        let transport = CurlTransport.quick()
        let whole = await transport.fetch(server.url("/e"))
        #expect(whole.outcome == .complete && whole.body == pattern(1 << 20))
        let receiver = CapturingReceiver { _, id in transport.cancel(id) }
        let record = await transport.fetch(HTTPRequest(url: server.url("/e")), receiver)
        #expect(record.outcome == .cancelled)
        // A turn ends with the buffer that exceeds it.
        #expect(record.body.count <= (128 + 16) * 1024)
    }

    @Test("Concurrent transfers do not mix")
    func many() async throws {
        let server = try FaultServer()
        let bodies = (0..<40).map { number in pattern(20_000 + number).map { $0 &+ UInt8(number) } }
        for (number, body) in bodies.enumerated() { server.serve("/\(number)", FaultScript(body: body)) }
        let transport = CurlTransport.quick()
        let receivers = bodies.indices.map { number in
            let receiver = CapturingReceiver()
            transport.start(HTTPRequest(url: server.url("/\(number)")), receiver: receiver)
            return receiver
        }
        var ids: Set<TransferID> = []
        for (receiver, body) in zip(receivers, bodies) {
            let record = await receiver.result
            #expect(record.outcome == .complete)
            #expect(record.body == body)
            ids.formUnion(record.ids)
        }
        #expect(ids.count == 40)
    }

    @Test("Sequential requests share one connection, and a closed one is replaced")
    func reuse() async throws {
        let server = try FaultServer([
            "/a": [FaultScript(body: body)], "/b": [FaultScript(body: body).with { $0.closes = true }],
        ])
        let transport = CurlTransport.quick()
        for path in ["/a", "/a", "/b", "/a"] {
            #expect(await transport.fetch(server.url(path)).outcome == .complete)
        }
        #expect(server.requests.map(\.connection) == [0, 0, 0, 1])
    }

    @Test("A feed is requested with gzip and br and arrives decoded")
    func compressedFeed() async throws {
        let text = Array(String(repeating: "<item/>", count: 20_000).utf8)
        let server = try FaultServer(["/feed": [.gzip(text, contentType: "application/rss+xml")]])
        let record = await CurlTransport.quick().fetch(HTTPRequest(url: server.url("/feed"), accept: .compressed))
        #expect(server.requests.first?.acceptEncoding == "gzip, br")
        #expect(record.outcome == .complete)
        #expect(record.body == text)
    }

    @Test("An unrequested gzip coding is delivered encoded, and the head has the coding")
    func unaskedGzip() async throws {
        let server = try FaultServer(["/e": [.gzip(body, contentType: "audio/mpeg")]])
        let record = await CurlTransport.quick().fetch(server.url("/e"))
        let head = try #require(record.head)
        #expect(head.contentCoding == "gzip")
        #expect(record.body.starts(with: [0x1F, 0x8B]))
        #expect(RangeVerdict.judge(head, requested: 0) == .reject(.encoded("gzip")))
    }

    @Test(
        "A Content-Encoding that names no coding is ignored",
        arguments: ["utf-8", "audio/mpeg"], [ContentCodings.identity, .compressed])
    func mislabelled(coding: String, accept: ContentCodings) async throws {
        let script = FaultScript(body: body).with { $0.fields = [("Content-Encoding", coding)] }
        let server = try FaultServer(["/e": [script]])
        let record = await CurlTransport.quick().fetch(HTTPRequest(url: server.url("/e"), accept: accept))
        #expect(record.outcome == .complete && record.head?.contentCoding == nil)
        #expect(record.body == body)
    }

    @Test("Interim responses are skipped")
    func interim() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: body).with { $0.interim = [103, 103] }]])
        let record = await CurlTransport.quick().fetch(server.url("/e"))
        #expect(record.order == [.head, .body, .finished])
        #expect(record.head?.status == 200)
        #expect(record.head?.fields["link"] == nil)
    }

    @Test("Chunked and close-delimited bodies arrive whole, with an unknown length", arguments: [true, false])
    func unknownLength(isChunked: Bool) async throws {
        let script = FaultScript(body: body).with { $0.framing = isChunked ? .chunked : .untilClose }
        let server = try FaultServer(["/e": [script]])
        let record = await CurlTransport.quick().fetch(server.url("/e"))
        #expect(record.outcome == .complete)
        #expect(record.head?.contentLength == nil)
        #expect(record.body == body)
    }

    @Test("An address with spaces and non-ASCII characters reaches the server encoded")
    func escapedAddress() async throws {
        let server = try FaultServer(["/my%20show/%C3%BC.mp3": [FaultScript(body: body)]])
        let record = await CurlTransport.quick().fetch(server.url("/my show/ü.mp3"))
        #expect(record.head?.status == 200)
    }

    @Test("shutdown() cancels every transfer, running or waiting, and returns")
    func shutdown() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: body).stalled(after: 1000)]])
        let transport = CurlTransport.quick()
        let receivers = (0..<20).map { _ in CapturingReceiver() }
        for receiver in receivers { transport.start(HTTPRequest(url: server.url("/e")), receiver: receiver) }
        transport.shutdown()
        transport.shutdown()
        for receiver in receivers { #expect(await receiver.result.outcome == .cancelled) }
        #expect(await transport.fetch(server.url("/e")).outcome == .cancelled)
    }

    @Test("A released transport cancels its transfers, even if a receiver drops the last reference")
    func lastReference() async throws {
        let server = try FaultServer(["/e": [FaultScript(body: body).stalled(after: 1000)]])
        let held = Mutex<CurlTransport?>(CurlTransport.quick())
        let receiver = CapturingReceiver { _, _ in held.withLock { $0 = nil } }
        held.withLock { _ = $0?.start(HTTPRequest(url: server.url("/e")), receiver: receiver) }
        #expect(await receiver.result.outcome == .cancelled)
    }
}
