// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@Suite("Mixer edits during rendering") struct MixerEditTests {
    private let format = AudioFormat(sampleRate: 48_000, channels: 1)

    /// Edits a mixer of constant inputs at random while it renders. Only ramps then change the sum: each edit starts
    /// one of 5 ms for each affected input, and another one of 10 ms if a gain changes.
    /// - Returns: The amount by which the largest step between two samples exceeds the active ramps.
    private func excess(seed: UInt64, fade: Duration) throws -> Float {
        let events = EventThread(every: nil)
        let mixer = Mixer(format: format, maximumFrames: 128, events: events)
        var (generator, inputs) = (SeededGenerator(seed: seed), [MixerInput]())
        var renderer = OfflineRenderer(mixer, format: format, block: 100, events: events)
        var (heard, ramps) = ([Float](), [(start: Int, count: Int)]())
        for _ in 0..<400 {
            var count = 1
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1: inputs.append(try mixer.add(constant(0.1), MixerInputSettings(fade: fade)))
            case 2: if let gone = inputs.randomElement(using: &generator) { mixer.remove(gone) }
            case 3: inputs.randomElement(using: &generator)?.isMuted.toggle()
            case 4:
                inputs.randomElement(using: &generator)?.isSoloed.toggle()
                count = inputs.count
            default: try inputs.randomElement(using: &generator)?.setGain(Float.random(in: 0...1, using: &generator))
            }
            ramps.append((heard.count, count))
            inputs.removeAll { input in !mixer.inputs.contains { $0 === input } }
            heard += samples(of: renderer.render(frames: Int.random(in: 1...300, using: &generator)))
        }
        var active = [Int](repeating: 0, count: heard.count)
        for ramp in ramps {
            for frame in max(0, ramp.start - 1)..<min(heard.count, ramp.start + 480) { active[frame] += ramp.count }
        }
        let ramp: Float = 0.1 / 240 + 0.1 / 480
        let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
        return zip(steps, active).map { step, active in step - Float(active) * ramp - 1e-5 }.max() ?? 1
    }

    @Test("Concurrent edits change the sum by ramps only", arguments: [1, 2, 3] as [UInt64])
    func clicks(seed: UInt64) throws {
        #expect(try excess(seed: seed, fade: .milliseconds(5)) <= 0)
    }

    @Test("A hard cut of one input exceeds that bound by far", arguments: [1, 2, 3] as [UInt64])
    func cuts(seed: UInt64) throws {
        #expect(try excess(seed: seed, fade: .zero) > 0.05)
    }

    @Test("A removed input cannot be soloed and mutes no other input")
    func soloedLate() throws {
        let mixer = Mixer(format: format, events: EventThread(every: nil))
        let gone = try mixer.add(constant(0.5), MixerInputSettings(fade: .zero))
        try mixer.add(constant(0.25), MixerInputSettings(fade: .zero))
        mixer.remove(gone)
        gone.isSoloed = true
        #expect(!gone.isSoloed && rendered(mixer, 4, format: format).suffix(2) == [0.25, 0.25])
    }

    @Test("A thousand inputs that several threads add and remove during rendering are all present and all released")
    func thousand() async throws {
        let graph = RenderGraph(format: format, maximumSlice: 64, events: EventThread(every: nil))
        let mixer = Mixer(for: graph)
        graph.output = mixer
        let (isDone, wrong) = (TestFlag(), TestCount())
        let thread = WorkerThread.start {
            var (block, frame) = ([Float](repeating: 0, count: 64), Int64(0))
            while !isDone.isSet {
                block.withUnsafeMutableBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return }
                    _ = graph.render(into: start, frames: 64, at: frame)
                }
                frame += 64
                if block.contains(where: { !($0 >= 0 && $0 <= 1000.01) }) { wrong.add() }
            }
        }
        let all = try await withThrowingTaskGroup(of: [MixerInput].self) { [format] group in
            for _ in 0..<4 {
                group.addTask {
                    try (0..<250).map { _ in
                        try mixer.add(constant(1), format: format)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(mixer.inputs.count == 1000)
        for input in all { mixer.remove(input) }
        while !mixer.inputs.isEmpty {
            graph.events.drain()
            await Task.yield()
        }
        isDone.set()
        thread?.join()
        #expect(wrong.value == 0)
    }
}
