// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Testing

@Suite("Alternate enclosures in the library")
struct AlternateAudioTests {
    @Test("The library returns the first alternate enclosure that Earshot plays, other than the enclosure")
    func first() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe("https://host.example/a.xml")
        var episode = ParsedEpisode.numbered(1)
        for (uri, type) in [("1.mp4", "video/mp4"), ("1.mp3", "audio/mpeg"), ("1.opus", "audio/opus")] {
            var alternate = ParsedAlternateEnclosure()
            (alternate.type, alternate.length) = (type, 7)
            alternate.sources = [.init(uri: "ipfs://a"), .init(uri: "https://host.example/\(uri)")]
            episode.alternateEnclosures.append(alternate)
        }
        try stage.merge([episode, .numbered(2)], into: podcast)
        let library = stage.library

        let numbers = try library.episodes(EpisodeFilter(podcast: podcast), limit: 9).episodes
        let number = try #require(numbers.first { $0.enclosureURL == "https://host.example/1.mp3" }?.id)
        let other = try #require(numbers.first { $0.id != number }?.id)

        let opus = ParsedEnclosure(url: "https://host.example/1.opus", type: "audio/opus", length: 7)
        #expect(try library.alternateAudio(of: number, besides: "https://host.example/1.mp3") == opus)
        #expect(
            try library.alternateAudio(of: number, besides: "https://host.example/1.m4a")?.url
                == "https://host.example/1.mp3")
        #expect(try library.alternateAudio(of: other, besides: "") == nil)
    }
}
