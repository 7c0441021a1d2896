// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media
import Testing

/// A soft tone: no two neighbouring samples are farther apart than `step`.
private func tone(_ number: Int) -> FunctionSignal {
    FunctionSignal { frame, _ in Float(sin(Double(frame) * 0.01 + Double(number))) * 0.1 }
}

private let step: Float = 0.0011

@Suite("Mixer, edited while it renders") struct MixerEditTests {
    private let format = AudioFormat(sampleRate: 48_000, channels: 1)

    @Test("whatever comes, goes, is muted or turned: neighbouring samples differ no more than signals and ramps do",
        arguments: [1, 2, 3] as [UInt64])
    func clicks(seed: UInt64) throws {
        let events = EventThread(every: nil)
        let mixer = Mixer(format: format, maximumFrames: 128, events: events)
        var (generator, inputs) = (SeededGenerator(seed: seed), [MixerInput]())
        var renderer = OfflineRenderer(mixer, format: format, block: 100, events: events)
        var (heard, most) = ([Float](), 0)
        for number in 0..<400 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1: inputs.append(try mixer.add(tone(number)))
            case 2: if let gone = inputs.randomElement(using: &generator) { mixer.remove(gone) }
            case 3: inputs.randomElement(using: &generator)?.isMuted.toggle()
            case 4: inputs.randomElement(using: &generator)?.isSoloed.toggle()
            default: try inputs.randomElement(using: &generator)?.setGain(Float.random(in: 0...1, using: &generator))
            }
            inputs.removeAll { input in !mixer.inputs.contains { $0 === input } }
            most = max(most, mixer.inputs.count)
            heard += samples(of: renderer.render(frames: Int.random(in: 1...300, using: &generator)))
        }
        // In 5 ms, 240 frames, from silence to 0.1 and at the same time, in 10 ms, from one gain to another.
        let each = step + 0.1 / 240 + 0.1 / 480
        let largest = zip(heard, heard.dropFirst()).map { abs($0 - $1) }.max() ?? 1
        #expect(most > 10)
        #expect(largest > step)
        #expect(largest <= each * Float(most))
    }

    @Test("a hard cut is what the test above would find")
    func cut() throws {
        let mixer = Mixer(format: format, events: EventThread(every: nil))
        let input = try mixer.add(constant(0.1), MixerInputSettings(fade: .zero))
        let before = rendered(mixer, 10, format: format)
        mixer.remove(input)
        let after = rendered(mixer, 10, format: format, from: 10)
        #expect(abs((before.last ?? 0) - (after.first ?? 1)) > step + 0.1 / 240)
    }

    @Test("one that was removed cannot be soloed, and silences nobody")
    func soloedLate() throws {
        let mixer = Mixer(format: format, events: EventThread(every: nil))
        let gone = try mixer.add(constant(0.5), MixerInputSettings(fade: .zero))
        try mixer.add(constant(0.25), MixerInputSettings(fade: .zero))
        mixer.remove(gone)
        gone.isSoloed = true
        #expect(!gone.isSoloed && rendered(mixer, 4, format: format).suffix(2) == [0.25, 0.25])
    }

    @Test("a thousand inputs, added and removed by several threads while it renders, are all there and all let go of")
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
