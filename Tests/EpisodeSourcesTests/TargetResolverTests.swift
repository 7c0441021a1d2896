// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import EpisodeLibrary
import EpisodeSources
import HTTPTransfer
import Media
import Playback
import Testing

@Suite("TargetResolver")
struct TargetResolverTests {
    private let transport = ScriptedTransport([ScriptedTransport.serve(SmallFeed.bytes, type: "text/xml")])

    @Test("The URL of a feed resolves to the chosen episodes with audio, in playing order")
    func feed() async throws {
        let found = try await TargetResolver(transport: transport).resolve("https://example.org/feed", .all)
        #expect(found.map(\.title) == ["First", "Second"])
        #expect(found.map(\.podcast) == ["Small", "Small"])
        let addresses = ["https://example.org/1.mp3", "https://user:secret@example.org/2.mp3?key=1"]
        #expect(found.map(\.origin) == addresses.map { address in
            .remote(
                RemoteEnclosure(
                    url: address, feed: "https://example.org/feed", reach: .publicOnly(), claimedLength: 10,
                    type: "audio/mpeg", freshness: .known))
        })
        #expect(found.map(\.location) == ["https://example.org/1.mp3", "https://example.org/2.mp3"])
        #expect(found.map(\.claimedDuration) == [nil, .seconds(100)])
        #expect(transport.requests.map(\.accept) == [.compressed])
    }

    @Test("The URL of an audio file is accepted without a request")
    func audioURL() async throws {
        let url = "https://example.org/shows/a.mp3?key=1"
        let found = try await TargetResolver(transport: transport).resolve(url, nil)
        #expect(found.map(\.origin) == [.remote(url: url)])
        #expect(found.map(\.title) == ["a.mp3"])
        #expect(found.map(\.location) == ["https://example.org/shows/a.mp3"])
        #expect(transport.requests.isEmpty)
    }

    @Test("An address without an audio extension plays if its response is audio")
    func hiddenAudio() async throws {
        let transport = ScriptedTransport([ScriptedTransport.serve([1], type: "audio/mpeg")])
        let found = try await TargetResolver(transport: transport).resolve("https://example.org/listen", nil)
        #expect(found.map(\.origin) == [.remote(url: "https://example.org/listen")])
    }

    @Test("A remote feed cannot refer to a local file")
    func namesFile() async {
        let feed = "<rss version='2.0'><channel><item><title>a</title><enclosure type='audio/mpeg' "
            + "url='file:///etc/hostname'/></item></channel></rss>"
        let transport = ScriptedTransport([ScriptedTransport.serve(Array(feed.utf8), type: "text/xml")])
        await #expect(throws: MediaFailure(.missing, "the feed has no episode with audio")) {
            try await TargetResolver(transport: transport).resolve("https://example.org/feed", .all)
        }
    }

    @Test("A file is a feed or audio, depending on its content")
    func files() async throws {
        let directory = ScratchDirectory()
        let feed = try directory.write(SmallFeed.bytes, to: "feed")
        let audio = try directory.write([0xFF, 0xFB, 0x90, 0x64], to: "audio")
        let resolver = TargetResolver(transport: transport)
        #expect(try await resolver.resolve(feed, .named("one")).map(\.title) == ["First"])
        #expect(try await resolver.resolve(audio, nil).map(\.origin) == [.file(path: audio)])
        #expect(transport.requests.isEmpty)
    }

    @Test("Without podcasts, an unknown name leads to the next step, and the path of a missing file does not")
    func noPodcasts() async throws {
        let stage = try LibraryStage()
        let libraries = [nil, LibraryTargets(stage.library)]
        let advice = "there are no podcasts yet; subscribe first (earshot subscribe WORDS), or name a URL or a file"
        for library in libraries {
            let resolver = TargetResolver(transport: transport, library: library)
            await #expect(throws: MediaFailure(.missing, "no such file, and \(advice)")) {
                try await resolver.resolve("some words", nil)
            }
            await #expect(throws: MediaFailure(.missing, "no such file")) {
                try await resolver.resolve("/none/a.mp3", nil)
            }
        }
    }

    @Test(
        "Without podcasts, the error for the name of a podcast or episode does not mention files",
        arguments: [.podcasts, .episodes(ofPodcast: "tales")] as [LibraryTargets.Scope])
    func noLibrary(scope: LibraryTargets.Scope) async {
        let resolver = TargetResolver(transport: transport, scope: scope)
        let reason = "there are no podcasts yet; subscribe first (earshot subscribe WORDS)"
        for name in ["some words", "one/two"] {
            await #expect(throws: MediaFailure(.missing, reason)) { try await resolver.resolve(name, nil) }
        }
    }

    @Test("With podcasts, an unknown name is that of no file and nothing in the library")
    func unknownName() async throws {
        let stage = try LibraryStage()
        _ = try stage.subscribe("https://host.example/tales.xml")
        let resolver = TargetResolver(transport: transport, library: LibraryTargets(stage.library))
        let reason = "no such file, and nothing in the library has this name"
        await #expect(throws: MediaFailure(.missing, reason)) { try await resolver.resolve("some words", nil) }
    }

    @Test("A file that the library does not have is processed as the general settings say")
    func generalSettings() async throws {
        let directory = ScratchDirectory()
        let audio = try directory.write([0xFF, 0xFB, 0x90, 0x64], to: "audio")
        let stage = try LibraryStage()
        let library = stage.library
        try library.set(.speed, to: .number(1.5))
        try library.set(.voiceBoost, to: .choice("on"))
        try library.set(.skipHiddenChapters, to: .choice("on"))
        let resolver = TargetResolver(transport: transport, library: LibraryTargets(library))
        let found = try await resolver.resolve(audio, nil)
        #expect(found.map(\.settings.sound) == [SoundSettings(speed: 1.5, boostsVoice: true)])
        #expect(found.map(\.settings.skipsHiddenChapters) == [true])
    }

    @Test(
        "An episode choice is accepted for a feed, never for an audio file",
        arguments: ["https://example.org/a.mp3", "audio"])
    func chosenFromAudio(target: String) async throws {
        let directory = ScratchDirectory()
        let path = try directory.write([0xFF, 0xFB, 0x90, 0x64], to: "audio")
        await #expect {
            try await TargetResolver(transport: transport).resolve(target == "audio" ? path : target, .all)
        } throws: { ($0 as? MediaFailure)?.kind == .missing }
    }

    @Test("An episode that is not in the feed is reported as missing")
    func missing() async {
        await #expect {
            try await TargetResolver(transport: transport).resolve("https://example.org/feed", .number(3))
        } throws: { ($0 as? MediaFailure)?.kind == .missing }
    }
}
