// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Synchronization
import Testing

@Suite("Voice limits and refusals") struct VoiceLimitTests {
    @Test("At the limit the oldest or the quietest voice is stolen, or the new one is refused", arguments: [
        (VoiceStealing.oldest, 0, VoiceEnd.Reason.stolen, [0.5 + 0.25 + 1, 0.5 + 0.25 + 1]),
        (.quietest, 2, .stolen, [2 + 0.5 + 1, 2 + 0.5 + 1]),
        (.refuse, 3, .refused, [2 + 0.5 + 0.25, 2 + 0.5 + 0.25]),
    ] as [(VoiceStealing, Int, VoiceEnd.Reason, [Float])])
    func stealing(policy: VoiceStealing, loser: Int, reason: VoiceEnd.Reason, expected: [Float]) throws {
        let desk = SamplerFixture(channels: 1, voices: 3, stealing: policy)
        let one = try sound([1])
        var voices = try [2, 0.5, 0.25].enumerated().map { number, gain in
            try desk.sampler.start(one, at: .sampleTime(Int64(number)), loop: SampleLoop(), gain: gain)
        }
        #expect(desk.render(4) == [2, 2.5, 2.75, 2.75])
        voices.append(try desk.sampler.start(one, at: .sampleTime(6), loop: SampleLoop()))
        #expect(desk.render(4) == [2.75, 2.75] + expected)
        #expect(desk.ends() == [VoiceEnd(voice: voices[loser], reason: reason, frame: 6)])
    }

    @Test("A voice that ends in time or fades does not count, so that no voice is stolen")
    func room() throws {
        let desk = SamplerFixture(channels: 1, voices: 1, fade: 3)
        try desk.sampler.start(count(to: 4))
        let stopped = try desk.sampler.start(count(to: 9), at: .sampleTime(4))
        desk.sampler.stop(stopped, at: .sampleTime(6))
        try desk.sampler.start(sound([1]), at: .sampleTime(6))
        _ = desk.render(16)
        #expect(desk.ends().map(\.reason) == [.finished, .stopped, .finished])
    }

    @Test("A stolen voice fades, and the sum never jumps by more than one step of the fade")
    func click() throws {
        let desk = SamplerFixture(channels: 1, voices: 1, fade: 9)
        try desk.sampler.start(sound([1]), loop: SampleLoop())
        try desk.sampler.start(sound(Array(repeating: 0, count: 50)), at: .sampleTime(10))
        let heard = desk.render(30, by: 4)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) < 0.1001 })
    }

    @Test("When the waiting list is full, the next voice is refused until a voice ends")
    func full() throws {
        let desk = SamplerFixture(channels: 1, voices: 1, waiting: 1)
        let one = try sound([1])
        try desk.sampler.start(one)
        try desk.sampler.start(one, at: .sampleTime(100))
        #expect(throws: SamplerError.noVoiceLeft) { try desk.sampler.start(one) }
        _ = desk.render(1)
        try desk.sampler.start(one)
        #expect(desk.render(1) == [1])
    }

    @Test("A released sampler reports the end of each voice once: ended, playing and waiting ones")
    func gone() throws {
        let told: SamplerFixture.Reports
        do {
            let desk = SamplerFixture(channels: 1)
            told = desk.reports
            try desk.sampler.start(count(to: 3))
            try desk.sampler.start(count(to: 9), loop: SampleLoop())
            try desk.sampler.start(count(to: 9), at: .sampleTime(100))
            _ = desk.render(8)
        }
        let ends = told.ends.withLock { $0 }
        #expect(ends.map(\.reason) == [.finished, .closed, .closed] && Set(ends.map(\.voice)).count == 3)
        #expect(ends.map(\.frame) == [3, 8, 8])
    }

    @Test("A full queue is reported and accepts orders after the next render")
    func queue() throws {
        let desk = SamplerFixture(channels: 1, voices: 1, waiting: 1)
        let voice = try desk.sampler.start(sound([1]), loop: SampleLoop())
        while desk.sampler.setGain(0.5, of: voice, over: .zero) {}
        #expect(!desk.sampler.stop(voice) && !desk.sampler.stopAll() && !desk.sampler.setPan(0, of: voice))
        #expect(throws: SamplerError.queueFull) { try desk.sampler.start(sound([1])) }
        #expect(desk.render(1) == [0.5] && desk.sampler.stop(voice) && desk.render(1) == [0])
    }

    @Test("An invalid loop is refused", arguments: [
        (SampleLoop(start: 3, end: 2), .loopOutside(start: 3, end: 2, frames: 5)),
        (SampleLoop(start: 2, end: 2), .loopOutside(start: 2, end: 2, frames: 5)),
        (SampleLoop(start: -1), .loopOutside(start: -1, end: 5, frames: 5)),
        (SampleLoop(end: 6), .loopOutside(start: 0, end: 6, frames: 5)),
        (SampleLoop(end: .max), .loopOutside(start: 0, end: .max, frames: 5)),
        (SampleLoop(times: 0), .loopTimes(0)), (SampleLoop(times: .min), .loopTimes(.min)),
    ] as [(SampleLoop, SamplerError)])
    func badLoops(loop: SampleLoop, error: SamplerError) throws {
        let desk = SamplerFixture(channels: 1)
        #expect(throws: error) { try desk.sampler.start(count(to: 5), loop: loop) }
        #expect(desk.render(2) == [0, 0] && desk.ends() == [])
    }

    @Test("NaN gains and pans are refused, and others are clamped")
    func badNumbers() throws {
        let desk = SamplerFixture(channels: 1)
        let one = try sound([1])
        #expect(throws: SamplerError.notANumber) { try desk.sampler.start(one, gain: .nan) }
        #expect(throws: SamplerError.notANumber) { try desk.sampler.start(one, pan: .nan) }
        let voice = try desk.sampler.start(one, loop: SampleLoop(), gain: -3, pan: .infinity)
        #expect(!desk.sampler.setGain(.nan, of: voice) && !desk.sampler.setPan(.nan, of: voice))
        #expect(desk.render(1) == [0])
        #expect(desk.sampler.setGain(.infinity, of: voice, over: .seconds(Int64.max / 2)))
        #expect(desk.render(1)[0] < 0.001)
        #expect(desk.sampler.setGain(.infinity, of: voice, over: .seconds(-1)) && desk.render(1) == [16])
    }

    @Test("Buffers of another rate or with more than two channels are refused")
    func formats() throws {
        let desk = SamplerFixture()
        for buffer in [try sound([1], rate: 999), try sound([1, 2, 3], channels: 3)] {
            #expect(throws: SamplerError.unsupportedFormat(buffer.format)) { try desk.sampler.start(buffer) }
        }
    }

    @Test("An empty buffer ends immediately, and rendering backward or at extreme frames does not trap")
    func edges() throws {
        let desk = SamplerFixture(channels: 1)
        try desk.sampler.start(sound([]))
        try desk.sampler.start(count(to: 3), at: .sampleTime(.max))
        let voice = try desk.sampler.start(count(to: 3), loop: SampleLoop(times: .max))
        #expect(desk.render(4) == [1, 2, 3, 1] && desk.ends().map(\.reason) == [.finished])
        desk.graphFrame = 1
        #expect(desk.render(0) == [] && desk.render(2) == [2, 3])
        desk.graphFrame = .min
        #expect(desk.render(2) == [0, 0])
        desk.graphFrame = .max - 2
        #expect(desk.render(2).count == 2 && desk.sampler.stop(voice))
    }
}
