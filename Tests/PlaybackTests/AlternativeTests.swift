// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Synchronization
import Testing

@testable import CodecTestSupport

@Suite("Alternatives of items that cannot be played")
struct AlternativeTests {
    private static var media: MemoryByteSource {
        MemoryByteSource([0x30, 0x26, 0xB2, 0x75] + [UInt8](repeating: 0, count: 4000))
    }
    private static let failure = MediaFailure(.badData, "this is Windows Media, which Earshot cannot play")

    private static func isAlternative(_ event: PlayerEvent) -> Bool {
        if case .alternativePlayed = event { true } else { false }
    }

    @Test("An item that cannot be played is replaced by its alternative, from the same start", arguments: [0, 0.5])
    func replaced(part: Double) async throws {
        let file = try TrackFileCase.aac.shortFile()
        let stage = Stage(options: Player.Options(outputRate: .file))
        let other = MemoryByteSource(file.bytes)
        stage.sources.alternatives.withLock { $0[0] = .success(other) }
        let start = file.duration * part

        let item = stage.append(Self.media, from: .time(start))

        #expect(await stage.playOut())
        let first = Int(file.parts[0].format.frames(in: start)) * file.parts[0].format.channels
        #expect(identical(stage.sink.samples, Array(file.parts[0].samples[first...])))
        #expect(stage.news.filter(Self.isAlternative) == [.alternativePlayed(item, Self.failure)])
        #expect(stage.news.contains(.itemEnded(item)))
        #expect(await stage.stop())
        #expect(stage.sources.isAllClosed && other.isClosed)
    }

    @Test("An item whose download refuses its bytes before the first sound is replaced, and one that was lost is not")
    func refusedDownload() async throws {
        let file = try TrackFileCase.aac.shortFile()
        for (kind, isReplaced) in [(MediaFailure.Kind.badData, true), (.temporary, false)] {
            let stage = Stage(options: Player.Options(outputRate: .file))
            let source = MemoryByteSource(file.bytes, held: 0)
            let failure = MediaFailure(kind, "the server sent no audio")
            source.fail(failure)
            stage.sources.alternatives.withLock { $0[0] = .success(MemoryByteSource(file.bytes)) }
            let item = stage.append(source)
            #expect(await stage.playOut())
            #expect(stage.news.contains(.itemEnded(item)) == isReplaced)
            #expect(stage.news.contains(.alternativePlayed(item, failure)) == isReplaced)
            #expect(stage.news.contains(.itemFailed(item, failure)) != isReplaced)
            #expect(await stage.stop())
        }
    }

    @Test("If the alternative cannot be played either, the item fails once", arguments: [true, false])
    func fails(opens: Bool) async throws {
        let stage = Stage()
        let gone = MediaFailure(.missing, "gone")
        let other: Result<MemoryByteSource, MediaFailure> = opens ? .success(Self.media) : .failure(gone)
        stage.sources.alternatives.withLock { $0[0] = other }

        let item = stage.append(Self.media)

        #expect(await stage.playOut())
        let failures = stage.news.filter { if case .itemFailed = $0 { true } else { false } }
        #expect(failures == [.itemFailed(item, Self.failure)])
        #expect(!stage.news.contains { if case .itemStarted = $0 { true } else { false } })
        #expect(await stage.stop())
    }

    @Test("An item that plays has no need of its alternative")
    func plays() async throws {
        let file = try TrackFileCase.aac.shortFile()
        let stage = Stage(options: Player.Options(outputRate: .file))
        let other = MemoryByteSource(file.bytes)
        stage.sources.alternatives.withLock { $0[0] = .success(other) }
        stage.append(MemoryByteSource(file.bytes))
        #expect(await stage.playOut())
        #expect(!stage.news.contains(where: Self.isAlternative) && stage.sources.opened == 1)
        #expect(await stage.stop())
    }
}
