// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("The loudness of episodes")
struct StoredLoudnessTests {
    private static func loudness(_ integrated: Double?) -> StoredLoudness {
        StoredLoudness(
            fileLength: 56_000_000, fileHash: .max - 2, seconds: 3500, integrated: integrated, range: 4.5,
            truePeak: nil, histogram: [1, 0, 200, 7])
    }

    @Test("A measurement is returned as it was stored; the last one counts")
    func stored() throws {
        let stage = try TranscriptStoreTests.stage()
        #expect(try stage.library.loudness(of: 1) == nil)
        try stage.library.store(Self.loudness(nil), of: 1)
        #expect(try stage.library.loudness(of: 1) == Self.loudness(nil))
        try stage.library.store(Self.loudness(-18.25), of: 1)
        #expect(try stage.library.loudness(of: 1) == Self.loudness(-18.25))
    }

    @Test("A measurement of an episode that was removed meanwhile is not stored, and is no error")
    func removed() throws {
        let stage = try TranscriptStoreTests.stage()
        try stage.library.store(Self.loudness(-18), of: 987_654)
        #expect(try stage.library.loudness(of: 987_654) == nil)
    }

    @Test("The podcast's measured episodes are returned, the newest first, without silent ones", arguments: 0...2)
    func podcast(asked: Int) throws {
        let stage = try TranscriptStoreTests.stage()
        let newest = try stage.library.episodes(EpisodeFilter(), limit: 9).episodes.map(\.id)
        try #require(newest.count == 3)
        for (place, episode) in newest.enumerated() {
            try stage.library.store(Self.loudness(-16 - Double(place)), of: episode)
        }
        let all = try stage.library.loudnessOfPodcast(of: newest[asked], limit: 5)
        #expect(all.map { $0.integrated } == [-16, -17, -18])
        #expect(all.map { $0.episode } == newest)
        let first = try stage.library.loudnessOfPodcast(of: newest[asked], limit: 1)
        #expect(first.map { $0.integrated } == [-16])
        try stage.library.store(Self.loudness(nil), of: newest[0])
        let audible = try stage.library.loudnessOfPodcast(of: newest[asked], limit: 5)
        #expect(audible.map { $0.integrated } == [-17, -18])
    }
}
