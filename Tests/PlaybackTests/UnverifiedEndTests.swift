// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@testable import CodecTestSupport

@Suite("An unverified end of an item")
struct UnverifiedEndTests {
    private func play(_ bytes: [UInt8], promised: Int64?) async -> [PlayerEvent] {
        let stage = Stage()
        let source = MemoryByteSource(bytes)
        source.doubt(promised: promised)
        #expect(await stage.playOut([source]))
        #expect(await stage.stop())
        return stage.news
    }

    @Test("An item shorter than its expected length fails at its end")
    func promised() async {
        let bytes = Array(Fixture.untagged.bytes.prefix(Fixture.untagged.bytes.count / 2))
        let news = await play(bytes, promised: Int64(Fixture.untagged.bytes.count))
        guard case .itemFailed(_, let failure) = news.dropLast().last else {
            Issue.record("the player reported no failure: \(news)")
            return
        }
        #expect(failure.kind == .badData && failure.reason.contains("may be incomplete"))
    }

    @Test("An item that ends inside a packet fails; one that ends between two packets ends normally")
    func insidePacket() async {
        let packets = Fixture.untagged.packets.prefix(10).flatMap { $0 }
        let cut = await play(packets + Fixture.untagged.packets[10].prefix(100), promised: nil)
        let whole = await play(packets, promised: nil)
        #expect(cut.contains { if case .itemFailed = $0 { true } else { false } })
        #expect(!cut.contains { if case .itemEnded = $0 { true } else { false } })
        #expect(whole.contains { if case .itemEnded = $0 { true } else { false } })
    }

    @Test("An item of AAC in ADTS that ends inside a packet fails; a complete one ends normally", arguments: [0, 5])
    func insideFrame(missing: Int) async throws {
        let bytes = try TrackFileCase.adts.file().bytes
        let news = await play(Array(bytes.dropLast(missing)), promised: nil)
        #expect(news.contains { if case .itemFailed = $0 { true } else { false } } == (missing > 0))
        #expect(news.contains { if case .itemEnded = $0 { true } else { false } } == (missing == 0))
    }

    /// Plays an item whose bytes arrive when the playlist is complete: otherwise the player might wait for another item
    /// at the end, and show none.
    /// - Returns: true if the status shows the end.
    private func playOut(_ bytes: [UInt8], _ stage: Stage) async -> Bool {
        let source = MemoryByteSource(bytes, held: 0)
        stage.append(source)
        stage.player.send(.closePlaylist)
        source.release()
        return await eventually { stage.hasEnded && stage.player.status.activity == .ended }
    }

    @Test(
        "The last status of an item has the counted duration, however rarely the status is updated",
        arguments: [TrackFileCase.adts, .flac, .flacTable, .oggFLAC, .chain])
    func lastDuration(format: TrackFileCase) async throws {
        let file = try format.file()
        let stage = Stage(options: Player.Options(statusInterval: .seconds(3600)))
        #expect(await playOut(file.bytes, stage))
        #expect(stage.player.status.duration == .exact(file.duration))
        #expect(await stage.stop())
    }

    @Test("The last status of an item keeps its duration and download state")
    func lastStatus() async {
        let stage = Stage()
        #expect(await playOut(Fixture.cbr.bytes, stage))
        #expect(stage.player.status.duration == .exact(Fixture.cbr.duration))
        #expect(stage.player.status.downloadProgress?.condition == .complete)
        #expect(await stage.stop())
    }
}
