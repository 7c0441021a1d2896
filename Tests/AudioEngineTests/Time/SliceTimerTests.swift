// SPDX-License-Identifier: GPL-3.0-or-later
@testable import AudioEngine
import EarshotTestSupport
import Testing

@Suite("SliceTimer") struct SliceTimerTests {
    /// The slice length, 10 ms at 48 kHz.
    private static let frames = 480
    private static let length: Int64 = 10_000_000

    /// Returns the timer's host times for calls with the given lateness.
    private func moments(calls: Int, lateness: (Int64) -> Int64) -> [Int64] {
        var timer = SliceTimer(sampleRate: 48_000)
        return (0..<Int64(calls)).map { call in
            let measured = HostTime(nanoseconds: call * Self.length + lateness(call))
            timer.begin(frame: call * Int64(Self.frames), frames: Self.frames, measured: measured)
            return timer.hostTime(at: 0).nanoseconds
        }
    }

    @Test("A device that calls exactly on time is followed exactly")
    func exact() {
        let moments = moments(calls: 1000) { _ in 0 }
        for (call, moment) in moments.enumerated() { #expect(abs(moment - Int64(call) * Self.length) <= 1) }
    }

    @Test("Jitter of 5 ms is reduced to under a third, and no step differs by more than a quarter of a slice",
        arguments: [1, 2, 3] as [UInt64])
    func jitter(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let moments = moments(calls: 3000) { _ in Int64.random(in: -5_000_000...5_000_000, using: &generator) }
        for (call, moment) in moments.enumerated().dropFirst(500) {
            #expect(abs(moment - Int64(call) * Self.length) < 1_666_667)
        }
        for (one, next) in zip(moments, moments.dropFirst()) {
            #expect(abs(next - one - Self.length) < Self.length / 4)
        }
    }

    @Test("A clock that is off by 200 ppm is followed to a tenth of a millisecond")
    func drift() throws {
        let moments = moments(calls: 3000) { $0 * Self.length / 5000 }
        let last = try #require(moments.last)
        #expect(abs(last - 2999 * (Self.length + Self.length / 5000)) < 100_000)
    }

    @Test("A deviation too large for jitter is followed immediately: a device that paused, a timeline that jumped")
    func jumps() {
        var timer = SliceTimer(sampleRate: 48_000)
        timer.begin(frame: 0, frames: 480, measured: HostTime(nanoseconds: 0))
        timer.begin(frame: 480, frames: 480, measured: HostTime(nanoseconds: 200_000_000))
        #expect(timer.hostTime(at: 0) == HostTime(nanoseconds: 200_000_000))
        timer.begin(frame: 100, frames: 480, measured: HostTime(nanoseconds: 205_000_000))
        #expect(timer.hostTime(at: 0) == HostTime(nanoseconds: 205_000_000))
    }

    @Test("Calls of one second and of one frame keep the timer steady")
    func oddLengths() {
        var timer = SliceTimer(sampleRate: 48_000)
        var (frame, generator) = (Int64(0), SeededGenerator(seed: 9))
        var last = HostTime(nanoseconds: .min)
        for _ in 0..<2000 {
            let frames = [1, 17, 480, 48_000][Int.random(in: 0..<4, using: &generator)]
            let exact = frame * 1_000_000_000 / 48_000
            let jitter = Int64.random(in: -2_000_000...2_000_000, using: &generator)
            timer.begin(frame: frame, frames: frames, measured: HostTime(nanoseconds: exact + jitter))
            #expect(abs(timer.hostTime(at: 0).nanoseconds - exact) < 4_000_000)
            #expect(timer.hostTime(at: 0) >= last)
            last = timer.hostTime(at: 0)
            frame += Int64(frames)
        }
    }
}
