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
    private let directory = ScratchDirectory()
    private let content = episode(600_000)
    private static let held = 200_000

    /// Runs a download from the first address until its first 200,000 bytes are on disk.
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

    /// Returns the number of leading bytes that a further run starts with.
    private func storedCount() throws -> Int64 {
        let location = DownloadLocation(directory: directory.path, name: "e.mp3")
        let (file, stored) = try PartialFile.open(location, url: "http://e")
        file.release()
        return stored.lead
    }

    @Test("The rest is requested from the new address", arguments: ["\"1\"", nil])
    func resumes(etag: String?) async {
        await hold(etag: etag)
        let fixture = later(Server.serve(content, etag: etag))
        #expect(await fixture.run().condition == .complete)
        #expect(fixture.transport.requests.map(\.range) == [Int64(Self.held) - 5003])
        #expect(fixture.transport.requests.map(\.ifRange) == [etag])
        #expect(directory.read("e.mp3") == content)
    }

    @Test("The response of a server without ranges is compared with the stored bytes")
    func wholeAnswer() async {
        await hold()
        let fixture = later(Server.serve(content, ranges: false))
        #expect(await fixture.run().condition == .complete)
        #expect(directory.read("e.mp3") == content)
    }

    @Test(
        "A refused request deletes no stored byte",
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
        #expect(try storedCount() == Int64(Self.held))
    }

    @Test("If the new address does not answer, the stored bytes stay and can be read")
    func offline() async throws {
        await hold()
        let fixture = later()
        fixture.start()
        let downloadProgress = await fixture.finish()
        #expect(downloadProgress.extents.ranges == [0..<Int64(Self.held)])
        #expect(ByteSourceContract.readAll(fixture.source, bufferSize: 4096) == Array(content[..<Self.held]))
        fixture.source.close()
        #expect(try storedCount() == Int64(Self.held))
    }

    @Test("Another version replaces the stored one when it is complete, and not before")
    func otherVersion() async throws {
        await hold()
        let other = episode(600_000, seed: 2)
        let cut = later(Server.serve(other, etag: "\"2\"", cut: 100_000))
        _ = await cut.run()
        cut.source.close()
        #expect(directory.fileNames.contains("e.mp3.earlier"))
        let whole = later(Server.serve(other, etag: "\"2\""))
        let source = whole.source
        whole.start()
        let successor = try #require(source.claimSuccessor() as? DownloadedByteSource)
        #expect(await successor.reach(\.isOver).condition == .complete)
        successor.close()
        #expect(await eventually { self.directory.read("e.mp3") == other })
        #expect(!directory.fileNames.contains("e.mp3.earlier"))
    }

    @Test("A download in a copied folder resumes with the copied bytes")
    func copied() async throws {
        await hold()
        let bytes = try directory.existing("e.mp3.partial")
        unlink(directory.path + "/e.mp3.partial")
        try directory.write([0], to: "other")
        try directory.write(bytes, to: "e.mp3.partial")
        #expect(try storedCount() == Int64(Self.held))
        let fixture = later(Server.serve(content))
        #expect(await fixture.run().condition == .complete)
        #expect(fixture.transport.requests.map(\.range) == [Int64(Self.held) - 5003])
        #expect(directory.read("e.mp3") == content)
    }

    @Test("A download in a damaged copy keeps only the intact blocks")
    func copiedDamaged() async throws {
        await hold()
        var bytes = try directory.existing("e.mp3.partial")
        bytes[0] ^= 1
        unlink(directory.path + "/e.mp3.partial")
        try directory.write([0], to: "other")
        try directory.write(bytes, to: "e.mp3.partial")
        #expect(try storedCount() == 0)
    }
}
