// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import Media
import Testing

private let mono = AudioFormat(sampleRate: 1000, channels: 1)

@Suite("OfflineRenderer") struct OfflineRendererTests {
    @Test("The same graph renders the same bits for any block length", arguments: [1, 3, 64, 1000, 4096])
    func blocks(block: Int) throws {
        func mix(_ block: Int) throws -> [Float] {
            let graph = RenderGraph(
                format: mono, maximumSlice: 64, hostTimes: .nominal(origin: HostTime(nanoseconds: 0)),
                events: EventThread(every: nil))
            let mixer = Mixer(for: graph)
            graph.output = mixer
            for number in 1...5 {
                let input = try mixer.add(FunctionSignal { frame, _ in Float(frame % Int64(number * 7)) / 10 })
                try input.setGain(0.3, over: .milliseconds(333), at: .sampleTime(Int64(number * 100)))
                try input.setGain(1.1, over: .milliseconds(57), at: .hostTime(HostTime(nanoseconds: 700_000_000)))
            }
            var renderer = OfflineRenderer(graph, block: block)
            return samples(of: renderer.render(frames: 1000))
        }
        #expect(try mix(block) == mix(17))
    }

    @Test("The renderer continues at its position and ends when the source renders fewer frames")
    func position() {
        var renderer = OfflineRenderer(frameNumbers(end: 10), format: mono, block: 4)
        #expect(samples(of: renderer.render(frames: 3)) == [0, 1, 2])
        #expect(renderer.position == 3)
        var seen: [Float] = []
        #expect(renderer.render(frames: 100) { seen += samples(of: $0) } == 7)
        #expect(seen == [3, 4, 5, 6, 7, 8, 9])
        #expect(renderer.render(frames: 5).frameLength == 0)
    }

    @Test("The read-ahead callback runs before each block, and events are delivered after it")
    func around() {
        let (diary, events) = (Diary<String>(), EventThread(every: nil))
        final class Source: EventSource {
            let diary: Diary<String>
            init(_ diary: Diary<String>) { self.diary = diary }
            func drainEvents() { diary.note("drained") }
        }
        let source = Source(diary)
        events.attach(source)
        var renderer = OfflineRenderer(constant(1), format: mono, block: 4, events: events) { frames, frame in
            diary.note("\(frames) from \(frame)")
        }
        _ = renderer.render(frames: 6)
        #expect(diary.entries == ["4 from 0", "drained", "2 from 4", "drained"])
    }

    @Test("An error of the caller's closure is rethrown", arguments: [1, 2])
    func throwing(block: Int) {
        struct Full: Error {}
        var renderer = OfflineRenderer(constant(1), format: mono, block: 4)
        var count = 0
        #expect(throws: Full.self) {
            try renderer.render(frames: 100) { _ throws(Full) in
                count += 1
                if count == block { throw Full() }
            }
        }
        #expect(renderer.position == Int64(4 * block))
    }

    @Test("A request for zero or fewer frames renders none", arguments: [0, -1, Int.min])
    func none(frames: Int) {
        var renderer = OfflineRenderer(constant(1), format: mono, block: frames)
        #expect(renderer.render(frames: frames).frameLength == 0)
        #expect(renderer.render(frames: Int64(frames)) { _ in } == 0)
    }
}
