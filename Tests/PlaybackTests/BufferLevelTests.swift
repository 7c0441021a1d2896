// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

/// The buffer level that the player waits for, and its behaviour when no more bytes arrive.
@Suite("Player buffer level")
struct SupplyTests {
    /// Two minutes at 64 kbit/s.
    private static let long: [UInt8] = {
        var builder = MP3Builder(.init(.mpeg2, sampleRate: 24000, kilobits: 64, isMono: true))
        builder.addFrames(5000)
        return builder.bytes
    }()
    private static let slow = Throughput(steady: 4000)

    private func isHolding(_ stage: Stage) async -> Bool {
        _ = await eventually { stage.player.status.wait != nil && stage.sink.calls.contains(.open) }
        try? await Task.sleep(for: .milliseconds(300))
        return !stage.sink.calls.contains(.uncork)
    }

    @Test("On a slow link the player waits and reports the expected wait")
    func waits() async {
        let stage = Stage(sink: CapturingSink(allowance: 100))
        stage.append(MemoryByteSource(Self.long, held: 40_000, throughput: Self.slow))
        #expect(await isHolding(stage))
        let wait = stage.player.status.wait?.expected ?? .zero
        #expect(wait > .seconds(20) && wait <= .seconds(30), "\(wait)")
        #expect(await stage.stop())
    }

    @Test(
        "The buffered audio plays immediately if no more bytes will arrive: after a failure, or while the disk is full",
        arguments: [true, false])
    func nothingMore(isBroken: Bool) async {
        let source = MemoryByteSource(Self.long, held: 40_000, throughput: Self.slow)
        let stage = Stage(sink: CapturingSink(allowance: 100))
        stage.append(source)
        #expect(await isHolding(stage))
        if isBroken {
            source.fail(MediaFailure(.unavailable, "the connection broke"))
        } else {
            source.hold("the disk is full")
        }
        #expect(await eventually { stage.sink.calls.contains(.uncork) })
        #expect(await stage.stop())
    }

    @Test("The downloaded tail of a file plays, however slow the link was")
    func tail() async {
        let source = MemoryByteSource(Self.long, held: 40_000, throughput: Throughput(steady: 100))
        let stage = Stage(sink: CapturingSink(allowance: 100))
        stage.append(source, from: .time(.seconds(118)))
        #expect(await isHolding(stage))
        source.release((Self.long.count - 20_000)..<Self.long.count)
        #expect(await eventually { stage.sink.calls.contains(.uncork) })
        #expect(await stage.stop())
    }

    @Test("The next item is opened only once the current one is not expected to stall")
    func nextItem() async {
        let current = MemoryByteSource(Self.long, held: 900_000, throughput: Throughput(steady: 100))
        let next = MemoryByteSource(Fixture.cbr.bytes)
        let stage = Stage(sink: CapturingSink(allowance: 100))
        stage.append(current, from: .time(.seconds(110)))
        stage.append(next)
        #expect(await eventually { stage.sink.calls.contains(.open) })
        try? await Task.sleep(for: .milliseconds(300))
        #expect(stage.sources.opened == 1)
        current.say(Throughput(steady: 1e6))
        #expect(await eventually { stage.sources.opened == 2 })
        #expect(await stage.stop())
    }

    @Test("The listener can end a wait, which affects that wait only")
    func hurried() async {
        let source = MemoryByteSource(Self.long, held: 40_000, throughput: Self.slow)
        let stage = Stage(sink: CapturingSink())
        stage.append(source)
        #expect(await isHolding(stage))
        stage.player.send(.playNow)
        #expect(await eventually { stage.news.contains { if case .stallBegan = $0 { true } else { false } } })
        source.release(more: 40_000)
        try? await Task.sleep(for: .milliseconds(300))
        #expect(stage.sink.isCorked)
        #expect(await stage.stop())
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
