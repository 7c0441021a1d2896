// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Testing

@Suite("Sampler") struct SamplerTests {
    @Test("A voice begins at its exact frame, anywhere in a slice", arguments: [0, 1, 7, 8, 9, 20])
    func start(frame: Int64) throws {
        let desk = SamplerFixture(channels: 1)
        let voice = try desk.sampler.start(count(to: 5), at: .sampleTime(frame))
        let nothing = [Float](repeating: 0, count: 32)
        let expected = nothing.prefix(Int(frame)) + [1, 2, 3, 4, 5] + nothing.prefix(27 - Int(frame))
        #expect(desk.render(32, by: 8) == Array(expected))
        #expect(desk.ends() == [VoiceEnd(voice: voice, reason: .finished, frame: frame + 5)])
    }

    @Test("A time in the past means the next slice; a host time requires a clock and is resolved at the first slice")
    func startTimes() throws {
        let clock = GraphClock(format: AudioFormat(sampleRate: 1000, channels: 1))
        let desk = SamplerFixture(channels: 1, clock: clock)
        let moment = StartTime.hostTime(HostTime(nanoseconds: 5_006_000_000))
        #expect(throws: SamplerError.noClock) {
            try SamplerFixture(channels: 1).sampler.start(count(to: 2), at: moment)
        }
        try desk.sampler.start(count(to: 1), at: moment)
        clock.note(AudioTimeStamp(sampleTime: 0, hostTime: HostTime(nanoseconds: 5_000_000_000)))
        _ = desk.render(4)
        try desk.sampler.start(count(to: 2), at: .sampleTime(1))
        #expect(desk.render(4) == [1, 2, 1, 0])
    }

    @Test(
        "Loops are exact, for the whole buffer or a section, n times or forever",
        arguments: [
            (SampleLoop(times: 1), [1, 2, 3, 4, 5]),
            (SampleLoop(times: 2), [1, 2, 3, 4, 5, 1, 2, 3, 4, 5]),
            (SampleLoop(start: 1, end: 3, times: 3), [1, 2, 3, 2, 3, 2, 3, 4, 5]),
            (SampleLoop(start: 4, times: 4), [1, 2, 3, 4, 5, 5, 5, 5]),
            (SampleLoop(start: 0, end: 1, times: 3), [1, 1, 1, 2, 3, 4, 5]),
        ] as [(SampleLoop, [Float])])
    func loops(loop: SampleLoop, expected: [Float]) throws {
        for slice in [1, 3, 16] {
            let desk = SamplerFixture(channels: 1)
            try desk.sampler.start(count(to: 5), loop: loop)
            #expect(desk.render(16, by: slice) == expected + [Float](repeating: 0, count: 16 - expected.count))
            #expect(desk.ends().map(\.frame) == [Int64(expected.count)])
        }
    }

    @Test("Two loops of equal length keep their distance after a day")
    func day() throws {
        let desk = SamplerFixture(channels: 1)
        try desk.sampler.start(count(to: 777), loop: SampleLoop())
        try desk.sampler.start(count(to: 777), at: .sampleTime(100), loop: SampleLoop())
        try desk.sampler.start(sound(Array(repeating: -1, count: 777)), loop: SampleLoop(end: 777, times: .max))
        _ = desk.render(200)
        desk.graphFrame = 24 * 3600 * 48_000 + 11
        let first = desk.graphFrame
        let expected = (0..<2000).map { Float((first + $0) % 777 + 1) + Float((first - 100 + $0) % 777 + 1) - 1 }
        #expect(desk.render(2000, by: 256) == expected && desk.ends() == [])
    }

    @Test(
        "Mono is panned at constant power, stereo is balanced, and one output channel gets the mean",
        arguments: [
            (1, 2, 0, [0.7071, 0.7071]), (1, 2, -1, [1, 0]), (1, 2, 1, [0, 1]), (2, 2, 0, [1, 3]),
            (2, 2, -1, [1.4142, 0]),
            (1, 1, 1, [1]), (2, 1, 0, [2]), (1, 4, -1, [1, 0, 0, 0]), (2, 4, 0, [1, 3, 0, 0]),
        ] as [(Int, Int, Float, [Float])])
    func panning(source: Int, output: Int, pan: Float, expected: [Float]) throws {
        let desk = SamplerFixture(channels: output)
        try desk.sampler.start(sound(source == 1 ? [1] : [1, 3], channels: source), pan: pan)
        #expect(zip(desk.render(1), expected).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    @Test("A gain ramp is linear over the given length, for any slices", arguments: [1, 4, 7, 64])
    func ramp(slice: Int) throws {
        let desk = SamplerFixture(channels: 1)
        let voice = try desk.sampler.start(sound([1]), loop: SampleLoop())
        #expect(desk.render(3) == [1, 1, 1])
        #expect(desk.sampler.setGain(0, of: voice, over: .milliseconds(8)))
        let line = (1...8).map { 1 - Float($0) / 8 }
        #expect(desk.render(64, by: slice) == line + [Float](repeating: 0, count: 56))
        #expect(desk.sampler.setGain(2, of: voice, over: .zero))
        #expect(desk.render(2) == [2, 2])
    }

    @Test("A stopped voice fades linearly from the frame of the stop", arguments: [1, 3, 16])
    func fade(slice: Int) throws {
        let desk = SamplerFixture(channels: 1, fade: 4)
        let voice = try desk.sampler.start(sound([1]), loop: SampleLoop())
        #expect(desk.sampler.stop(voice, at: .sampleTime(5)))
        let expected: [Float] = [1, 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2] + [Float](repeating: 0, count: 7)
        #expect(zip(desk.render(16, by: slice), expected).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(desk.ends() == [VoiceEnd(voice: voice, reason: .stopped, frame: 9)])
    }

    @Test("A voice stopped before its start is never played, and its end is reported immediately")
    func stopWaiting() throws {
        let desk = SamplerFixture(channels: 1, fade: 4)
        let later = try desk.sampler.start(count(to: 5), at: .sampleTime(1000))
        let now = try desk.sampler.start(count(to: 5))
        for voice in [later, now] { desk.sampler.stop(voice) }
        #expect(desk.render(8) == [Float](repeating: 0, count: 8))
        #expect(desk.ends().map { [$0.voice: $0.reason] } == [[later: .stopped], [now: .stopped]])
    }

    @Test("stopAll() stops playing and waiting voices")
    func stopAll() throws {
        let desk = SamplerFixture(channels: 1)
        for frame in [0, 2, 50] as [Int64] { try desk.sampler.start(count(to: 90), at: .sampleTime(frame)) }
        #expect(desk.render(4) == [1, 2, 4, 6])
        #expect(desk.sampler.stopAll(at: .sampleTime(5)))
        #expect(desk.render(60) == [8] + [Float](repeating: 0, count: 59))
        #expect(desk.ends().map(\.reason) == [.stopped, .stopped, .stopped])
    }

    @Test("The handle of an ended voice does not affect the voice that reuses its slot")
    func handles() throws {
        let desk = SamplerFixture(channels: 1, voices: 1, waiting: 1)
        let old = try desk.sampler.start(count(to: 2))
        _ = desk.render(2)
        #expect(desk.ends().count == 1)
        let voices = try (0..<2).map { try desk.sampler.start(count(to: 4), at: .sampleTime(Int64(2 + 100 * $0))) }
        #expect(!voices.contains(old))
        #expect(desk.sampler.stop(old) && desk.sampler.setGain(0, of: old) && desk.sampler.setPan(1, of: old))
        #expect(desk.render(4) == [1, 2, 3, 4])
    }

    @Test("A buffer lives until the end of its voice is delivered, and no longer")
    func lifetime() throws {
        let desk = SamplerFixture(channels: 1)
        var buffer: SampleBuffer? = try count(to: 2)
        weak let kept = buffer
        try buffer.map { _ = try desk.sampler.start($0) }
        buffer = nil
        #expect(desk.render(2) == [1, 2] && kept != nil)
        #expect(desk.ends().count == 1 && kept == nil)
    }
}
