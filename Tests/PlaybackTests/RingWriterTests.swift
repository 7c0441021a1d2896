// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioProcessing
import EarshotTestSupport
import Media
import Testing

@testable import Playback

/// A writer, a ring and a device that takes frames and can give them back.
private final class WriterStage {
    static let format = AudioFormat(sampleRate: 44_100, channels: 1)

    let ring = PCMRing(format: format, capacity: 16_384)
    private(set) var speed = 1.0
    private(set) lazy var writer = RingWriter(ring) { [unowned self] _ in
        ItemSound(settings: SoundSettings(speed: speed))
    }
    /// The runs that the device has, in order.
    private(set) var runs: [RenderedRun] = []
    private(set) var samples: [Float] = []
    private(set) var timeline = RenderedTimeline()
    /// The number of frames that were heard, and that no longer can be given back.
    private(set) var heard = 0

    /// Lets the device take up to `frames` frames.
    func pull(_ frames: Int) {
        let block = [Float](unsafeUninitializedCapacity: frames) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = ring.pull(into: start, frames: frames, at: Int64(samples.count))
        }
        samples += block
        while let run = ring.nextRendered() {
            runs.append(run)
            timeline.append(run)
        }
    }

    /// Lets the device play `frames` more of the frames that it took.
    func hear(_ frames: Int) {
        heard = min(samples.count, heard + frames)
        _ = timeline.advance(toHeard: Int64(heard))
        if let place = timeline.position(at: Int64(heard)) { writer.forget(before: place) }
    }

    /// Changes the speed: the device gives back all but `kept` of the frames that were not heard.
    func change(to speed: Double, keeping kept: Int) {
        self.speed = speed
        let next = min(samples.count, heard + kept)
        let place = timeline.position(at: Int64(next))
        let isTakenBack = next < samples.count
        timeline.discard(from: Int64(next))
        writer.replay(from: place, fadingFrom: isTakenBack ? [] : ring.nextSamples(350))
        samples.removeLast(samples.count - next)
        runs.removeAll { $0.outputFrame >= next }
        if let last = runs.indices.last {
            let kept = min(Int(runs[last].run.frames), next - Int(runs[last].outputFrame))
            runs[last].run = runs[last].run.part(from: 0, count: kept)
        }
        writer.advance()
    }

    /// Plays everything that was written.
    func finish() {
        repeat {
            pull(4096)
            hear(4096)
        } while !writer.advance() || ring.bufferedFrames > 0 || heard < samples.count
        pull(1)
    }
}

/// The samples of frames: a tone whose frequency rises.
private func tone(_ frames: Range<Int64>) -> [Float] {
    frames.map { frame in
        let time = Double(frame) / 44_100
        return Float(0.4 * sine(time * (200 + 100 * time)))
    }
}

/// Approximates the sine of `turns` full turns by a parabola, which is enough for a test sound.
private func sine(_ turns: Double) -> Double {
    let part = 2 * (turns - turns.rounded(.down)) - 1
    return -4 * part * (1 - abs(part))
}

@Suite("RingWriter")
struct RingWriterTests {
    private static let length: Int64 = 120_000
    /// The samples of an item, computed once.
    private static let item = tone(0..<length)

    /// Writes two items in blocks of random lengths, while `act` plays and changes settings.
    private func write(_ stage: WriterStage, seed: UInt64, act: (inout SeededGenerator) -> Void) {
        var random = SeededGenerator(seed: seed)
        for item in 0..<2 as Range<UInt32> {
            var frame: Int64 = 0
            while frame <= Self.length {
                let count =
                    frame == Self.length ? 0 : min(Int64.random(in: 1...2304, using: &random), Self.length - frame)
                let run = FrameRun(
                    generation: item, item: item, sourceFrame: frame, frames: Int32(count),
                    mark: count == 0 ? .last : frame == 0 ? .first : [])
                let samples = Self.item[Int(frame)..<Int(frame + count)]
                while !samples.withUnsafeBufferPointer({ stage.writer.write($0, as: run) }) { act(&random) }
                if count == 0 { break }
                frame += count
            }
        }
        stage.finish()
    }

    /// Checks that the runs cover both items from the first to the last frame, without a gap or a repetition.
    private func expectWhole(_ runs: [RenderedRun]) {
        var next: (item: UInt32, frame: Int64) = (0, 0)
        var wrong: [FrameRun] = []
        for run in runs.map(\.run) {
            if run.item != next.item || run.sourceFrame != next.frame { wrong.append(run) }
            next = run.mark.contains(.last) ? (run.item + 1, 0) : (run.item, run.sourceFrame + Int64(run.sourceFrames))
            if run.mark.contains(.last), run.sourceFrame != Self.length { wrong.append(run) }
        }
        #expect(wrong.isEmpty && next == (2, 0), "\(wrong.prefix(3)), ends at \(next)")
        #expect(runs.filter { $0.run.mark.contains(.first) }.map(\.run.item) == [0, 1])
        #expect(runs.filter { $0.run.mark.contains(.last) }.map(\.run.item) == [0, 1])
    }

    @Test("With default settings, the samples and the runs pass unchanged")
    func unprocessed() {
        let stage = WriterStage()
        write(stage, seed: 1) { _ in
            stage.pull(3000)
            stage.hear(2500)
        }
        #expect(identical(stage.samples, Self.item + Self.item))
        expectWhole(stage.runs)
    }

    @Test("Frames taken back and written again are the same frames, wherever the device stopped", arguments: 0..<20)
    func replayedUnchanged(seed: UInt64) {
        let stage = WriterStage()
        write(stage, seed: seed) { random in
            stage.pull(.random(in: 1...4000, using: &random))
            stage.hear(.random(in: 1...4000, using: &random))
            if Bool.random(using: &random) { stage.change(to: 1, keeping: .random(in: 0...3000, using: &random)) }
        }
        #expect(identical(stage.samples, Self.item + Self.item))
        expectWhole(stage.runs)
    }

    @Test(
        "Random changes of the speed neither lose nor repeat a source frame, and do not click",
        arguments: 0..<LongTests.size(6 as UInt64, inFull: 20))
    func changedAtRandom(seed: UInt64) {
        let stage = WriterStage()
        write(stage, seed: seed) { random in
            stage.pull(.random(in: 1...4000, using: &random))
            stage.hear(.random(in: 1...4000, using: &random))
            guard Int.random(in: 0..<4, using: &random) == 0 else { return }
            let speeds: [Double] = [0.5, 0.8, 1, 1.5, 2, 3.5]
            let speed = speeds[Int.random(in: 0..<speeds.count, using: &random)]
            stage.change(to: speed, keeping: .random(in: 0...3000, using: &random))
        }
        expectWhole(stage.runs)
        // Each source frame was heard once, although many were processed several times.
        let played = stage.timeline.played
        #expect(played.mapValues(\.source) == [0: Self.length, 1: Self.length])
        #expect(played.values.reduce(0) { $0 + $1.output } == Int64(stage.samples.count))
    }

    /// Writes the frames of one item from 0 on, as one run.
    /// - Returns: false if the writer did not accept them.
    private func write(_ frames: Int, to stage: WriterStage) -> Bool {
        let run = FrameRun(generation: 0, item: 0, sourceFrame: 0, frames: Int32(frames), mark: .first)
        return tone(0..<Int64(frames)).withUnsafeBufferPointer { stage.writer.write($0, as: run) }
    }

    @Test("At any speed, the frames of a shorter version are counted from its own start and follow all of those before",
        arguments: [0.5, 1, 2])
    func shorterVersion(speed: Double) {
        let stage = WriterStage()
        stage.change(to: speed, keeping: 0)
        let parts = [(version: 0, frames: 0..<20_000), (version: 1, frames: 5000..<25_000)] as [(UInt16, Range<Int64>)]
        for (version, frames) in parts {
            for start in stride(from: frames.lowerBound, to: frames.upperBound, by: 1000) {
                let run = FrameRun(
                    generation: 0, item: 0, version: version, sourceFrame: start, frames: 1000,
                    mark: version == 0 && start == 0 ? .first : [])
                let samples = tone(start..<start + 1000)
                while !samples.withUnsafeBufferPointer({ stage.writer.write($0, as: run) }) {
                    stage.pull(3000)
                    stage.hear(2500)
                }
            }
        }
        let end = FrameRun(generation: 0, item: 0, version: 1, sourceFrame: 25_000, frames: 0, mark: .last)
        while !stage.writer.write(UnsafeBufferPointer(start: nil, count: 0), as: end) { stage.pull(3000) }
        stage.finish()

        var next = (version: 0 as UInt16, frame: 0 as Int64)
        for run in stage.runs.map(\.run) where run.frames > 0 {
            if run.version > next.version, next.frame == 20_000 { next = (1, 5000) }
            #expect(run.version == next.version && run.sourceFrame == next.frame)
            next.frame += Int64(run.sourceFrames)
        }
        #expect(next == (1, 25_000))
    }

    @Test("Frames that are left out of one version are played in the one before, which numbers others so")
    func editedVersion() {
        let stage = WriterStage()
        let edits = [FrameNumbering(generation: 0, version: 1): PlaybackEdits(cuts: [6000..<7000])]
        _ = stage.writer.setEdits(edits, after: nil)
        for version in 0..<2 as Range<UInt16> {
            let run = FrameRun(
                generation: 0, item: 0, version: version, sourceFrame: 5000, frames: 3000,
                mark: version == 0 ? .first : [])
            #expect(tone(5000..<8000).withUnsafeBufferPointer { stage.writer.write($0, as: run) })
        }
        stage.finish()
        #expect(stage.timeline.played[0]?.source == 5000)
        let old = stage.runs.map(\.run).filter { $0.version == 0 }
        #expect(old.reduce(0) { $0 + Int($1.sourceFrames) } == 3000)
    }

    @Test("A run that is longer than the ring is written as the device plays")
    func longRun() {
        let stage = WriterStage()
        #expect(write(40_000, to: stage))
        stage.finish()
        #expect(stage.samples == tone(0..<40_000))
        #expect(stage.runs.filter { $0.run.mark == .first }.map(\.run.sourceFrame) == [0])
    }

    @Test("While the device is stopped, any number of changes leaves frames for it in the ring")
    func changedWhileStopped() {
        let stage = WriterStage()
        #expect(write(16_384, to: stage))
        for speed in [1.5, 2, 0.5, 1] {
            stage.change(to: speed, keeping: 0)
            #expect(stage.ring.bufferedFrames > 4000)
        }
        stage.finish()
        #expect(stage.samples.count == 16_384)
        // The first frames fade in from those at the speed before.
        #expect(Array(stage.samples.dropFirst(350)) == tone(350..<16_384))
    }

    @Test("A change after all frames so far were heard repeats none of them")
    func changedWhileStarved() {
        let stage = WriterStage()
        #expect(write(5000, to: stage))
        stage.pull(8000)
        stage.hear(4000)
        stage.hear(1000)
        stage.change(to: 1.5, keeping: 0)
        #expect(stage.ring.bufferedFrames == 0)
        stage.finish()
        #expect(stage.samples == tone(0..<5000))
    }
}
