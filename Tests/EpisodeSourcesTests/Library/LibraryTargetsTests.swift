// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import Feeds
import HTTPTransfer
import Logging
import Media
import Playback
import ProgressiveDownload
import Testing

@Suite("Play targets in the library")
struct LibraryTargetsTests {
    private let stage: LibraryStage
    private var targets: LibraryTargets { LibraryTargets(stage.library) }

    /// Creates Harbour Tales with "Fog", "The storm" and a trailer with the podcast's name, and Murder, a serial of
    /// three chapters.
    init() throws {
        stage = try LibraryStage()
        let tales = try stage.subscribe("https://host.example/tales.xml")
        try stage.merge(
            [.numbered(3, title: "The storm"), .numbered(2, title: "Fog"),
                .numbered(1, title: "Trailer: Harbour Tales")], into: tales)
        var murder = ParsedFeed.titled("Murder at the Quay")
        murder.order = .serial
        let chapters = [3, 2, 1].map { number in
            var chapter = ParsedEpisode.numbered(10 + number, title: "Chapter \(number)")
            (chapter.season, chapter.number) = (1, number)
            return chapter
        }
        try stage.merge(
            chapters, into: try stage.subscribe("https://host.example/murder.xml"), feed: murder)
    }

    private func titles(
        _ name: String, _ choice: EpisodeChoice? = nil, in scope: LibraryTargets.Scope = .everything
    ) throws(LibraryError) -> [String]? {
        try targets.resolvedEpisodes(named: name, choice, in: scope)?.resolvedEpisodes.map(\.title)
    }

    @Test("A list is resolved to the own name of its smart queue")
    func ownName() throws {
        _ = try stage.library.createSmartQueue("Mörning 2", .everything, newestFirst: true, most: 5)
        #expect(try targets.resolved(.smartQueue(named: "morning 2")) == .smartQueue(named: "Mörning 2"))
        #expect(try targets.resolved(.queue) == .queue)
        #expect(throws: LibraryError.self) { try targets.resolved(.smartQueue(named: "x")) }
    }

    @Test("The title of a podcast plays its newest episode rather than an episode with the same words")
    func podcast() throws {
        #expect(try titles("harbour tales") == ["The storm"])
        #expect(try targets.resolvedEpisodes(named: "harbour tales")?.taken == nil)
        #expect(try targets.resolvedEpisodes(named: "tale")?.taken == "the podcast \"Harbour Tales\"")
        #expect(try targets.resolvedEpisodes(named: "storm")?.taken == "episode 3, \"The storm\"")
    }

    @Test("With an episode choice the name must be a podcast")
    func chosen() throws {
        #expect(try titles("harbour tales", .all)?.count == 3)
        #expect(try titles("tales", .oldest) == ["Trailer: Harbour Tales"])
        let error = #expect(throws: LibraryError.self) { try titles("fog", .all) }
        #expect(error?.kind == .missing)
        #expect(error?.reason == "episode 2 \"Fog\" is not a podcast: --episode selects from a podcast")
        #expect(#expect(throws: LibraryError.self) { try titles("2", .latest) }?.kind == .missing)
        #expect(#expect(throws: LibraryError.self) { try titles("snow", .all) }?.kind == .missing)
        #expect(try titles("snow") == nil)
    }

    @Test("The settings of its podcast state how an episode sounds")
    func sound() throws {
        let tales = try #require(try stage.library.podcasts().first { $0.name == "Harbour Tales" }).id
        try stage.library.set(.speed, to: .number(1.2))
        try stage.library.set(.speed, to: .number(1.5), for: tales)
        try stage.library.set(.trimSilence, to: .choice("mild"), for: tales)
        let sounds = try ["harbour tales", "murder at"].map { name in
            try targets.resolvedEpisodes(named: name)?.resolvedEpisodes.first?.libraryEntry?.settings.sound
        }
        #expect(sounds == [SoundSettings(speed: 1.5, silenceTrimming: .mild), SoundSettings(speed: 1.2)])
    }

    @Test("Items get the present settings of their podcasts, and those without an episode the general ones")
    func itemSettings() throws {
        let fog = try stage.library.episode(named: "fog")
        try stage.library.set(.speed, to: .number(1.2))
        try stage.library.set(.speed, to: .number(1.5), for: fog.podcast)
        try stage.library.set(.skipIntro, to: .duration(.seconds(40)))
        let settings = try targets.itemSettings(of: [1: fog.id, 2: nil, 3: 999_999], in: stage.library.allSettings())
        #expect(settings.count == 2)
        #expect(settings[1]?.sound.speed == 1.5 && settings[1]?.introduction == .seconds(40))
        #expect(settings[2]?.sound.speed == 1.2 && settings[2]?.introduction == nil)
    }

    @Test("The introduction of an episode is skipped before it is played, and also when it is played again")
    func intro() throws {
        try stage.library.set(.skipIntro, to: .duration(.seconds(40)))
        let fog = try stage.library.episode(named: "fog").id
        let start = { () throws(LibraryError) -> TimeTarget? in
            try targets.resolvedEpisodes(named: "fog")?.resolvedEpisodes.first?.libraryEntry?.position
        }
        #expect(try start() == .time(.seconds(40)))
        try stage.library.mark([fog], played: true)
        #expect(try start() == .time(.seconds(40)))
    }

    @Test("An episode that resumes keeps its introduction for the time when it begins again")
    func introOfStarted() throws {
        try stage.library.set(.skipIntro, to: .duration(.seconds(40)))
        let fog = try stage.library.episode(named: "fog").id
        try stage.library.save(.init(position: .seconds(90), duration: .seconds(1840)), of: fog, .tick)
        let entry = try #require(try targets.resolvedEpisodes(named: "fog")?.resolvedEpisodes.first?.libraryEntry)
        #expect(entry.position == .time(.seconds(90)) && entry.settings.introduction == .seconds(40))
    }

    /// Gives "Fog" a hidden chapter from 80 s to 110 s, and a rewind of 10 s.
    /// - Returns: the number of the episode.
    private func hideChapter() throws -> Int64 {
        var fog = ParsedEpisode.numbered(2, title: "Fog")
        fog.chaptersURL = "https://host.example/fog.json"
        try stage.merge([fog], into: 1, isComplete: false)
        let episode = try stage.library.episode(named: "fog")
        let chapters = [
            Chapter(start: .zero, title: "One"),
            Chapter(start: .seconds(80), end: .seconds(110), title: "Hidden", isInTableOfContents: false),
            Chapter(start: .seconds(110), title: "Two"),
        ]
        let document = ChapterDocument(episode: episode.id, podcast: 1, url: "https://host.example/fog.json")
        try stage.library.store(ChapterList(.json, chapters), from: document)
        try stage.library.set(.rewindOnResume, to: .duration(.seconds(10)))
        return episode.id
    }

    @Test("The rewind at a start does not count a hidden chapter that is skipped", arguments: [true, false])
    func rewindOverHidden(isExact: Bool) throws {
        let episode = try hideChapter()
        let anchor = isExact ? nil : TimeAnchor(offset: 500_000, time: .seconds(114), totalLength: 1_000_000)
        try stage.library.save(.init(position: .seconds(115), from: anchor), of: episode, .tick)
        let start = { () throws(LibraryError) -> TimeTarget? in
            try targets.resolvedEpisodes(named: "fog")?.resolvedEpisodes.first?.libraryEntry?.position
        }
        #expect(try start() == TimeTarget(.seconds(105), from: anchor))
        try stage.library.set(.skipHiddenChapters, to: .choice("on"))
        #expect(try start() == TimeTarget(.seconds(isExact ? 75 : 105), from: anchor))
    }

    @Test("The rewind at a start does not leave a hidden chapter that was playing", arguments: [true, false])
    func rewindInHidden(isNearStart: Bool) throws {
        let episode = try hideChapter()
        try stage.library.set(.skipHiddenChapters, to: .choice("on"))
        try stage.library.save(.init(position: .seconds(isNearStart ? 85 : 95)), of: episode, .tick)
        let entry = try #require(try targets.resolvedEpisodes(named: "fog")?.resolvedEpisodes.first?.libraryEntry)
        #expect(entry.position == .time(.milliseconds(isNearStart ? 80_040 : 85_000)))
    }

    @Test("An episode that was played expects its own duration again, and its chapters keep that of the feed")
    func durations() throws {
        let fog = try stage.library.episode(named: "fog").id
        let folders = KeepFolders(standard: KeepDirectory(path: stage.directory.path("kept")))
        let sources = EnclosureSources(
            transport: ScriptedTransport([]), keeping: folders, logger: Logger(label: "test"))
        let unplayed = try targets.resolved(stage.library.episode(fog)).item(0, in: sources)
        #expect(unplayed.claimedDuration == .seconds(1800) && unplayed.expectedDuration == .seconds(1800))
        try stage.library.save(.init(position: .seconds(5), duration: .seconds(1840)), of: fog, .tick)
        let played = try targets.resolved(stage.library.episode(fog)).item(0, in: sources)
        #expect(played.claimedDuration == .seconds(1800) && played.expectedDuration == .seconds(1840))
    }

    @Test("A serial plays its first unplayed chapter")
    func serial() throws {
        #expect(try titles("murder at") == ["Chapter 1"])
        let first = try stage.library.episode(named: "chapter 1").id
        try stage.library.mark([first], played: true)
        #expect(try titles("murder at the quay") == ["Chapter 2"])
        #expect(try titles("murder at", .latest) == ["Chapter 3"])
        #expect(try titles("murder at", .all) == ["Chapter 1", "Chapter 2", "Chapter 3"])
    }

    @Test("The unplayed episodes of a podcast are in listening order")
    func unplayed() throws {
        try stage.library.mark([2], played: true)
        let tales = try stage.library.podcast(1)
        #expect(try targets.unplayed(of: tales).map(\.title) == ["Trailer: Harbour Tales", "The storm"])
        try stage.library.mark([1, 3], played: true)
        #expect(#expect(throws: LibraryError.self) { try targets.unplayed(of: tales) }?.kind == .missing)
    }

    @Test("A podcast without episodes fails with a message")
    func empty() throws {
        try stage.merge([], into: try stage.subscribe("https://host.example/no.xml"), feed: .titled("Nothing Yet"))
        let error = #expect(throws: LibraryError.self) { try titles("nothing yet") }
        #expect(error?.kind == .missing && error?.reason == "\"Nothing Yet\" has no episodes yet")
    }

    @Test("A name can be limited to the episodes of a podcast or to podcasts")
    func scopes() throws {
        #expect(try titles("fog", in: .episodes(ofPodcast: "tales")) == ["Fog"])
        #expect(throws: LibraryError.self) { try titles("fog", in: .episodes(ofPodcast: "murder")) }
        #expect(try titles("2", in: .podcasts) == ["Chapter 1"])
        #expect(try titles("p2") == ["Chapter 1"])
        #expect(try titles("2") == ["Fog"])
    }
}
