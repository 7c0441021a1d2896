// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("DecodePipeline")
struct DecodePipelineTests {
    @Test("Rendered samples match the reference at the frames the runs name, for any arrival of bytes and any seeks",
        arguments: 0..<16)
    func runsAreTrue(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixtures = seed % 2 == 0 ? [Fixture.cbr, .vbr, .cbr] : [.mono, .mono]
        let queue = DecodePipeline()
        let sources = fixtures.map { MemoryByteSource($0.bytes, held: 0) }
        open(sources, from: 0, in: queue)
        let ring = PCMRing(format: fixtures[0].format, capacity: 65536)
        queue.attach(ring)
        var outputFrame: Int64 = 0
        var rendered: [RenderedRun] = []
        var output: [Float] = []
        for _ in 0..<60 {
            for source in sources { source.release(more: Int.random(in: 0...6000, using: &random)) }
            for _ in 0..<Int.random(in: 0...80, using: &random) { _ = queue.step() }
            pull(Int.random(in: 0...9000, using: &random), from: ring, &output, &outputFrame)
            while let run = ring.nextRendered() { rendered.append(run) }
            guard Int.random(in: 0..<6, using: &random) == 0, let item = queue.items.randomElement(using: &random)
            else { continue }
            let id = item.item.id
            let frame = Int64.random(in: 0..<fixtures[Int(id)].frames, using: &random)
            let target = TimeTarget.time(fixtures[Int(id)].format.duration(ofFrames: frame))
            queue.seek(in: item.generation, to: target, fadingIn: .zero, isAnnounced: true)
            open(sources, from: Int(id) + 1, in: queue)
        }
        let channels = ring.format.channels
        for run in rendered {
            let start = Int(run.outputFrame) * channels
            let heard = Array(output[start..<start + Int(run.run.frames) * channels])
            let end = run.run.sourceFrame + Int64(run.run.frames)
            let wanted = fixtures[Int(run.run.item)].samples(from: run.run.sourceFrame, to: end)
            #expect(identical(heard, wanted), "item \(run.run.item) at \(run.run.sourceFrame)")
        }
        #expect(rendered.contains { $0.run.frames > 0 })
    }

    private func open(_ sources: [MemoryByteSource], from first: Int, in queue: DecodePipeline) {
        for (number, source) in sources.enumerated().dropFirst(first) {
            source.reopen()
            let item = PlaybackItem(id: UInt32(number), title: "", podcast: nil, location: "")
            queue.open(ItemReader(item: item, source: source))
        }
    }

    private func pull(_ frames: Int, from ring: PCMRing, _ output: inout [Float], _ outputFrame: inout Int64) {
        let block = [Float](unsafeUninitializedCapacity: max(1, frames * ring.format.channels)) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = ring.pull(into: start, frames: frames, at: outputFrame) * ring.format.channels
        }
        output += block
        outputFrame += Int64(block.count / ring.format.channels)
    }

    @Test("An item that starts beyond its end stays open until it is dropped; then the queue continues")
    func silentItem() {
        let queue = DecodePipeline()
        let source = MemoryByteSource(Fixture.cbr.bytes)
        let item = PlaybackItem(id: 0, title: "", podcast: nil, location: "", start: .time(.seconds(100)))
        queue.open(ItemReader(item: item, source: source))
        var progress = queue.step()
        while progress == .progressed { progress = queue.step() }
        guard case .beyondEnd(item, _) = progress else {
            Issue.record("\(progress)")
            return
        }
        #expect(!source.isClosed)
        queue.dropReading()
        #expect(source.isClosed)
        #expect(queue.step() == .idle)
    }
}
