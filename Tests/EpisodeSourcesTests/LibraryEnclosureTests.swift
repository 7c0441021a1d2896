// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import HTTPTransfer
import Logging
import Media
import Playback
import ProgressiveDownload
import Testing

@testable import EpisodeSources

@Suite("What the library knows about the audio of an episode")
struct LibraryEnclosureTests {
    private let stage: LibraryStage
    private let folders: KeepFolders
    private let episode: Int64
    private var library: Library { stage.library }

    /// Creates a podcast whose newest episode has alternate enclosures.
    init() throws {
        stage = try LibraryStage()
        folders = KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept")))
        var newest = ParsedEpisode.numbered(3)
        for (path, type) in [("3.mp4", "video/mp4"), ("3.opus", "audio/opus"), ("3.ogg", "audio/ogg")] {
            var alternate = ParsedAlternateEnclosure()
            (alternate.type, alternate.length) = (type, 7)
            alternate.sources = [.init(uri: "https://host.example/\(path)")]
            newest.alternateEnclosures.append(alternate)
        }
        episode = try stage.merge([newest, .numbered(2), .numbered(1)], into: stage.subscribe()).new[0]
    }

    private func source(of episode: Int64, _ answers: ScriptedTransport.Answer...) throws -> EnclosureSource {
        let resolved = try LibraryTargets(library).resolved(library.episode(episode))
        return EnclosureSource(episode: resolved, sources: sources(answers))
    }

    private func sources(_ answers: [ScriptedTransport.Answer] = []) -> EnclosureSources {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return EnclosureSources(
            transport: ScriptedTransport(answers), keeping: folders,
            recorder: DownloadRecorder(LibraryDownloads(library, in: folders)), logger: logger)
    }

    /// An episode with the address of the library's newest one, which the library did not resolve.
    private var stranger: EnclosureSource {
        let origin = ResolvedEpisode.Origin.remote(url: "https://host.example/3.mp3")
        return EnclosureSource(
            episode: ResolvedEpisode(title: "A", location: "", origin: origin), sources: sources())
    }

    private static func enclosure(of source: any ItemSource) -> RemoteEnclosure? {
        guard case .remote(let enclosure) = (source as? EnclosureSource)?.episode.origin else { return nil }
        return enclosure
    }

    // MARK: Alternate enclosures

    @Test("The alternative to an episode is the first of its alternate enclosures that Earshot plays")
    func alternative() throws {
        let source = try source(of: episode)
        let other = try #require(source.alternative())
        let enclosure = try #require(Self.enclosure(of: other))
        #expect(enclosure.url == "https://host.example/3.opus" && enclosure.type == "audio/opus")
        #expect(enclosure.claimedLength == 7)
        #expect(enclosure.feed == "https://host.example/feed.xml" && enclosure.reach == .publicOnly())
    }

    @Test("The alternative has its own file, which the library does not count as a download of the episode")
    func alternativeFile() async throws {
        var audio = MP3Builder()
        audio.addFrames(20)
        let source = try source(of: episode, ScriptedTransport.serve(audio.bytes))
        let other = try #require(source.alternative())
        #expect((other as? EnclosureSource)?.episode.libraryEntry == nil)
        let bytes = try other.open()
        #expect(await eventually { bytes.downloadProgress.condition == .complete })
        bytes.close()
        let enclosure = try #require(Self.enclosure(of: other))
        let location = folders.standard.location(forEnclosure: enclosure.url)
        #expect(await eventually { location.presence == .complete })
        await source.sources.recordDownloads(atMost: TimeLimit.event)
        #expect(try library.downloads().isEmpty)
    }

    @Test("An episode without alternate enclosures, and one outside the library, have no alternative")
    func noAlternative() throws {
        let plain = try library.episodes(EpisodeFilter(), limit: 9).episodes.map(\.id).filter { $0 != episode }
        #expect(plain.count == 2)
        for id in plain { #expect(try source(of: id).alternative() == nil) }
        #expect(stranger.alternative() == nil)
    }

    @Test("A library that cannot be read has no alternative and no loudness, and playback goes on")
    func unreadable() throws {
        let source = try source(of: episode)
        try library.close()
        #expect(source.alternative() == nil)
        let known = source.knownLoudness()
        #expect(known.kept == nil && known.podcast.isEmpty)
    }

    // MARK: Bookmarks

    @Test("The end of playback makes an estimated bookmark exact if the file is complete")
    func estimatedBookmark() async throws {
        var audio = MP3Builder()
        audio.addFrames(400, kilobits: [32, 320])
        let length = Int64(audio.bytes.count)
        let anchor = TimeAnchor(offset: audio.frameOffsets[200], time: .seconds(9), totalLength: length)
        try library.addBookmark(episode, at: .seconds(10), from: anchor)
        let source = try source(of: episode, ScriptedTransport.serve(audio.bytes))
        let enclosure = try #require(Self.enclosure(of: source))
        let bytes = try source.open()
        #expect(await eventually { bytes.downloadProgress.condition == .complete })
        bytes.close()
        #expect(await eventually { source.sources.storageLocation(of: enclosure).presence == .complete })
        await source.sources.recordDownloads(atMost: TimeLimit.event)
        #expect(try library.bookmarks(of: episode).map(\.anchor) == [nil])
    }

    // MARK: Loudness

    /// The loudness of a file of this length with a tone of this amplitude.
    private static func loudness(_ amplitude: Float, length: Int64 = 4711) -> KeptLoudness {
        var meter = LoudnessMeter(format: AudioFormat(sampleRate: 8000, channels: 1))
        let samples = (0..<40_000).map { $0 % 8 < 4 ? amplitude : -amplitude }
        samples.withUnsafeBufferPointer { meter.measure($0) }
        return KeptLoudness(meter.histogram, of: FileFingerprint(length: length, hash: 0xDEAD_BEEF_0123_4567))
    }

    @Test("The loudness that one session measured is known to the next one, with the length of the file")
    func keeps() async throws {
        let loudness = Self.loudness(0.1)
        #expect(try source(of: episode).knownLoudness().kept == nil)
        try source(of: episode).keep(loudness)
        let next = try source(of: episode)
        #expect(await eventually { next.knownLoudness().kept == loudness })
        #expect(next.knownLoudness().podcast == [loudness].compactMap(\.histogram.integrated))
        #expect(next.knownLoudness().others.isEmpty)
        let stored = try #require(try library.loudness(of: episode))
        #expect(stored.integrated == loudness.histogram.integrated && stored.range == loudness.histogram.range)
        #expect(stored.truePeak == loudness.histogram.truePeak && stored.seconds == 5)
    }

    @Test("The loudness of the podcast's other episodes is known before an episode is measured")
    func podcast() async throws {
        let others = try library.episodes(EpisodeFilter(), limit: 9).episodes.map(\.id).filter { $0 != episode }
        let (louder, quieter) = (Self.loudness(0.2), Self.loudness(0.02))
        try source(of: others[0]).keep(louder)
        try source(of: others[1]).keep(quieter)
        let source = try source(of: episode)
        #expect(await eventually { source.knownLoudness().podcast.count == 2 })
        let known = source.knownLoudness()
        #expect(known.kept == nil)
        #expect(known.podcast == [louder, quieter].compactMap(\.histogram.integrated))
        #expect(known.others == known.podcast)
    }

    @Test("All episodes of a podcast know the same loudness of it, and each the loudness of the others")
    func wholePodcast() throws {
        let all = try library.episodes(EpisodeFilter(), limit: 9).episodes.map(\.id)
        for (episode, loudness) in zip(all, [-30.0, -20, -10]) {
            try library.store(
                StoredLoudness(
                    fileLength: 1, seconds: 5, integrated: loudness, range: nil, truePeak: nil, histogram: []),
                of: episode)
        }
        let known = try all.map { try source(of: $0).knownLoudness() }
        #expect(known.map(\.podcast) == [[-30, -20, -10], [-30, -20, -10], [-30, -20, -10]])
        #expect(known.map(\.others) == [[-20, -10], [-30, -10], [-30, -20]])
    }

    @Test("A damaged measurement is ignored, and the podcast's other episodes still count")
    func damaged() async throws {
        let other = try #require(try library.episodes(EpisodeFilter(), limit: 9).episodes.last?.id)
        try library.store(
            StoredLoudness(
                fileLength: 1, seconds: 5, integrated: -18, range: nil, truePeak: nil, histogram: [9, 9]), of: episode)
        try source(of: other).keep(Self.loudness(0.1))
        let source = try source(of: episode)
        #expect(await eventually { !source.knownLoudness().others.isEmpty })
        #expect(source.knownLoudness().kept == nil)
    }

    @Test("An episode outside the library has no loudness there, and its measurement is not stored")
    func outside() async throws {
        let all = try library.episodes(EpisodeFilter(), limit: 9).episodes.map(\.id)
        let sources = sources()
        let known = try [episode, all[2]].map { try LibraryTargets(library).resolved(library.episode($0)) }
        sources.keep(Self.loudness(0.2), of: known[0])
        sources.keep(Self.loudness(0.1), of: stranger.episode)
        // Measurements are stored one after the other.
        sources.keep(Self.loudness(0.2), of: known[1])
        #expect(await eventually { sources.knownLoudness(of: known[1]).kept != nil })
        #expect(sources.knownLoudness(of: known[0]).kept == Self.loudness(0.2))
        #expect(try library.loudness(of: all[1]) == nil)
        #expect(stranger.knownLoudness().kept == nil && stranger.knownLoudness().podcast.isEmpty)
    }
}
