// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@testable import CodecTestSupport

@Suite("Damage inside an item")
struct DamageTests {
    private static func damages(_ news: [PlayerEvent]) -> [MediaFailure] {
        news.compactMap { if case .damageSkipped(_, let failure) = $0 { failure } else { nil } }
    }

    private static let formats = [TrackFileCase.opus, .vorbis, .flac]

    @Test("A file with damage is played to its end, and the first damage is reported once", arguments: formats)
    func reported(format: TrackFileCase) async throws {
        var bytes = try format.file().bytes
        let places = [bytes.count / 2, bytes.count * 3 / 4]
        for place in places { bytes[place] ^= 0xFF }
        let stage = Stage(options: Player.Options(outputRate: .file))

        #expect(await stage.playOut([MemoryByteSource(bytes)]))
        #expect(await stage.stop())

        let reasons = Self.damages(stage.news).map(\.reason)
        #expect(reasons.count == 1 && reasons[0].hasPrefix("the file is damaged at byte "), "\(stage.news)")
        let offset = try #require(reasons[0].split(separator: " ").last.flatMap { Int($0) })
        #expect(abs(offset - places[0]) < 70_000)
        #expect(stage.news.contains { if case .itemEnded = $0 { true } else { false } })
    }

    @Test("A packet of AAC that the decoder rejects is reported", arguments: [TrackFileCase.aac, .adts, .aacFragments])
    func rejected(format: TrackFileCase) async throws {
        var bytes = try format.file().bytes
        let place = bytes.count / 2
        bytes.replaceSubrange(place..<place + 300, with: repeatElement(0x55, count: 300))
        let stage = Stage(options: Player.Options(outputRate: .file))

        #expect(await stage.playOut([MemoryByteSource(bytes)]))
        #expect(await stage.stop())

        #expect(Self.damages(stage.news).count == 1)
        // ADTS has no table that states a packet whose header is damaged.
        let frames = try format.file().parts[0].samples.count
        #expect(format == .adts || stage.sink.samples.count == frames)
    }

    private static let intact: [TrackFileCase] =
        formats + [.aac, .adts, .aacFragments, .heAAC, .heADTS, .opusInMP4, .flacInMP4, .oggFLAC, .wave]

    @Test("A sound file reports no damage", arguments: intact)
    func sound(format: TrackFileCase) async throws {
        let stage = Stage(options: Player.Options(outputRate: .file))
        #expect(await stage.playOut([MemoryByteSource(try format.file().bytes)]))
        #expect(await stage.stop())
        #expect(Self.damages(stage.news) == [])
    }
}
