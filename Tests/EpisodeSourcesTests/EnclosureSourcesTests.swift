// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Logging
import MPEGAudio
import Media
import Playback
import ProgressiveDownload
import Testing

@testable import EpisodeSources

@Suite("EnclosureSources")
struct EnclosureSourcesTests {
    private static let url = "https://example.org/a.mp3"
    private let content: [UInt8] = {
        var builder = MP3Builder()
        builder.addFrames(100)
        return builder.bytes
    }()
    private let directory: ScratchDirectory
    private let logger: Logger

    init() throws {
        directory = ScratchDirectory()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        self.logger = logger
    }

    /// Returns the source of a single item.
    private func source(
        _ transport: ScriptedTransport, origin: ResolvedEpisode.Origin = .remote(url: url)
    ) throws(MediaFailure) -> any ByteSource {
        let sources = EnclosureSources(
            transport: transport, keeping: KeepDirectory(path: directory.path), logger: logger)
        let resolved = ResolvedEpisode(title: "A", podcast: nil, location: "", claimedDuration: nil, origin: origin)
        return try sources.source(of: resolved)
    }

    private var location: DownloadLocation {
        KeepDirectory(path: directory.path).location(forEnclosure: Self.url)
    }

    @Test("An episode is downloaded, kept under its name, and not fetched again")
    func arrivesOnce() async throws {
        let transport = ScriptedTransport([ScriptedTransport.serve(content)])
        let arriving = try source(transport)
        #expect(await eventually { arriving.downloadProgress.condition == .complete })
        #expect(ByteSourceContract.readAll(arriving, bufferSize: 4096) == content)
        arriving.close()
        #expect(await eventually { self.location.presence == .complete })
        let kept = try source(transport)
        #expect(kept.downloadProgress.condition == .complete)
        #expect(ByteSourceContract.readAll(kept, bufferSize: 4096) == content)
        #expect(transport.requests.count == 1)
    }

    @Test("A partial episode is kept, and only the rest is fetched")
    func continues() async throws {
        let half = content.count / 2
        let first = ScriptedTransport([{ [content] request in
            var steps = ScriptedTransport.serve(content, cut: half)(request)
            steps.insert(.hold, at: steps.count - 1)
            return steps
        }])
        let broken = try source(first)
        #expect(await eventually { broken.downloadProgress.extents.upperBound == Int64(half) })
        broken.close()
        #expect(await eventually { self.location.presence == .partial })
        let second = ScriptedTransport([ScriptedTransport.serve(content)])
        let arriving = try source(second)
        #expect(await eventually { arriving.downloadProgress.condition == .complete })
        #expect(ByteSourceContract.readAll(arriving, bufferSize: 4096) == content)
        #expect(second.requests.allSatisfy { ($0.range ?? 0) > 0 }, "\(second.requests)")
        arriving.close()
    }

    @Test("An enclosure that is on the playlist twice is fetched once and is open until its last reader closes it")
    func twice() async throws {
        let half = content.count / 2
        let transport = ScriptedTransport([{ [content] request in
            var steps = ScriptedTransport.serve(content, cut: half)(request)
            steps.insert(.hold, at: steps.count - 1)
            return steps
        }, ScriptedTransport.serve(content)])
        let sources = EnclosureSources(
            transport: transport, keeping: KeepDirectory(path: directory.path), logger: logger)
        let resolved = ResolvedEpisode(
            title: "A", podcast: nil, location: "", claimedDuration: nil, origin: .remote(url: Self.url))
        let opened = try (0..<2).map { _ in try sources.source(of: resolved) }
        #expect(await eventually { opened[1].downloadProgress.extents.upperBound == Int64(half) })
        opened[0].close()
        opened[0].close()
        var byte: UInt8 = 0
        withUnsafeMutableBytes(of: &byte) { byte in
            #expect(opened[1].read(at: 0, into: byte) == .data(count: 1))
            guard case .failed = opened[0].read(at: 0, into: byte) else {
                Issue.record("a read of a closed handle succeeded")
                return
            }
        }
        #expect(transport.requests.count == 1)
        opened[1].close()
        let again = try sources.source(of: resolved)
        #expect(await eventually { again.downloadProgress.condition == .complete })
        #expect(transport.requests.count == 2)
        again.close()
    }

    @Test("A local file is read directly")
    func file() throws {
        let path = try directory.write(content, to: "b.mp3")
        let transport = ScriptedTransport([])
        let source = try source(transport, origin: .file(path: path))
        #expect(ByteSourceContract.readAll(source, bufferSize: 4096) == content)
        #expect(transport.requests.isEmpty)
        #expect(throws: MediaFailure.self) {
            try self.source(transport, origin: .file(path: path + ".none"))
        }
    }

    // MARK: Indexes

    /// Returns the source of one episode.
    private func known(_ origin: ResolvedEpisode.Origin = .remote(url: url)) -> EnclosureSource {
        let sources = EnclosureSources(
            transport: ScriptedTransport([]), keeping: KeepDirectory(path: directory.path), logger: logger)
        let resolved = ResolvedEpisode(title: "A", podcast: nil, location: "", claimedDuration: nil, origin: origin)
        return EnclosureSource(episode: resolved, sources: sources)
    }

    private var index: KeptFrameIndex {
        var parser = MPEGStreamParser()
        content.withUnsafeBytes { parser.append($0) }
        parser.finish()
        var index = FrameIndex()
        while let event = parser.next() {
            if case .packet(let packet) = event { index.append(packet) }
        }
        return KeptFrameIndex(index, totalLength: Int64(content.count))
    }

    @Test("The index of a kept episode is available in the next session")
    func keepsIndex() async throws {
        try directory.write(content, to: location.name)
        let source = known()
        #expect(source.keptIndex() == nil)
        let index = index
        #expect(index.index.count == 100)
        source.keep(index)
        #expect(await eventually { source.keptIndex() == index })
        #expect(known().keptIndex() == index)
        #expect(directory.names == [location.name, location.name + ".index"])
    }

    @Test("An index that was stored during the download is available when the episode has its final name")
    func keepsIndexOfArriving() async throws {
        try directory.write(content, to: location.name + ".partial")
        let source = known()
        source.keep(index)
        #expect(await eventually { self.directory.names.contains(self.location.name + ".index") })
        #expect(source.keptIndex() == nil)
        try directory.write(content, to: location.name)
        #expect(source.keptIndex() == index)
    }

    @Test("A damaged index is ignored")
    func damagedIndex() throws {
        try directory.write(content, to: location.name)
        try directory.write(Array(index.encoded().dropLast()), to: location.name + ".index")
        #expect(known().keptIndex() == nil)
    }

    @Test("No index is kept for a local file or for an episode that is not kept")
    func keepsNothing() throws {
        let path = try directory.write(content, to: "b.mp3")
        let local = known(.file(path: path))
        local.keep(index)
        let source = known()
        source.keep(index)
        #expect(local.keptIndex() == nil)
        #expect(source.keptIndex() == nil)
        #expect(directory.names == ["b.mp3"])
    }
}
