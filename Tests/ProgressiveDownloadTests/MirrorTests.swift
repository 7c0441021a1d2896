// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

@Suite("Alternating mirrors", .timeLimit(.minutes(TimeLimit.factor)))
struct MirrorTests {
    private typealias Server = ScriptedTransport
    private let content = episode(1_000_000)

    /// Returns a download whose responses alternate between the contents, each with its own ETag and interrupted at
    /// `cut`.
    private func fixture(_ contents: [[UInt8]], cut: Int, requests: Int = 30) -> DownloadFixture {
        DownloadFixture(
            (0..<requests).map { number in
                let mirror = number % contents.count
                return Server.serve(contents[mirror], etag: "\"\(mirror)\"", cut: cut)
            })
    }

    private func bytesSent(_ fixture: DownloadFixture, cut: Int) -> Int {
        fixture.transport.requests.reduce(0) { $0 + min(cut, content.count - Int($1.range ?? 0)) }
    }

    @Test(
        "Identical bytes under different validators are downloaded to the end over an unreliable link",
        arguments: [2, 3])
    func same(mirrors: Int) async {
        let fixture = fixture(Array(repeating: content, count: mirrors), cut: 300_000)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete)
        let isEqual = fixture.directory.read("e.mp3") == content
        #expect(isEqual && fixture.directory.fileNames == ["e.mp3"])
        #expect(bytesSent(fixture, cut: 300_000) < 2 * content.count)
        #expect(fixture.source.claimSuccessor() == nil)
    }

    @Test(
        "Differing contents of the same length are never mixed, wherever they differ", arguments: [0, 200_000, 350_000])
    func different(from start: Int) async {
        var other = content
        for index in start..<other.count { other[index] ^= 0x55 }
        other.replaceSubrange(0..<4, with: content[..<4])
        let fixture = fixture([content, other], cut: 300_000)
        _ = await fixture.run()
        for name in fixture.directory.fileNames where name == "e.mp3" {
            let isPure = [content, other].contains(fixture.directory.read(name))
            #expect(isPure)
        }
        let shown = ByteSourceContract.readAll(fixture.download.core.withLock { $0.source }, bufferSize: 65536)
        #expect(content.starts(with: shown) || other.starts(with: shown))
    }

    private static let date = "Mon, 02 Nov 2026 08:00:00 GMT"

    /// Returns a download whose first response has 500,000 bytes of `first`; each later one has 300,000 bytes of
    /// `second`, another ETag, and the same Last-Modified.
    private func fixture(_ first: [UInt8], then second: [UInt8]) -> DownloadFixture {
        DownloadFixture(
            [Server.serve(first, etag: "\"0\"", cut: 500_000)]
                + (1..<30).map { Server.serve(second, etag: "\"\($0)\"", modified: Self.date, cut: 300_000) })
    }

    @Test(
        "Mirrors with one Last-Modified complete a download although no connection lasts to compare all stored bytes")
    func shortConnections() async {
        let fixture = fixture(content, then: content)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete)
        #expect(fixture.transport.requests.map(\.range) == [nil, 494_997, 494_997, 300_000, 519_952, 739_904])
        let isEqual = fixture.directory.read("e.mp3") == content
        #expect(isEqual && fixture.directory.fileNames == ["e.mp3"])
    }

    @Test(
        "A new version behind mirrors replaces the stored one completely, wherever it differs",
        arguments: [200_000, 350_000, 490_000])
    func newVersionOverShortConnections(from start: Int) async {
        var other = content
        for index in start..<other.count { other[index] ^= 0x55 }
        let fixture = fixture(content, then: other)
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete)
        let isEqual = fixture.directory.read("e.mp3") == other
        #expect(isEqual && fixture.directory.fileNames == ["e.mp3"])
    }

    @Test("A comparison with one version does not continue with another one, whose first bytes may differ")
    func versionBehindMirror() async {
        var other = content
        for index in Array(50_000..<100_000) + Array(600_000..<other.count) { other[index] ^= 0x55 }
        let mirrors = [
            Server.serve(content, etag: "\"0\"", cut: 500_000), Server.serve(content, etag: "\"1\"", cut: 300_000),
        ]
        let fixture = DownloadFixture(
            mirrors + (2..<30).map { _ in Server.serve(other, etag: "\"2\"", cut: 300_000) })
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete)
        let isEqual = fixture.directory.read("e.mp3") == other
        #expect(isEqual && fixture.directory.fileNames == ["e.mp3"])
    }

    @Test("A version that differs further on continues in a new file from a single response")
    func changed() async {
        var other = content
        for index in 200_000..<other.count { other[index] ^= 0x55 }
        let fixture = DownloadFixture(
            Server.serve(content, cut: 300_000), Server.serve(other, etag: "\"2\""))
        let downloadProgress = await fixture.run()
        #expect(downloadProgress.condition == .complete && fixture.transport.requests.count == 2)
        let isEqual = fixture.directory.read("e.mp3") == other
        #expect(isEqual && fixture.directory.fileNames == ["e.mp3"])
    }
}
