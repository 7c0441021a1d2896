// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Testing

private let mono = AudioFormat(sampleRate: 1000, channels: 1)

private final class SliceDiary: TimingReceiver {
    struct Slice: BitwiseCopyable, Sendable {
        let start: AudioTimeStamp
        let frames: Int
    }

    let diary = RenderLog<Slice>()
    func willRender(_ slice: AudioTimeStamp, frames: Int) { diary.note(Slice(start: slice, frames: frames)) }
    var frames: [Int] { diary.entries.map(\.frames) }
    var starts: [Int64] { diary.entries.map(\.start.sampleTime) }
}

@Suite("RenderGraph") struct RenderGraphTests {
    private func graph(maximumSlice: Int = 64) -> RenderGraph {
        RenderGraph(
            format: mono, maximumSlice: maximumSlice, hostTimes: .nominal(origin: HostTime(nanoseconds: 7)),
            events: EventThread(every: nil))
    }

    @Test("A graph without an output renders silence, which is not an underrun")
    func silent() {
        let graph = graph()
        #expect(rendered(graph, 10, format: mono) == Array(repeating: 0, count: 10))
        #expect(graph.underrunFrames == 0)
    }

    @Test("Missing frames of the output are filled with silence and counted")
    func underrun() {
        let graph = graph()
        graph.output = frameNumbers(end: 5)
        #expect(rendered(graph, 8, format: mono, from: 1) == [1, 2, 3, 4, 0, 0, 0, 0])
        #expect(graph.underrunFrames == 4)
    }

    @Test("A frame count outside the possible range is clamped", arguments: [(-3, 0), (99, 4)])
    func lies(claimed: Int, heard: Int) {
        final class Liar: RenderSource {
            let claimed: Int
            let honest = constant(1)
            init(_ claimed: Int) { self.claimed = claimed }
            func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
                _ = honest.render(into: output, frames: frames, at: outputFrame)
                return claimed
            }
        }
        let graph = graph()
        graph.output = Liar(claimed)
        #expect(rendered(graph, 4, format: mono).filter { $0 == 1 }.count == heard)
    }

    @Test("A call is split into slices of at most the maximum length, each announced before it is rendered")
    func slices() {
        let (graph, receiver) = (graph(maximumSlice: 16), SliceDiary())
        graph.add(receiver)
        graph.add(receiver)
        graph.output = FunctionSignal { _, _ in Float(receiver.diary.count) }
        let heard = rendered(graph, 40, format: mono, block: 40, from: 100)
        #expect(receiver.frames == [16, 16, 8])
        #expect(receiver.starts == [100, 116, 132])
        #expect(heard == [(1, 16), (2, 16), (3, 8)].flatMap { Array(repeating: Float($0.0), count: $0.1) })
        graph.remove(receiver)
        _ = rendered(graph, 16, format: mono)
        #expect(receiver.frames.count == 3)
    }

    @Test("Nominal host times count from the origin at the sample rate, the same in every run")
    func nominal() {
        let (graph, receiver) = (graph(maximumSlice: 10), SliceDiary())
        graph.add(receiver)
        _ = rendered(graph, 30, format: mono)
        #expect(receiver.diary.entries.map(\.start.hostTime.nanoseconds) == [7, 10_000_007, 20_000_007])
        #expect(graph.clock.slice?.sampleTime == 20)
    }

    @Test("A measured host time is the current time plus the latency")
    func measured() {
        let graph = RenderGraph(format: mono, events: EventThread(every: nil))
        graph.latency = .seconds(100)
        let before = HostTime.now
        _ = rendered(graph, 10, format: mono)
        let heard = graph.clock.slice?.hostTime ?? before
        #expect(heard >= before.advanced(by: .seconds(100)))
        #expect(heard <= HostTime.now.advanced(by: .seconds(100)))
    }

    @Test("The latency is clamped to its range", arguments: [
        (Duration.seconds(-1), Duration.zero), (.milliseconds(20), .milliseconds(20)),
        (.seconds(Int64.max), .seconds(3600)),
    ])
    func latency(set: Duration, got: Duration) {
        let graph = graph()
        graph.latency = set
        #expect(graph.latency == got)
    }

    @Test("A request for no frames is passed on, and no slice is announced")
    func nothing() {
        let (graph, receiver, asked) = (graph(), SliceDiary(), RenderLog<Int>())
        graph.add(receiver)
        graph.output = RenderCallbackSource { _, frames, _ in
            asked.note(frames)
            return 0
        }
        var sample: Float = 9
        #expect(graph.render(into: &sample, frames: 0, at: 0) == 0)
        #expect(asked.entries == [0])
        #expect(receiver.frames == [])
        #expect(sample == 9)
    }

    @Test("Replacing outputs and receivers during rendering leaves each slice with one output and releases the rest")
    func edits() async {
        let graph = graph(maximumSlice: 32)
        let (isDone, mixed) = (TestFlag(), TestCount())
        let thread = WorkerThread.start {
            var (block, frame) = ([Float](repeating: 0, count: 32), Int64(0))
            while !isDone.isSet {
                block.withUnsafeMutableBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return }
                    _ = graph.render(into: start, frames: 32, at: frame)
                }
                if Set(block).count != 1 { mixed.add() }
                frame += 32
            }
        }
        weak var last: FunctionSignal?
        for number in 0..<2000 {
            let (output, receiver) = (constant(Float(number)), SliceDiary())
            graph.output = output
            graph.add(receiver)
            graph.remove(receiver)
            last = output
        }
        graph.output = nil
        isDone.set()
        thread?.join()
        graph.events.drain()
        #expect(mixed.value == 0)
        #expect(last == nil)
    }
}
