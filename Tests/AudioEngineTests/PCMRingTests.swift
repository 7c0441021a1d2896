// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

private let stereo = AudioFormat(sampleRate: 44_100, channels: 2)

/// Writes a run of `frames` frames; the samples of frame n are ±n.
private func write(_ ring: PCMRing, _ run: FrameRun) -> Bool {
    let samples = (0..<Int64(run.frames)).flatMap { offset -> [Float] in
        let value = Float(run.sourceFrame + offset)
        return [value, -value]
    }
    return samples.withUnsafeBufferPointer { ring.write($0, as: run) }
}

private func run(
    _ sourceFrame: Int64, _ frames: Int32, _ mark: FrameRun.Mark = [], generation: UInt32 = 0
) -> FrameRun {
    FrameRun(generation: generation, item: 7, sourceFrame: sourceFrame, frames: frames, mark: mark)
}

/// Returns the rendered samples of the left channel.
private func render(_ ring: PCMRing, _ frames: Int, at outputFrame: Int64 = 0) -> [Float] {
    let output = UnsafeMutablePointer<Float>.allocate(capacity: max(1, frames) * 2)
    defer { output.deallocate() }
    let done = ring.pull(into: output, frames: frames, at: outputFrame)
    return (0..<done).map { output[$0 * 2] }
}

private func rendered(_ ring: PCMRing) -> [RenderedRun] {
    Array(sequence(state: ring) { $0.nextRendered() })
}

@Suite("PCMRing") struct PCMRingTests {
    @Test(
        "The capacity is rounded up to a power of two", arguments: [(1, 1), (2, 2), (3, 4), (1000, 1024), (4096, 4096)])
    func capacity(asked: Int, got: Int) {
        #expect(PCMRing(format: stereo, capacity: asked).capacity == got)
    }

    @Test("A run is rendered in parts; only the first part has the first mark and only the last part the last mark")
    func partsAndMarks() {
        let ring = PCMRing(format: stereo, capacity: 16)
        #expect(write(ring, run(100, 5, [.first, .last])))
        #expect(render(ring, 2, at: 40) == [100, 101])
        #expect(render(ring, 2, at: 42) == [102, 103])
        #expect(render(ring, 9, at: 44) == [104])
        #expect(rendered(ring) == [
            RenderedRun(run: run(100, 2, .first), outputFrame: 40), RenderedRun(run: run(102, 2), outputFrame: 42),
            RenderedRun(run: run(104, 1, .last), outputFrame: 44),
        ])
    }

    @Test("An empty run passes through with its mark, even after a full output")
    func emptyRun() {
        let ring = PCMRing(format: stereo, capacity: 16)
        #expect(write(ring, run(0, 3)))
        #expect(write(ring, run(3, 0, .last)))
        #expect(render(ring, 3, at: 10).count == 3)
        #expect(rendered(ring).last == RenderedRun(run: run(3, 0, .last), outputFrame: 13))
    }

    @Test("A run that does not fit is refused as a whole and fits once there is space; samples wrap around the end")
    func fullAndWrapping() {
        let ring = PCMRing(format: stereo, capacity: 8)
        #expect(write(ring, run(0, 6)))
        #expect(!write(ring, run(6, 3)))
        #expect((ring.readableFrames, ring.writableFrames) == (6, 2))
        #expect(render(ring, 4) == [0, 1, 2, 3])
        #expect(write(ring, run(6, 6)))
        #expect(render(ring, 100) == [4, 5, 6, 7, 8, 9, 10, 11])
        #expect(render(ring, 100) == [])
    }

    @Test("A full descriptor ring refuses a run even if its samples fit")
    func descriptorsFull() {
        let ring = PCMRing(format: stereo, capacity: 64, runs: 2)
        #expect(write(ring, run(0, 1)) && write(ring, run(1, 1)))
        #expect(!write(ring, run(2, 1)))
        #expect(render(ring, 1) == [0])
        #expect(write(ring, run(2, 1)))
    }

    @Test("If rendered runs are not collected, render returns fewer frames and loses none")
    func renderedFull() {
        let ring = PCMRing(format: stereo, capacity: 64, renderedRuns: 2)
        for frame in 0..<5 { #expect(write(ring, run(Int64(frame), 1))) }
        #expect(render(ring, 10) == [0, 1])
        #expect(render(ring, 10, at: 2) == [])
        #expect(rendered(ring).count == 2)
        #expect(render(ring, 10, at: 2) == [2, 3])
        _ = rendered(ring)
        #expect(render(ring, 10, at: 4) == [4])
        #expect(rendered(ring) == [RenderedRun(run: run(4, 1), outputFrame: 4)])
    }

    @Test(
        "Discarded runs are never rendered, not even the rest of a started one; the newer generation follows directly")
    func discard() {
        let ring = PCMRing(format: stereo, capacity: 32)
        #expect(write(ring, run(0, 4)) && write(ring, run(4, 4)))
        #expect(render(ring, 2) == [0, 1])
        ring.discard(before: 1)
        #expect(ring.bufferedFrames == 0 && ring.readableFrames == 6)
        #expect(write(ring, run(8, 4)), "a stale run is accepted")
        #expect(ring.readableFrames == 6, "and dropped")
        #expect(write(ring, run(50, 3, .first, generation: 1)))
        #expect(ring.bufferedFrames == 3)
        #expect(render(ring, 10, at: 2) == [50, 51, 52])
        #expect(rendered(ring).map(\.run) == [run(0, 2), run(50, 3, .first, generation: 1)])
    }

    @Test("A pull of no frames frees stale runs, so that the producer has space")
    func renderNothing() {
        let ring = PCMRing(format: stereo, capacity: 8)
        #expect(write(ring, run(0, 8)))
        ring.discard(before: 1)
        #expect(!write(ring, run(0, 8, generation: 1)))
        #expect(render(ring, 0) == [])
        #expect(write(ring, run(0, 8, generation: 1)))
    }

    @Test("The frames written last can be discarded, and the next frames join the ones before without a gap")
    func discardTail() {
        let ring = PCMRing(format: stereo, capacity: 16)
        #expect(write(ring, run(0, 4, generation: 1)) && write(ring, run(4, 2, .last, generation: 1)))
        #expect(write(ring, run(70, 3, .first, generation: 2)) && write(ring, run(80, 3, .first, generation: 3)))
        #expect(render(ring, 2) == [0, 1])
        ring.discardTail(frames: 6, of: 2..<4)
        #expect(ring.bufferedFrames == 4 && ring.readableFrames == 10 && ring.holdsStaleFrames)
        #expect(write(ring, run(90, 2, generation: 3)), "a stale run is accepted")
        #expect(write(ring, run(50, 3, .first, generation: 4)))
        #expect(ring.bufferedFrames == 7)
        #expect(render(ring, 16, at: 2) == [2, 3, 4, 5, 50, 51, 52])
        #expect(ring.bufferedFrames == 0 && ring.readableFrames == 0 && !ring.holdsStaleFrames)
        #expect(rendered(ring).map(\.run) == [
            run(0, 2, generation: 1), run(2, 2, generation: 1), run(4, 2, .last, generation: 1),
            run(50, 3, .first, generation: 4),
        ])
    }

    @Test("A second splice before the first was passed replaces it, and a flush discards everything")
    func discardTwice() {
        let ring = PCMRing(format: stereo, capacity: 16)
        #expect(write(ring, run(0, 4, generation: 1)) && write(ring, run(70, 3, generation: 2)))
        ring.discardTail(frames: 3, of: 2..<3)
        #expect(write(ring, run(80, 3, generation: 3)))
        ring.discardTail(frames: 3, of: 2..<4)
        #expect(ring.bufferedFrames == 4)
        #expect(write(ring, run(90, 2, generation: 4)))
        #expect(ring.bufferedFrames == 6)
        #expect(render(ring, 5) == [0, 1, 2, 3, 90])
        ring.discard(before: 5)
        #expect(ring.bufferedFrames == 0)
        #expect(render(ring, 5) == [] && ring.readableFrames == 0)
    }

    @Test("The rest of a started run that is spliced away is not rendered")
    func discardTaken() {
        let ring = PCMRing(format: stereo, capacity: 16)
        #expect(write(ring, run(0, 2, generation: 1)) && write(ring, run(70, 6, generation: 2)))
        #expect(render(ring, 4) == [0, 1, 70, 71])
        ring.discardTail(frames: 6, of: 2..<3)
        #expect(ring.bufferedFrames == 0)
        #expect(write(ring, run(90, 2, generation: 3)) && ring.bufferedFrames == 2)
        #expect(render(ring, 9) == [90, 91])
    }

    @Test("A discard for an older generation than the last one changes nothing")
    func discardOnlyRises() {
        let ring = PCMRing(format: stereo, capacity: 8)
        ring.discard(before: 5)
        ring.discard(before: 3)
        #expect(write(ring, run(0, 1, generation: 4)) && ring.readableFrames == 0)
    }
}
