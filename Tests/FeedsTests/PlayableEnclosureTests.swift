// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

@Suite("The enclosure to play")
struct PlayableEnclosureTests {
    private static func episode(_ types: [String?], alternates: [(type: String, codecs: String?)] = []) -> ParsedEpisode
    {
        var episode = ParsedEpisode(id: EpisodeID(rawValue: "1"))
        episode.enclosures = types.enumerated().map { ParsedEnclosure(url: "http://e.example/\($0)", type: $1) }
        episode.alternateEnclosures = alternates.enumerated().map { number, alternate in
            var enclosure = ParsedAlternateEnclosure()
            (enclosure.type, enclosure.codecs) = (alternate.type, alternate.codecs)
            enclosure.sources = [.init(uri: "ipfs://a\(number)"), .init(uri: "https://a.example/\(number)")]
            return enclosure
        }
        return episode
    }

    @Test(
        "The first enclosure that Earshot can play is chosen, audio before video",
        arguments: [
            (["audio/mpeg"], 0), (["audio/x-m4a", "audio/mpeg"], 0), (["image/png", nil], 1),
            (["video/mp4", "audio/mpeg"], 1), (["video/mp4"], 0), (["audio/x-ms-wma", "audio/ogg"], 1),
            (["audio/mp4; codecs=\"mp4a.40.42\"", "audio/mpeg"], 1), (["audio/x-ms-wma"], 0),
        ] as [([String?], Int)])
    func first(types: [String?], chosen: Int) {
        #expect(Self.episode(types).playableEnclosure?.url == "http://e.example/\(chosen)")
    }

    @Test("An alternate enclosure replaces one that Earshot cannot play")
    func alternate() {
        let xHE = "audio/mp4; codecs=\"mp4a.40.42\""
        let alternates = [("video/mp4", nil), ("audio/mp4", "mp4a.40.42"), ("audio/opus", nil)] as [(String, String?)]
        #expect(Self.episode([xHE], alternates: alternates).playableEnclosure?.url == "https://a.example/2")
        #expect(Self.episode(["audio/mpeg"], alternates: alternates).playableEnclosure?.url == "http://e.example/0")
        #expect(
            Self.episode([xHE], alternates: [("audio/x-ms-wma", nil)]).playableEnclosure?.url == "http://e.example/0")
        #expect(Self.episode(["image/png"]).playableEnclosure == nil)
    }

    @Test("The alternative to the enclosure is the first other one in a format that Earshot plays")
    func alternative() {
        let alternates = [("video/mp4", nil), ("audio/mpeg", nil), ("audio/opus", nil)] as [(String, String?)]
        var episode = Self.episode(["audio/mp4"], alternates: alternates)
        #expect(episode.alternateAudio?.url == "https://a.example/1")
        episode.enclosures = [ParsedEnclosure(url: "https://a.example/1", type: "audio/mpeg")]
        #expect(episode.alternateAudio?.url == "https://a.example/2")
        #expect(Self.episode(["audio/mp4"]).alternateAudio == nil)
    }

    @Test("An alternate enclosure for the same file names the codec that the enclosure does not state")
    func described() {
        var episode = Self.episode(["audio/mp4"], alternates: [("audio/mp4", "mp4a.40.42"), ("audio/mpeg", nil)])
        #expect(episode.playableEnclosure?.url == "http://e.example/0")
        episode.alternateEnclosures[0].isDefault = true
        #expect(episode.playableEnclosure?.url == "https://a.example/1")
        episode.alternateEnclosures[0].isDefault = false
        episode.alternateEnclosures[0].sources = [.init(uri: "http://e.example/0")]
        #expect(episode.playableEnclosure?.url == "https://a.example/1")
    }
}
