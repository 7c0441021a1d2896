// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

/// An episode with a leading advertisement that differs in each request.
private struct AdServer {
    /// Packets of 1152 frames; each part is encoded separately, as hosts store them.
    let old: Fixture
    let new: Fixture
    let other: Fixture
    let third: Fixture
    /// The PCM frames by which the content begins later in `new` than in `old`.
    let shift: Int64
    /// The length of the advertisement of `old`, in bytes.
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

@Suite("An episode that changes on the server during playback", .timeLimit(.minutes(TimeLimit.factor)))
struct VersionCrossingTests {
    private func changes(_ stage: Stage) -> [VersionMapping] {
        stage.events.compactMap { if case .versionChanged(_, _, let mapping, _) = $0 { mapping } else { nil } }
    }

    private func details(_ stage: Stage) -> [VersionChange] {
        stage.events.compactMap { if case .versionChanged(_, _, _, let change) = $0 { change } else { nil } }
    }

    /// Returns true if `heard` begins with samples of `old` and continues, `shift` frames further on, with `new` to
    /// its end.
    private func isCrossed(_ heard: [Float], from old: Fixture, to new: Fixture, shift: Int64) -> Bool {
        let distance = Int(shift) * new.format.channels
        let change = firstDifference(heard, old.samples) ?? heard.count
        guard heard.count == new.samples.count - distance else { return false }
        return identical(Array(heard[change...]), Array(new.samples[(change + distance)...]))
    }

    @Test("Playback continues with the next sample of the content, for any length of the new advertisement")
    func sameWord() async throws {
        let server = try AdServer.shared.get()
        for (from, to, shift) in [(server.old, server.new, server.shift), (server.new, server.old, -server.shift)] {
            let first = MemoryByteSource(from.bytes, held: from.bytes.count * 2 / 3)
            let second = MemoryByteSource(to.bytes)
            first.replace(by: second)
            let stage = Stage()
            let item = stage.append(first)
            stage.player.send(.closePlaylist)
            #expect(await eventually { stage.hasEnded })
            #expect(changes(stage) == [.word])
            let change = try #require(details(stage).first)
            #expect(change.oldLength == Int64(from.bytes.count) && change.newLength == Int64(to.bytes.count))
            let moved = try #require(change.times?.time(ofOld: .seconds(10)))
            let expected = Duration.seconds(10) + .microseconds(shift * 1_000_000 / 44_100)
            #expect(moved.isExact && abs((moved.time - expected) / .milliseconds(1)) < 1)
            #expect(stage.news.filter { $0 == .itemStarted(item) || $0 == .itemEnded(item) }.count == 2)
            #expect(isCrossed(stage.sink.samples, from: from, to: to, shift: shift))
            #expect(first.isClosed && second.isClosed)
            #expect(await stage.stop())
        }
    }

    @Test("An interrupted advertisement is followed by the new advertisement and then the whole content")
    func brokenAdvertisement() async throws {
        let server = try AdServer.shared.get()
        let first = MemoryByteSource(server.old.bytes, held: server.advertisement / 2)
        first.replace(by: MemoryByteSource(server.new.bytes))
        let stage = Stage()
        stage.append(first)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.hasEnded })
        #expect(changes(stage) == [.start])
        let heard = stage.sink.samples
        #expect(heard.count > server.new.samples.count && heard.count < server.new.samples.count + 3 * 88_200)
        #expect(identical(Array(heard.suffix(server.new.samples.count)), server.new.samples))
        #expect(await stage.stop())
    }

    /// Does all that can be done with the bytes that have arrived, including the comparison of versions.
    private func work(_ stage: LoopStage) { repeat { stage.work() } while stage.loop.steer(.progressed) }

    /// Expects that a sleep timer has paused playback at a position, to within a millisecond.
    private func expectPause(of stage: LoopStage, at expected: Duration) throws {
        #expect(stage.loop.machine.intent == .pause)
        let position = try #require(stage.loop.position)
        #expect(abs((position - expected) / .milliseconds(1)) < 1)
    }

    @Test(
        "A sleep timer that ends in a new version returns to the sound at which its fade began",
        arguments: [false, true])
    func sleeps(isSetWhileFormerOneSounds: Bool) throws {
        let server = try AdServer.shared.get()
        // Ten seconds.
        let first = MemoryByteSource(server.old.bytes, held: 160_000)
        first.replace(by: MemoryByteSource(server.new.bytes))
        let stage = LoopStage()
        stage.append(first)
        stage.say(.closePlaylist)
        stage.play(400_000)
        if isSetWhileFormerOneSounds { work(stage) }
        let format = server.old.format
        stage.say(.setSleep(.after(format.duration(ofFrames: 100_000))))
        stage.play(1000)
        work(stage)
        stage.play(100_000)
        try expectPause(of: stage, at: format.duration(ofFrames: 400_000 + server.shift))
    }

    @Test("A sleep timer whose fade began in an item that was removed since returns to the start of the next one")
    func sleepsInNextItem() throws {
        let server = try AdServer.shared.get()
        let first = MemoryByteSource(server.old.bytes, held: 160_000)
        first.replace(by: MemoryByteSource(server.new.bytes))
        let stage = LoopStage()
        stage.append(.cbr, 0..<30_000)
        stage.append(first, from: .time(.seconds(5)))
        stage.say(.closePlaylist)
        stage.play(10_000)
        let format = server.old.format
        stage.say(.setSleep(.after(format.duration(ofFrames: 220_000))))
        stage.play(190_000)
        work(stage)
        stage.say(.arrange([]), .remove(.id(0)))
        stage.play(31_000)
        try expectPause(of: stage, at: .seconds(5) + format.duration(ofFrames: server.shift))
    }

    @Test("A short beginning that arrives again packet by packet continues at the next sample")
    func slowBeginning() {
        let fixture = Fixture.untagged
        let length = fixture.bytes.count / fixture.packetCount
        let second = MemoryByteSource(fixture.bytes, held: 0)
        let first = MemoryByteSource(fixture.bytes, held: 12 * length)
        first.replace(by: second)
        let stage = LoopStage()
        stage.append(first)
        stage.say(.closePlaylist)
        for _ in 0...fixture.packetCount {
            work(stage)
            second.release(more: length)
        }
        #expect(stage.playOut())
        let isContinued = stage.events.contains { if case .versionChanged(_, _, .word, _) = $0 { true } else { false } }
        #expect(isContinued && identical(stage.sink.samples, fixture.samples))
    }

    @Test("Playback waits until the new version is downloaded to the same position, without end or failure")
    func waits() async throws {
        let server = try AdServer.shared.get()
        let second = MemoryByteSource(server.new.bytes, held: server.new.bytes.count / 2)
        let first = MemoryByteSource(server.old.bytes, held: server.old.bytes.count * 2 / 3)
        first.replace(by: second)
        let stage = Stage()
        stage.append(first)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.events.contains(.activityChanged(.buffering)) })
        #expect(changes(stage) == [] && !stage.hasEnded)
        #expect(stage.player.status.downloadProgress?.total == Int64(server.old.bytes.count))
        second.release()
        #expect(await eventually { stage.hasEnded })
        #expect(changes(stage) == [.word])
        #expect(isCrossed(stage.sink.samples, from: server.old, to: server.new, shift: server.shift))
        #expect(await stage.stop())
    }

    @Test("A replacement that is itself replaced before use is skipped")
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

    @Test(
        "If no sample was played before the change and the new version has no audio, the item fails",
        arguments: [0, 200])
    func unplayable(held: Int) async throws {
        let first = MemoryByteSource(try AdServer.shared.get().old.bytes, held: held)
        first.replace(by: MemoryByteSource(Array(repeating: 0x20, count: 5000)))
        let stage = Stage()
        let item = stage.append(first)
        let next = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        #expect(await stage.playOut())
        #expect(stage.news.first == .itemFailed(item, MediaFailure(.badData, "no audio found")))
        #expect(stage.news.contains(.itemEnded(next)))
        #expect(await stage.stop())
    }

    @Test("If the new version is unavailable too, playback waits and can be retried")
    func lost() async throws {
        let server = try AdServer.shared.get()
        let second = MemoryByteSource(server.new.bytes, held: 1000)
        second.fail(MediaFailure(.unavailable, "the connection broke"))
        let first = MemoryByteSource(server.old.bytes, held: server.old.bytes.count * 2 / 3)
        first.replace(by: second)
        let stage = Stage()
        stage.append(first)
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.player.status.activity == .connectionLost(reason: "the connection broke") })
        stage.player.send(.retry)
        #expect(await eventually { second.retries > 0 })
        second.recover()
        second.release()
        #expect(await eventually { stage.hasEnded })
        #expect(isCrossed(stage.sink.samples, from: server.old, to: server.new, shift: server.shift))
        #expect(await stage.stop())
    }

    @Test("A position that the old version has not downloaded is played from the new version, at the same time")
    func seeksBeyond() async throws {
        let server = try AdServer.shared.get()
        let first = MemoryByteSource(server.old.bytes, held: server.old.bytes.count / 2)
        first.replace(by: MemoryByteSource(server.new.bytes))
        let stage = Stage()
        stage.append(first, from: .time(.seconds(1)))
        #expect(await eventually { stage.player.status.position != nil })
        stage.player.send(.seek(.absolute(.time(.seconds(20)))))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.hasEnded })
        let end = server.new.samples(from: server.new.format.frames(in: .seconds(20)))
        #expect(identical(Array(stage.sink.samples.suffix(end.count)), end))
        #expect(await stage.stop())
    }
}
