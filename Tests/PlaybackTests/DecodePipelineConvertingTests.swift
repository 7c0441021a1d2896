// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@testable import Playback

/// An audio queue and the samples that a device pulls from its ring.
private final class Pulled {
    let queue = DecodePipeline()
    let ring: PCMRing
    var samples: [Float] = []
    var runs: [RenderedRun] = []

    init(_ format: AudioFormat) {
        ring = PCMRing(format: format, capacity: 16_384)
        queue.attach(ring)
    }

    @discardableResult
    func open(_ id: UInt32, _ fixture: Fixture, _ frames: Range<Int64>) -> UInt32 {
        let time = { (frame: Int64) in TimeTarget.time(fixture.format.duration(ofFrames: frame)) }
        let item = PlaybackItem(
            id: id, title: "", podcast: nil, location: "", start: time(frames.lowerBound), end: time(frames.upperBound))
        return queue.open(ItemReader(item: item, source: MemoryByteSource(fixture.bytes)))
    }

    func pull(_ frames: Int) {
        let channels = ring.format.channels
        let start = Int64(samples.count / channels)
        samples += [Float](unsafeUninitializedCapacity: frames * channels) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = ring.pull(into: base, frames: frames, at: start) * channels
        }
        while let run = ring.nextRendered() { runs.append(run) }
    }

    /// Steps and pulls until the queue is idle and the ring is empty.
    func playOut() {
        for _ in 0..<100_000 {
            let progress = queue.step()
            if progress == .idle, ring.bufferedFrames == 0 { return }
            if progress == .ringFull || progress == .idle { pull(1000) }
        }
        Issue.record("the pipeline does not reach the end")
    }

    /// Returns the frame count of an item, whether its runs are continuous from `start` on, and the output frame of
    /// its end mark.
    func stretch(_ id: UInt32, from start: Int64) -> (frames: Int64, isUnbroken: Bool, end: Int64?) {
        let own = runs.filter { $0.run.item == id }
        var (next, isUnbroken) = (start, own.first?.run.mark.contains(.first) == true)
        for run in own {
            isUnbroken = isUnbroken && run.run.sourceFrame == next
            next += Int64(run.run.frames)
        }
        isUnbroken = isUnbroken && own.filter { $0.run.mark.contains(.first) }.count == 1
        let last = own.last { $0.run.mark.contains(.last) }
        return (next - start, isUnbroken, last.map { $0.outputFrame + Int64($0.run.frames) })
    }
}

@Suite("DecodePipeline with items whose sample rate differs from the ring's")
struct DecodePipelineConvertingTests {
    private static let output = AudioFormat(sampleRate: 48_000, channels: 2)

    private func border(_ frames: Int64, _ rate: Int) -> Int64 {
        Int64((Double(frames) * 48_000 / Double(rate)).rounded())
    }

    @Test("Consecutive items of one rate are converted as one signal, and each ends at its exact frame count")
    func onePiece() throws {
        let ranges: [Range<Int64>] = [0..<5001, 300..<301, 7..<12, 100..<9000, 20..<21, 50..<53]
        let pulled = Pulled(Self.output)
        for (number, range) in ranges.enumerated() { pulled.open(UInt32(number), .slow, range) }
        pulled.playOut()
        let source = ranges.flatMap { Fixture.slow.samples(from: $0.lowerBound, to: $0.upperBound) }
        let resampler = try Resampler(from: Fixture.slow.format, to: Self.output)
        var expected: [Float] = []
        source.withUnsafeBufferPointer { resampler.convert($0) { samples, _ in expected += samples } }
        try resampler.drain { samples, _ in expected += samples }
        #expect(pulled.samples.count == expected.count)
        #expect((zip(pulled.samples, expected).map { abs($0 - $1) }.max() ?? 1) < 1e-5)
        var end: Int64 = 0
        for (number, range) in ranges.enumerated() {
            let start = border(range.lowerBound, 22_050)
            let stretch = pulled.stretch(UInt32(number), from: start)
            let begin = border(end, 22_050)
            end += Int64(range.count)
            #expect(stretch.frames == border(end, 22_050) - begin, "item \(number)")
            #expect(stretch.isUnbroken && stretch.end == border(end, 22_050), "item \(number)")
        }
    }

    @Test("An item is drained to its last frame if the next item has another rate or does not exist",
        arguments: [Fixture.cbr, .slowMono, .untagged, nil])
    func drained(next: Fixture?) {
        let pulled = Pulled(Self.output)
        pulled.open(0, .slow, 0..<5001)
        if let next { pulled.open(1, next, 0..<2000) }
        pulled.playOut()
        let first = pulled.stretch(0, from: 0)
        #expect(first.frames == border(5001, 22_050) && first.end == first.frames && first.isUnbroken)
        guard let next else { return }
        let second = pulled.stretch(1, from: 0)
        #expect(abs(second.frames - border(2000, next.format.sampleRate)) <= 1 && second.isUnbroken)
    }

    @Test("The queue finishes an item without waiting for the late bytes of the next one", arguments: [0, 4000])
    func late(arrived: Int) {
        let pulled = Pulled(Self.output)
        pulled.open(0, .slow, 0..<5001)
        let source = MemoryByteSource(Fixture.slow.bytes, held: arrived)
        let item = PlaybackItem(id: 1, title: "", podcast: nil, location: "", end: .time(.milliseconds(500)))
        pulled.queue.open(ItemReader(item: item, source: source))
        for _ in 0..<3000 {
            if pulled.queue.step() != .progressed { pulled.pull(500) }
        }
        #expect(pulled.stretch(0, from: 0).end == border(5001, 22_050))
        source.release()
        pulled.playOut()
        let second = pulled.stretch(1, from: 0)
        #expect(abs(second.frames - 24_000) <= 1 && second.isUnbroken)
        #expect(second.end == border(5001, 22_050) + second.frames)
    }

    @Test("A splice at any time lets the playing item finish and then plays the items opened after the splice",
        arguments: 0..<40)
    func spliced(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pulled = Pulled(seed % 4 == 0 ? Fixture.cbr.format : Self.output)
        let rate = pulled.ring.format.sampleRate
        var lengths: [UInt32: (frames: Int64, rate: Int)] = [:]
        func open() {
            let fixtures: [Fixture] = seed % 2 == 0 ? [.slow, .cbr, .mono, .slowMono] : [.slow]
            guard let fixture = fixtures.randomElement(using: &random) else { return }
            let frames = Int64.random(in: 1...[3, 40, 9000][Int.random(in: 0..<3, using: &random)], using: &random)
            let id = UInt32(lengths.count)
            lengths[id] = (frames, fixture.format.sampleRate)
            pulled.open(id, fixture, 0..<frames)
        }
        for _ in 0..<4 { open() }
        var order: [UInt32] = []
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...12, using: &random) { _ = pulled.queue.step() }
            pulled.pull(Int.random(in: 0...2500, using: &random))
            if let last = pulled.runs.last?.run.generation, Int.random(in: 0..<4, using: &random) == 0 {
                let later = pulled.queue.items.filter { $0.generation > last }
                if let first = later.randomElement(using: &random) { _ = pulled.queue.splice(from: first.generation) }
            }
            if pulled.queue.openedAhead.count < 3 { open() }
        }
        pulled.playOut()
        for run in pulled.runs where order.last != run.run.item { order.append(run.run.item) }
        #expect(order == order.sorted() && Set(order).count == order.count)
        for id in order {
            let (stretch, length) = (pulled.stretch(id, from: 0), lengths[id] ?? (0, 1))
            let exact = Double(length.frames) * Double(rate) / Double(length.rate)
            #expect(abs(Double(stretch.frames) - exact) <= 2 && stretch.isUnbroken && stretch.end != nil, "item \(id)")
        }
    }
}
