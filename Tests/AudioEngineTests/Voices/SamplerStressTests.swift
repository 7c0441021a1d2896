// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Synchronization
import Testing

private final class Tally: Sendable {
    let ends = Mutex<[VoiceID]>([])
    let loudest = Atomic<UInt32>(0)
    let isDone = Atomic<Bool>(false)
}

@Suite("Sampler between threads") struct SamplerStressTests {
    @Test("Under concurrent edits the output is never louder than the voices, and each end is reported once")
    func edits() throws {
        let tally = Tally()
        let events = EventThread(every: .milliseconds(1))
        let format = AudioFormat(sampleRate: 1000, channels: 1)
        let sampler = Sampler(
            format: format, voices: 8, waiting: 24, events: events,
            onEnd: { end in tally.ends.withLock { $0.append(end.voice) } })
        let renderer = try #require(WorkerThread.start { Self.render(sampler, tally) })
        var random = SeededGenerator(seed: 11)
        var voices: [VoiceID] = []
        for _ in 0..<20_000 {
            do throws(SamplerError) {
                // Each voice has its own buffer, so that a premature release is noticed.
                let buffer = try SampleBuffer(list(Array(repeating: 1, count: Int.random(in: 1...50, using: &random))))
                voices.append(try sampler.start(buffer, loop: SampleLoop(times: 3)))
            } catch {
                #expect(error == .noVoiceLeft || error == .queueFull)
            }
            guard let voice = voices.suffix(50).randomElement(using: &random) else { continue }
            if Bool.random(using: &random) { sampler.stop(voice) }
            sampler.setGain(Float.random(in: 0...1, using: &random), of: voice)
        }
        sampler.stopAll()
        tally.isDone.store(true, ordering: .releasing)
        renderer.join()
        events.close()
        let ends = tally.ends.withLock { $0 }
        #expect(ends.count == voices.count && Set(ends) == Set(voices))
        #expect(Float(bitPattern: tally.loudest.load(ordering: .relaxed)) <= 32)
    }

    private static func render(_ sampler: Sampler, _ tally: Tally) {
        var output = [Float](repeating: 0, count: 64)
        var frame: Int64 = 0
        var loudest: Float = 0
        // A few more slices, so that every voice ends.
        var left = 1000
        while left > 0 {
            if tally.isDone.load(ordering: .acquiring) { left -= 1 }
            output.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                _ = sampler.pull(into: start, frames: 64, at: frame)
            }
            frame += 64
            loudest = output.reduce(loudest) { max($0, abs($1)) }
        }
        tally.loudest.store(loudest.bitPattern, ordering: .relaxed)
    }
}
