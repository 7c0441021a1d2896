// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import AudioOutput
import EarshotTestSupport
import Logging
import Media
import Testing

@testable import Playback

@Suite("Player")
struct PlayerTests {
    static func oneFrame() -> [UInt8] {
        var builder = MP3Builder()
        builder.addFrames(1)
        return builder.bytes
    }

    @Test("A file of one MPEG frame is played and announced once")
    func oneFrameFile() async throws {
        let stage = Stage()
        let item = stage.append(MemoryByteSource(Self.oneFrame()))
        #expect(await stage.playOut())
        #expect(stage.news == [.itemStarted(item), .itemEnded(item), .ended])
        #expect(stage.sink.frames == 1152)
        #expect(await stage.stop())
    }

    @Test("A player that begins paused says so immediately, and plays nothing before `play`")
    func beginsPaused() async {
        let stage = Stage(options: Player.Options(isPaused: true))
        #expect(stage.player.status.isPaused)
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { if case .paused = stage.player.status.activity { true } else { false } })
        #expect(stage.sink.frames == 0)
        stage.player.send(.play)
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, Fixture.cbr.samples) && !stage.player.status.isPaused)
        #expect(await stage.stop())
    }

    @Test("C29 items of one MPEG frame each start and end in order and are released", arguments: [30, 1000])
    func tinyItems(count: Int) async throws {
        let stage = Stage()
        let bytes = Self.oneFrame()
        let items = (0..<count).map { _ in stage.append(MemoryByteSource(bytes)) }
        #expect(await stage.playOut())
        #expect(stage.news == items.flatMap { [.itemStarted($0), .itemEnded($0)] } + [.ended])
        #expect(stage.sink.frames == Int64(count * 1152))
        #expect(stage.sources.opened == count)
        // As many as the ring holds, and the items opened ahead.
        #expect(stage.sources.mostOpen <= 65536 / 1152 + GaplessHandover.mostAhead + 4, "\(stage.sources.mostOpen)")
        #expect(stage.sources.isAllClosed)
        #expect(await stage.stop())
    }

    @Test("A list of items plays as the concatenation of their trimmed decodes, bit for bit")
    func gapless() async {
        let list = [Fixture.cbr, .vbr, .cbr, .vbr]
        let stage = Stage()
        #expect(await stage.playOut(list.map { MemoryByteSource($0.bytes) }))
        #expect(identical(stage.sink.samples, list.flatMap(\.samples)))
        #expect(await stage.stop())
    }

    @Test("A sink with its own thread plays every frame too", arguments: [NullSink.Pace.asFastAsPossible])
    func threadedSink(pace: NullSink.Pace) async {
        let sink = NullSink(pace: pace)
        let stage = Stage(otherSink: sink)
        #expect(await stage.playOut([Fixture.cbr, .vbr].map { MemoryByteSource($0.bytes) }))
        #expect(sink.playedFrames == Fixture.cbr.frames + Fixture.vbr.frames)
        #expect(await stage.stop())
    }

    @Test("Items of other rates and channel counts keep their duration, and rounding errors do not add up")
    func formats() async {
        let list = [Fixture.cbr, .slow, .mono, .slowMono, .untagged, .slow, .vbr]
        let stage = Stage()
        #expect(await stage.playOut(list.map { MemoryByteSource($0.bytes) }))
        let exact = list.reduce(0) { $0 + Double($1.frames) * 44100 / Double($1.format.sampleRate) }
        #expect(abs(Double(stage.sink.frames) - exact) <= 1, "\(stage.sink.frames) for \(exact)")
        let first = Fixture.cbr.samples
        #expect(identical(Array(stage.sink.samples.prefix(first.count)), first))
        #expect(identical(Array(stage.sink.samples.suffix(Fixture.vbr.samples.count)), Fixture.vbr.samples))
        #expect(await stage.stop())
    }

    @Test("An item without a source is reported as missing")
    func missing() async {
        let stage = Stage()
        let item = PlaybackItem(id: 0, title: "", podcast: nil, location: "")
        stage.player.send(.append(item))
        #expect(await stage.playOut())
        #expect(stage.news == [.itemFailed(item, MediaFailure(.missing, "the episode has no URL")), .ended])
        #expect(await stage.stop())
    }

    @Test("When an item is announced as started, the status shows that item or a later one")
    func statusOfItem() async {
        let sources = MemorySources()
        let player = Player(
            sink: CapturingSink(), options: .init(statusInterval: .seconds(3600)),
            logger: Logger(label: "test"))
        for _ in 0..<6 {
            let id = sources.add(.success(MemoryByteSource(Fixture.cbr.bytes)))
            let source = sources.source(id)
            player.send(.append(PlaybackItem(id: id, title: "", podcast: nil, location: "", source: source)))
        }
        player.send(.closePlaylist)
        var started = 0
        for await event in player.events {
            if case .ended = event { break }
            guard case .itemStarted(let item) = event else { continue }
            #expect(player.status.item.map { $0.id >= item.id } ?? false, "\(item.id)")
            started += 1
        }
        player.send(.stop)
        #expect(started == 6)
    }

    @Test("When a seek is announced as landed, the status shows its position or a later one")
    func statusOfLanding() async {
        let sources = MemorySources()
        let player = Player(
            sink: NullSink(pace: .realTime), options: .init(statusInterval: .seconds(3600)),
            logger: Logger(label: "test"))
        let id = sources.add(.success(MemoryByteSource(DemoEpisodes.bytes(5))))
        player.send(.append(PlaybackItem(id: id, title: "", podcast: nil, location: "", source: sources.source(id))))
        var landed: Duration?
        for await event in player.events {
            if case .itemStarted = event { player.send(.seek(.absolute(.time(.seconds(9))))) }
            guard case .seekLanded(_, let place, _, _) = event else { continue }
            #expect(player.status.position.map { $0 >= place } ?? false, "\(place)")
            landed = place
            break
        }
        player.send(.stop)
        #expect(landed.map { $0 >= .seconds(9) } ?? false)
    }

    @Test("C4 a link slower than playback, one MPEG frame at a time, causes one or two stalls and loses no sample")
    func stalls() async {
        let fixture = Fixture("sixteen seconds", DemoEpisodes.bytes(5))
        let source = MemoryByteSource(fixture.bytes, held: 0, throughput: Throughput(steady: 3000))
        let stage = Stage()
        stage.append(source)
        stage.player.send(.closePlaylist)
        while source.held < fixture.bytes.count {
            let unavailableReads = source.unavailableReads
            source.release(more: fixture.bytes.count / fixture.packetCount)
            // A full ring requests no bytes.
            _ = await eventually(within: .milliseconds(3) * TimeLimit.factor) {
                source.unavailableReads > unavailableReads
            }
        }
        #expect(await eventually { stage.hasEnded })
        #expect(identical(stage.sink.samples, fixture.samples))
        let stalls = stage.news.compactMap { event -> Bool? in
            switch event {
            case .stallBegan: true
            case .stallEnded: false
            default: nil
            }
        }
        #expect(stalls == (0..<stalls.count).map { $0 % 2 == 0 } && stalls.count % 2 == 0)
        // This sink plays available frames immediately, so that each wait lasts until the timeout or the end.
        #expect((1...2).contains(stalls.count / 2), "\(stalls.count / 2) stalls")
        #expect(await stage.stop())
    }

    @Test("If the bytes end in the middle, playback waits and resumes at the next sample")
    func failsInTheMiddle() async {
        let failure = MediaFailure(.unavailable, "the connection broke")
        let broken = MemoryByteSource(Fixture.vbr.bytes, held: Fixture.vbr.bytes.count / 2)
        broken.fail(failure)
        let stage = Stage()
        let sources = [MemoryByteSource(Fixture.cbr.bytes), broken, MemoryByteSource(Fixture.cbr.bytes)]
        let items = sources.map { stage.append($0) }
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.player.status.activity == .connectionLost(reason: "the connection broke") })
        #expect(await eventually { stage.news.count == 4 })
        guard case .connectionLost(items[1], let place?, failure)? = stage.news.last else {
            Issue.record("\(stage.news)")
            return
        }
        #expect(place > .zero)
        stage.player.send(.retry)
        #expect(await eventually { broken.retries > 0 })
        broken.recover()
        broken.release()
        #expect(await eventually { stage.hasEnded })
        #expect(stage.news.suffix(4) == [.itemEnded(items[1]), .itemStarted(items[2]), .itemEnded(items[2]), .ended])
        #expect(identical(stage.sink.samples, Fixture.cbr.samples + Fixture.vbr.samples + Fixture.cbr.samples))
        #expect(stage.sources.isAllClosed)
        #expect(await stage.stop())
    }

    @Test("After a lost connection the listener can seek back or go to the next item")
    func leavesTheEdge() async {
        let broken = MemoryByteSource(Fixture.vbr.bytes, held: Fixture.vbr.bytes.count / 2)
        broken.fail(MediaFailure(.unavailable, "the connection broke"))
        let stage = Stage()
        stage.append(broken)
        let next = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        let isLost: @Sendable () -> Bool = {
            stage.player.status.activity == .connectionLost(reason: "the connection broke")
        }
        #expect(await eventually(isLost))
        stage.player.send(.seek(.absolute(.time(.zero))))
        #expect(await eventually { !stage.landings.isEmpty })
        #expect(await eventually(isLost))
        stage.player.send(.next)
        #expect(await eventually { stage.hasEnded })
        #expect(stage.news.suffix(3) == [.itemStarted(next), .itemEnded(next), .ended])
        #expect(await stage.stop())
    }

    @Test("Items that cannot be opened or contain no audio are reported, and the others play")
    func unplayable() async {
        let missing = MediaFailure(.missing, "the server answered 404")
        let stage = Stage()
        let first = stage.append(missing)
        let garbage = stage.append(MemoryByteSource(Array("<html>not audio".utf8)))
        let good = stage.append(MemoryByteSource(Fixture.cbr.bytes))
        let late = stage.append(MemoryByteSource(Fixture.cbr.bytes), from: .time(.seconds(1000)))
        let last = stage.append(missing)
        #expect(await stage.playOut())
        let failed = stage.news.compactMap { if case .itemFailed(let item, _) = $0 { item.id } else { nil } }
        #expect(failed.sorted() == [first, garbage, last].map(\.id))
        let refused = stage.news.compactMap { if case .beyondEnd(let item, _, _, .refused) = $0 { item } else { nil } }
        #expect(refused == [late])
        #expect(stage.news.filter { $0 == .itemStarted(good) || $0 == .itemEnded(good) }.count == 2)
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
        #expect(await stage.stop())
    }

    @Test("A playlist without a playable item ends")
    func nothing() async {
        let stage = Stage()
        let item = stage.append(MediaFailure(.missing, "gone"))
        #expect(await stage.playOut())
        #expect(stage.news == [.itemFailed(item, MediaFailure(.missing, "gone")), .ended])
        let empty = Stage()
        #expect(await empty.playOut())
        #expect(empty.news == [.ended])
    }

    @Test("An output that cannot be opened is reported once, and the player can still be stopped")
    func noOutput() async {
        let stage = Stage(sink: CapturingSink(failure: .noServer("connection refused")))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        #expect(
            await eventually { stage.events.contains(.outputLost(MediaFailure(.unavailable, "connection refused"))) })
        #expect(await stage.stop())
        #expect(stage.news.count == 1)
    }

    @Test("A file that can no longer be written is reported once as a permanent loss, and the player can stop")
    func losesFile() async {
        let stage = Stage(sink: CapturingSink(allowance: 1000))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        #expect(await eventually { stage.sink.frames == 1000 })
        stage.sink.disconnect(.cannotWrite(path: "out.wav", reason: "disk full"))
        let failure = MediaFailure(.inputOutput, "cannot write out.wav: disk full")
        #expect(await eventually { stage.events.contains(.outputLost(failure)) })
        #expect(await eventually { stage.player.status.activity == .noDevice(reason: "the sound output is lost") })
        #expect(await stage.stop())
        #expect(stage.sink.calls.filter { $0 == .open }.count == 1)
    }
}
