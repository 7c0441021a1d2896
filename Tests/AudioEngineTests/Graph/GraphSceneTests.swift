// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import EarshotTestSupport
import Media
import Testing

/// A graph with one of every node, rendered on its own thread.
private final class Scene: Sendable {
    static let format = AudioFormat(sampleRate: 8000, channels: 1)

    let graph: RenderGraph
    let mixer: Mixer
    let ring = PCMRing(format: Scene.format, capacity: 4096)
    let volume: VolumeControl
    let scheduler: BlockScheduler
    let exchange: MessageExchange<Int, Int>
    let notices: NoticeQueue<Int>
    let blocks = BlockQueue(capacity: 4096)
    let tapped = TestCount()
    private let isDone = TestFlag()

    init(events: EventThread) throws {
        graph = RenderGraph(
            format: Self.format, maximumSlice: 64, hostTimes: .nominal(origin: HostTime(nanoseconds: 0)),
            events: events)
        mixer = Mixer(for: graph)
        volume = VolumeControl(ring, format: Self.format)
        scheduler = BlockScheduler(for: graph, capacity: 256)
        exchange = MessageExchange(events: events) { number, _ in -number }
        notices = NoticeQueue(events: events) { _ in }
        graph.add(exchange)
        let tap = Tap(mixer, format: Self.format, events: events) { [tapped] slice, _ in tapped.add(slice.frames) }
        let (notices, blocks) = (notices, blocks)
        graph.output = RenderCallbackSink(Metered(tap, format: Self.format)) { samples, frames, frame in
            notices.post(Int(frame))
            blocks.write(UnsafeRawBufferPointer(start: samples, count: min(frames, 16) * 4))
        }
        try mixer.add(volume, MixerInputSettings(isMetered: true))
    }

    func start() -> WorkerThread? {
        WorkerThread.start { [self] in
            var (block, frame) = ([Float](repeating: 0, count: 100), Int64(0))
            while !isDone.isSet {
                block.withUnsafeMutableBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return }
                    frame += Int64(graph.render(into: start, frames: 100, at: frame))
                    _ = graph.render(into: start, frames: 0, at: frame)
                }
            }
        }
    }

    func stop() { isDone.set() }

    /// Makes every edit that is allowed during rendering.
    func edit(_ round: Int) throws {
        let input = try mixer.add(constant(0.01), MixerInputSettings(gain: 0.5, isMetered: round.isMultiple(of: 2)))
        try input.setGain(1, at: .hostTime(.now))
        try input.setPan(0.5, over: .milliseconds(1))
        volume.gain = Double(round % 10) / 10
        let samples = [Float](repeating: 0.1, count: 32)
        let run = FrameRun(generation: 0, item: 0, sourceFrame: 0, frames: 32)
        samples.withUnsafeBufferPointer { _ = ring.write($0, as: run) }
        while ring.nextRendered() != nil {}
        scheduler.schedule(at: .nextRender, identifier: "now") { _ in input.isMuted = true }
        scheduler.schedule(at: .sampleTime(.max), identifier: "never") { _ in }
        scheduler.cancel("never")
        try? exchange.send(round)
        blocks.read { _ in }
        if round.isMultiple(of: 10) { graph.output.map { graph.output = $0 } }
        mixer.remove(input)
    }
}

@Suite("A graph with every node") struct GraphSceneTests {
    @Test("During rendering every edit takes effect, events are delivered and replaced objects are released")
    func editing() async throws {
        let scene = try Scene(events: EventThread(every: .milliseconds(1)))
        let thread = scene.start()
        for round in 0..<300 {
            try scene.edit(round)
            if round.isMultiple(of: 20) {
                #expect(try scene.exchange.response(to: round, within: TimeLimit.event) == -round)
            }
        }
        #expect(await eventually { scene.mixer.inputs.count <= 1 })
        scene.stop()
        thread?.join()
        scene.graph.events.close()
        #expect(scene.scheduler.pendingActions == 0)
        #expect(scene.tapped.value > 0)
    }

    @Test("Undelivered events do not change the rendered samples")
    func nobodyLooks() throws {
        func sound(drained: Bool) throws -> [Float] {
            let events = EventThread(every: nil)
            let scene = try Scene(events: events)
            scene.scheduler.schedule(at: .sampleTime(12_345)) { _ in scene.volume.gain = 0 }
            let input = try scene.mixer.add(frameNumbers())
            for _ in 0..<100 { try? scene.exchange.send(1) }
            let told = drained ? events : nil
            let before = rendered(scene.graph, 2000, format: Scene.format, events: told)
            scene.mixer.remove(input)
            return before + rendered(scene.graph, 50_000, format: Scene.format, block: 500, from: 2000, events: told)
        }
        #expect(try sound(drained: true) == sound(drained: false))
    }
}
