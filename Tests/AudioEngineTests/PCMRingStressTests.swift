// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Synchronization
import Testing

@Suite("PCMRing between two threads") struct PCMRingStressTests {
    @Test("Every sample and mark is rendered once and in order, for any sizes", arguments: [1, 2, 3] as [UInt64])
    func samplesInOrder(seed: UInt64) async {
        let ring = PCMRing(format: AudioFormat(sampleRate: 8000, channels: 1), capacity: 256, runs: 16)
        let written = plan(seed: seed, frames: 60_000)
        let producer = Task.detached { await Self.produce(written, into: ring) }
        var consumer = Consumer(ring: ring, seed: seed &+ 100)
        while consumer.frames < 60_000 { await consumer.step() }
        await producer.value
        consumer.takeRendered()
        #expect(consumer.firstWrongFrame == nil)
        #expect(consumer.marks == written.filter { !$0.mark.isEmpty }.flatMap { run in
            [FrameRun.Mark.first, .last].filter(run.mark.contains).map { "\($0.rawValue) of \(run.item)" }
        })
        #expect(consumer.isContiguous)
        #expect(ring.readableFrames == 0)
    }

    @Test("Samples spliced away or flushed are never rendered after a later frame, and all other samples are kept",
        arguments: [7, 8, 9] as [UInt64])
    func discards(seed: UInt64) async {
        let ring = PCMRing(format: AudioFormat(sampleRate: 8000, channels: 1), capacity: 128)
        let isDone = SharedFlag()
        let producer = Task.detached { await Self.splice(into: ring, seed: seed, isDone) }
        var generator = SeededGenerator(seed: seed &+ 1)
        var heard: [Float] = []
        while true {
            let wasDone = isDone.value.load(ordering: .acquiring)
            let output = [Float](unsafeUninitializedCapacity: 64) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                count = ring.pull(into: start, frames: Int.random(in: 0...64, using: &generator), at: 0)
            }
            heard += output
            while ring.nextRendered() != nil {}
            if wasDone, ring.readableFrames == 0 { break }
            if output.isEmpty { await Task.yield() }
        }
        let kept = await producer.value
        // A stale run may be rendered before it becomes stale, but never after samples written later.
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Set(kept).isSubset(of: heard))
        #expect(ring.bufferedFrames == 0)
    }

    /// Writes ascending numbers in 300 rounds: some of a generation that stays, some of one that is spliced away.
    /// - Returns: The numbers that must be rendered.
    private static func splice(into ring: PCMRing, seed: UInt64, _ isDone: SharedFlag) async -> [Float] {
        var generator = SeededGenerator(seed: seed)
        var (kept, next): ([Float], Float) = ([], 0)
        for round in UInt32(0)..<300 {
            for (generation, isKept) in [(2 * round, true), (2 * round + 1, false)] {
                let samples = (0..<Int.random(in: 1...40, using: &generator)).map { next + Float($0) }
                next += Float(samples.count)
                if isKept { kept += samples }
                let run = FrameRun(
                    generation: generation, item: 0, sourceFrame: 0, frames: Int32(samples.count))
                while !samples.withUnsafeBufferPointer({ ring.write($0, as: run) }) { await Task.yield() }
                guard !isKept else { continue }
                while ring.holdsStaleFrames { await Task.yield() }
                ring.discardTail(frames: samples.count, of: generation..<generation + 1)
            }
        }
        isDone.value.store(true, ordering: .releasing)
        return kept
    }
}

private final class SharedFlag: Sendable {
    let value = Atomic<Bool>(false)
}

extension PCMRingStressTests {
    /// Returns contiguous runs of 0 to 100 frames with random marks, each of a different item.
    private func plan(seed: UInt64, frames: Int64) -> [FrameRun] {
        var generator = SeededGenerator(seed: seed)
        var runs: [FrameRun] = []
        var next: Int64 = 0
        while next < frames {
            let count = min(Int64.random(in: 0...100, using: &generator), frames - next)
            let mark = FrameRun.Mark(rawValue: UInt8.random(in: 0...3, using: &generator))
            runs.append(
                FrameRun(
                    generation: 0, item: UInt32(runs.count), sourceFrame: next, frames: Int32(count), mark: mark))
            next += count
        }
        return runs
    }

    private static func produce(_ runs: [FrameRun], into ring: PCMRing) async {
        for run in runs {
            let samples = (0..<Int64(run.frames)).map { Float(run.sourceFrame + $0) }
            while !samples.withUnsafeBufferPointer({ ring.write($0, as: run) }) { await Task.yield() }
        }
    }

    private struct Consumer {
        let ring: PCMRing
        var generator: SeededGenerator
        var frames: Int64 = 0
        var firstWrongFrame: Int64?
        var marks: [String] = []
        var isContiguous = true
        private var nextOutput: Int64 = 0

        init(ring: PCMRing, seed: UInt64) {
            self.ring = ring
            generator = SeededGenerator(seed: seed)
        }

        mutating func step() async {
            let asked = Int.random(in: 0...200, using: &generator)
            let got = withUnsafeTemporaryAllocation(of: Float.self, capacity: 200) { output in
                guard let start = output.baseAddress else { return 0 }
                let done = ring.pull(into: start, frames: asked, at: frames)
                for index in 0..<done where start[index] != Float(frames + Int64(index)) && firstWrongFrame == nil {
                    firstWrongFrame = frames + Int64(index)
                }
                return done
            }
            frames += Int64(got)
            takeRendered()
            if got == 0 { await Task.yield() }
        }

        mutating func takeRendered() {
            while let part = ring.nextRendered() {
                isContiguous = isContiguous && part.outputFrame == nextOutput && part.run.sourceFrame == nextOutput
                nextOutput += Int64(part.run.frames)
                for mark in [FrameRun.Mark.first, .last] where part.run.mark.contains(mark) {
                    marks.append("\(mark.rawValue) of \(part.run.item)")
                }
            }
        }
    }
}
