// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

/// An episode behind advertisements that are others at each request.
private struct AdServer {
    /// Packets of 1152 frames; every part is encoded by itself, as hosts keep them.
    let old: Fixture
    let new: Fixture
    let other: Fixture
    let third: Fixture
    /// PCM frames by which the content begins later in `new`.
    let shift: Int64
    /// Bytes of the advertisement of `old`.
    let advertisement: Int

    static let shared = Result { try AdServer() }

    private init() throws {
        let ends = [132_300, 352_800, 1_234_800, 2_000_000, 2_100_000]
        let parts = try TestSound(frames: ends[4])
            .encoded(endingAt: ends, Array(repeating: ["-b", "128", "-t"], count: 5))
        old = Fixture("old", parts[0] + parts[2])
        new = Fixture("new", parts[1] + parts[2])
        third = Fixture("third", parts[4] + parts[2])
        other = Fixture("other", parts[3])
        shift = Int64(Fixture("b", parts[1]).packetCount - Fixture("a", parts[0]).packetCount) * 1152
        advertisement = parts[0].count
    }
}

@Suite("An episode that changes on the server while it is played", .timeLimit(.minutes(1)))
struct VersionCrossingTests {
    private func changes(_ stage: Stage) -> [Bool] {
        stage.events.compactMap { if case .versionChanged(_, _, let isSameWord) = $0 { isSameWord } else { nil } }
    }

    /// Whether `heard` is the beginning of `old` and then, so many frames further on, `new` to its end.
    private func isCrossed(_ heard: [Float], from old: Fixture, to new: Fixture, shift: Int64) -> Bool {
        let distance = Int(shift) * new.format.channels
        let change = firstDifference(heard, old.samples) ?? heard.count
        guard heard.count == new.samples.count - distance else { return false }
        return identical(Array(heard[change...]), Array(new.samples[(change + distance)...]))
    }

    @Test("it goes on with the very next sample of the content, however long the new advertisement is")
    func sameWord() async throws {
        let server = try AdServer.shared.get()
        for (from, to, shift) in [(server.old, server.new, server.shift), (server.new, server.old, -server.shift)] {
            let first = MemoryByteSource(from.bytes, held: from.bytes.count * 2 / 3)
            let second = MemoryByteSource(to.bytes)
            first.replace(by: second)
            let stage = Stage()
            let item = stage.append(first)
            stage.player.closePlaylist()
            #expect(await eventually { stage.hasEnded })
            #expect(changes(stage) == [true])
            #expect(stage.news.filter { $0 == .itemStarted(item) || $0 == .itemEnded(item) }.count == 2)
            #expect(isCrossed(stage.sink.samples, from: from, to: to, shift: shift))
            #expect(first.isClosed && second.isClosed)
            #expect(await stage.stop())
        }
    }

    @Test("an advertisement that broke off is followed by the new one, and then all of the content")
    func brokenAdvertisement() async throws {
        let server = try AdServer.shared.get()
        let first = MemoryByteSource(server.old.bytes, held: server.advertisement / 2)
        first.replace(by: MemoryByteSource(server.new.bytes))
        let stage = Stage()
        stage.append(first)
        stage.player.closePlaylist()
        #expect(await eventually { stage.hasEnded })
        let heard = stage.sink.samples
        #expect(heard.count > server.new.samples.count && heard.count < server.new.samples.count + 3 * 88_200)
        #expect(identical(Array(heard.suffix(server.new.samples.count)), server.new.samples))
        #expect(await stage.stop())
    }

    @Test("until the new version has come as far, it is waited for: no end, no failure")
    func waits() async throws {
        let server = try AdServer.shared.get()
        let second = MemoryByteSource(server.new.bytes, held: server.new.bytes.count / 2)
        let first = MemoryByteSource(server.old.bytes, held: server.old.bytes.count * 2 / 3)
        first.replace(by: second)
        let stage = Stage()
        stage.append(first)
        stage.player.closePlaylist()
        #expect(await eventually { stage.events.contains(.activityChanged(.buffering)) })
        #expect(changes(stage) == [] && !stage.hasEnded)
        second.release()
        #expect(await eventually { stage.hasEnded })
        #expect(changes(stage) == [true])
        #expect(isCrossed(stage.sink.samples, from: server.old, to: server.new, shift: server.shift))
        #expect(await stage.stop())
    }

    @Test("one that changes again before it was needed is left for the next one")
    func changesTwice() async throws {
        let server = try AdServer.shared.get()
        let second = MemoryByteSource(server.third.bytes, held: server.third.bytes.count / 3)
        second.replace(by: MemoryByteSource(server.new.bytes))
        let first = MemoryByteSource(server.old.bytes, held: server.old.bytes.count * 2 / 3)
        first.replace(by: second)
        let stage = Stage()
        stage.append(first)
        #expect(await stage.playOut())
        #expect(isCrossed(stage.sink.samples, from: server.old, to: server.new, shift: server.shift))
        #expect(second.isClosed)
        #expect(await stage.stop())
    }

    @Test("where the new version cannot be had either, playback waits at the edge and can be asked to try again")
    func lost() async throws {
        let server = try AdServer.shared.get()
        let second = MemoryByteSource(server.new.bytes, held: 1000)
        second.fail(MediaFailure(.unavailable, "it broke off"))
        let first = MemoryByteSource(server.old.bytes, held: server.old.bytes.count * 2 / 3)
        first.replace(by: second)
        let stage = Stage()
        stage.append(first)
        stage.player.closePlaylist()
        #expect(await eventually { stage.player.status.activity == .failedAtEdge(reason: "it broke off") })
        stage.player.retry()
        #expect(await eventually { second.retries > 0 })
        second.recover()
        second.release()
        #expect(await eventually { stage.hasEnded })
        #expect(isCrossed(stage.sink.samples, from: server.old, to: server.new, shift: server.shift))
        #expect(await stage.stop())
    }

    @Test("a place that the old version does not have is looked for in the new one, at the same time")
    func seeksBeyond() async throws {
        let server = try AdServer.shared.get()
        let first = MemoryByteSource(server.old.bytes, held: server.old.bytes.count / 2)
        first.replace(by: MemoryByteSource(server.new.bytes))
        let stage = Stage()
        stage.append(first, from: .time(.seconds(1)))
        #expect(await eventually { stage.player.status.position != nil })
        stage.player.seek(to: .absolute(.time(.seconds(20))))
        stage.player.closePlaylist()
        #expect(await eventually { stage.hasEnded })
        let end = server.new.samples(from: server.new.format.frames(in: .seconds(20)))
        #expect(identical(Array(stage.sink.samples.suffix(end.count)), end))
        #expect(await stage.stop())
    }
}
