// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import HTTPTransfer
import Media
import Testing

@testable import ProgressiveDownload

@Suite("An enclosure whose address changes")
struct ChangedAddressTests {
    private typealias Server = ScriptedTransport
    private let directory = TemporaryDirectory()
    private let content = episode(600_000)
    private static let held = 200_000

    /// A run at the first address that ends with the first 200,000 bytes on disk.
    private func hold(etag: String? = "\"1\"") async {
        let answer: Server.Answer = { [content] request in
            Array(Server.serve(content, etag: etag, cut: Self.held)(request).dropLast()) + [.hold]
        }
        let fixture = DownloadFixture(in: directory, url: "http://a/b.mp3?token=1", [answer])
        fixture.start()
        _ = await fixture.reach { $0.extents.count == Self.held }
        fixture.source.close()
    }

    private func later(_ answers: Server.Answer...) -> DownloadFixture {
        DownloadFixture(in: directory, url: "https://c.example/d.mp3?token=2", answers)
    }

    /// What a further run has before it asks anybody.
    private func heldNow() throws -> Int64 {
        let location = DownloadLocation(directory: directory.path, name: "e.mp3")
        let (file, holding) = try PartialFile.open(location, url: "http://e")
        file.release()
        return holding.lead
    }

    @Test("the rest is fetched from the new address", arguments: ["\"1\"", nil])
    func resumes(etag: String?) async {
        await hold(etag: etag)
        let fixture = later(Server.serve(content, etag: etag))
        #expect(await fixture.run().condition == .complete)
        #expect(fixture.transport.requests.map(\.range) == [Int64(Self.held) - 4096])
        #expect(fixture.transport.requests.map(\.ifRange) == [etag])
        #expect(directory.read("e.mp3") == content)
    }

    @Test("a server without ranges is compared with what is stored")
    func wholeAnswer() async {
        await hold()
        let fixture = later(Server.serve(content, ranges: false))
        #expect(await fixture.run().condition == .complete)
        #expect(directory.read("e.mp3") == content)
    }

    @Test(
        "no refusal takes a stored byte away",
        arguments: [
            ScriptedTransport.status(401), ScriptedTransport.status(403), ScriptedTransport.status(404),
            ScriptedTransport.status(410), ScriptedTransport.status(503),
            ScriptedTransport.status(200, ["content-type": "text/html"], body: Array("<!doctype html>".utf8)),
            ScriptedTransport.status(200, ["content-type": "audio/mpeg"], body: Array("<!doctype html>".utf8)),
            ScriptedTransport.status(200, ["content-type": "audio/mpeg", "content-length": "0"]),
        ])
    func refused(answer: @escaping ScriptedTransport.Answer) async throws {
        await hold()
        let fixture = later(answer, answer, answer, answer, answer, answer)
        _ = await fixture.run()
        fixture.source.close()
        #expect(try heldNow() == Int64(Self.held))
    }

    @Test("nobody at the new address: what is stored can be read, and stays")
    func offline() async throws {
        await hold()
        let fixture = later()
        fixture.start()
        let arrival = await fixture.finish()
        #expect(arrival.extents.ranges == [0..<Int64(Self.held)])
        #expect(ByteSourceContract.readAll(fixture.source, bufferSize: 4096) == Array(content[..<Self.held]))
        fixture.source.close()
        #expect(try heldNow() == Int64(Self.held))
    }

    @Test("another version replaces the stored one when it is whole, and not before")
    func otherVersion() async throws {
        await hold()
        let other = episode(600_000, seed: 2)
        let cut = later(Server.serve(other, etag: "\"2\"", cut: 100_000))
        _ = await cut.run()
        cut.source.close()
        #expect(directory.names.contains("e.mp3.earlier"))
        let whole = later(Server.serve(other, etag: "\"2\""))
        let source = whole.source
        whole.start()
        let successor = try #require(source.takeSuccessor() as? DownloadedByteSource)
        #expect(await successor.reach(\.isOver).condition == .complete)
        successor.close()
        #expect(await eventually { self.directory.read("e.mp3") == other })
        #expect(!directory.names.contains("e.mp3.earlier"))
    }

    @Test("a copy of the folder goes on with the bytes that are in it")
    func copied() async throws {
        await hold()
        let bytes = try #require(directory.read("e.mp3.partial"))
        unlink(directory.path + "/e.mp3.partial")
        directory.write([0], to: "other")
        directory.write(bytes, to: "e.mp3.partial")
        #expect(try heldNow() == Int64(Self.held))
        let fixture = later(Server.serve(content))
        #expect(await fixture.run().condition == .complete)
        #expect(fixture.transport.requests.map(\.range) == [Int64(Self.held) - 4096])
        #expect(directory.read("e.mp3") == content)
    }

    @Test("a copy that was damaged keeps the blocks that are whole")
    func copiedDamaged() async throws {
        await hold()
        var bytes = try #require(directory.read("e.mp3.partial"))
        bytes[0] ^= 1
        unlink(directory.path + "/e.mp3.partial")
        directory.write([0], to: "other")
        directory.write(bytes, to: "e.mp3.partial")
        #expect(try heldNow() == 0)
    }
}
