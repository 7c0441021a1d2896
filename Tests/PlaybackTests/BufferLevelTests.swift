// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

/// The buffer level that the player waits for, and its behaviour when no more bytes arrive.
@Suite("Player buffer level")
struct BufferLevelTests {
    /// Two minutes at 64 kbit/s.
    private static let long: [UInt8] = {
        var builder = MP3Builder(.init(.mpeg2, sampleRate: 24000, kilobits: 64, isMono: true))
        builder.addFrames(5000)
        return builder.bytes
    }()
    private static let slow = Throughput(steady: 4000)

    private let clock = ManualClock()
    private let stage: LoopStage

    init() { stage = LoopStage(options: .init(statusInterval: .zero), clock: clock) }

    private var calls: [CapturingSink.Call] { stage.sink.calls }
    private var wait: Duration? { stage.loop.mailbox.status.wait?.expected }

    /// Lets 300 ms pass.
    private func letTimePass() {
        for _ in 0..<6 {
            clock.advance(by: .milliseconds(50))
            stage.work()
        }
    }

    /// Returns true if the output is open and playback does not start within 300 ms.
    private func isHolding() -> Bool {
        letTimePass()
        return calls.contains(.open) && !calls.contains(.uncork)
    }

    @Test("On a slow link the player waits and reports the expected wait")
    func waits() throws {
        stage.append(MemoryByteSource(Self.long, held: 40_000, throughput: Self.slow))
        #expect(isHolding())
        let wait = try #require(wait)
        #expect(wait > .seconds(20) && wait <= .seconds(30), "\(wait)")
    }

    @Test(
        "The buffered audio plays immediately if no more bytes will arrive: after a failure, or while the disk is full",
        arguments: [true, false])
    func nothingMore(isBroken: Bool) {
        let source = MemoryByteSource(Self.long, held: 40_000, throughput: Self.slow)
        stage.append(source)
        #expect(isHolding())
        if isBroken {
            source.fail(MediaFailure(.unavailable, "the connection broke"))
        } else {
            source.hold("the disk is full")
        }
        stage.work()
        #expect(calls.contains(.uncork))
    }

    @Test("The downloaded tail of a file plays, however slow the link was")
    func tail() {
        let source = MemoryByteSource(Self.long, held: 40_000, throughput: Throughput(steady: 100))
        stage.append(source, from: .time(.seconds(118)))
        letTimePass()
        #expect(!calls.contains(.uncork))
        source.release((Self.long.count - 20_000)..<Self.long.count)
        stage.work()
        #expect(calls.contains(.uncork))
    }

    @Test("The next item is opened only once the current one is not expected to stall")
    func nextItem() {
        let current = MemoryByteSource(Self.long, held: 900_000, throughput: Throughput(steady: 100))
        stage.append(current, from: .time(.seconds(110)))
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        letTimePass()
        #expect(calls.contains(.open) && stage.sources.opened == 1)
        current.say(Throughput(steady: 1e6))
        stage.work()
        #expect(stage.sources.opened == 2)
    }

    @Test("The listener can end a wait, which affects that wait only")
    func hurried() {
        let source = MemoryByteSource(Self.long, held: 40_000, throughput: Self.slow)
        stage.append(source)
        #expect(isHolding())
        stage.say(.playNow)
        stage.play(140_000)
        #expect(stage.news.contains { if case .stallBegan = $0 { true } else { false } })
        source.release(more: 40_000)
        letTimePass()
        #expect(stage.sink.isCorked)
    }

    @Test("The wait after a seek includes the bytes up to its target, if they are read in order")
    func waitForSeek() throws {
        let source = MemoryByteSource(
            Self.long, held: 40_000, bytesPerSecond: 24_000, throughput: Throughput(steady: 24_000))
        stage.append(source)
        letTimePass()
        stage.play(1000)
        stage.say(.seek(.absolute(.time(.seconds(10)))))
        letTimePass()
        // 40,000 bytes up to the target, and 8000 bytes for a second of sound.
        let wait = try #require(wait)
        #expect(wait > .milliseconds(1700) && wait < .milliseconds(2300), "\(wait)")
    }

    @Test(
        "The bytes before an offset precede it if they take less time than another request",
        arguments: [
            (24_000, nil, 80_000, 40_000), (24_000, nil, 88_001, 0), (24_000, nil, 30_000, 0),
            (100_000, nil, 190_000, 150_000), (100_000, 100, 190_000, 0), (100_000, 100, 160_000, 120_000),
        ] as [(Double, Int?, Int64, Int64)])
    func preceding(rate: Double, answer: Int?, offset: Int64, bytes: Int64) {
        var progress = DownloadProgress(
            condition: .receiving, total: 960_000, extents: ByteRangeSet([0..<40_000, 200_000..<210_000]),
            bytesPerSecond: rate, answer: answer.map { Duration.milliseconds($0) })
        #expect(progress.missing(before: offset) == bytes)
        progress.inOrderCause = .server
        #expect(progress.missing(before: 300_000) == 250_000 && progress.missing(before: 205_000) == 0)
    }

    @Test("A pause does not count as waiting time")
    func pausedWait() {
        var clock = WaitClock()
        clock.tick(.start, stalls: 0, isPaused: false, at: .seconds(10))
        clock.tick(.start, stalls: 0, isPaused: false, at: .seconds(12))
        clock.tick(.start, stalls: 0, isPaused: true, at: .seconds(100))
        clock.tick(.start, stalls: 0, isPaused: false, at: .seconds(101))
        #expect(clock.wait == .init(.start, waited: .seconds(3)))
        clock.tick(.seek, stalls: 0, isPaused: false, at: .seconds(102))
        #expect(clock.wait == .init(.seek))
        clock.tick(nil, stalls: 0, isPaused: false, at: .seconds(103))
        #expect(clock.wait == nil)
        clock.tick(.rebuffer, stalls: 2, isPaused: false, at: .seconds(110))
        #expect(clock.wait == .init(.rebuffer, stalls: 2))
    }
}
