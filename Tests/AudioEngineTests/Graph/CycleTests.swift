// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Testing

@Suite("Graphs with cycles")
struct CycleTests {
    private let graph = RenderGraph(
        format: AudioFormat(sampleRate: 48_000, channels: 1), events: EventThread(every: nil))

    @Test("A mixer refuses itself at any distance")
    func mixer() throws {
        let (one, other) = (Mixer(for: graph), Mixer(for: graph))
        #expect(throws: MixerError.cycle) { try one.add(one) }
        try one.add(other)
        #expect(throws: MixerError.cycle) { try other.add(one) }
        let far = Tap(
            VolumeControl(Metered(one, format: graph.format), format: graph.format), format: graph.format,
            events: graph.events
        ) { _, _ in }
        #expect(throws: MixerError.cycle) { try other.add(far) }
        #expect(other.inputs.isEmpty)
    }

    @Test("A source may occur twice in one mix")
    func diamond() throws {
        let (one, other) = (Mixer(for: graph), Mixer(for: graph))
        try one.add(other)
        try one.add(Metered(other, format: graph.format))
        try graph.setOutput(one)
        #expect(graph.output === one)
    }

    @Test("A graph refuses itself as its output and keeps its current output")
    func output() throws {
        let mixer = Mixer(for: graph)
        try mixer.add(graph)
        #expect(throws: GraphError.cycle) { try graph.setOutput(graph) }
        #expect(throws: GraphError.cycle) { try graph.setOutput(mixer) }
        graph.output = mixer
        #expect(graph.output == nil)
    }

    /// A source that renders another source without declaring it.
    private final class UndeclaredInputSource: RenderSource {
        nonisolated(unsafe) weak var source: (any RenderSource)?
        func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
            source?.render(into: output, frames: frames, at: outputFrame) ?? 0
        }
    }

    @Test("An undeclared cycle renders silence and does not recurse forever")
    func hidden() throws {
        let (mixer, secretive) = (Mixer(for: graph), UndeclaredInputSource())
        try mixer.add(secretive)
        graph.output = mixer
        secretive.source = graph
        var samples = [Float](repeating: 1, count: 4096)
        #expect(graph.render(into: &samples, frames: 4096, at: 0) == 4096)
        #expect(samples.allSatisfy { $0 == 0 })
    }
}
