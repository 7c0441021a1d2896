// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import TrackReading

@testable import CodecTestSupport

/// The frames that a reader returned, and the way it ended.
struct Reading {
    /// Frames in one format that follow each other.
    struct Run {
        let format: AudioFormat
        /// The number and the time of the first frame.
        let start: Int64
        let time: Duration
        var samples: [Float]

        var frames: Int { samples.count / format.channels }
    }

    private(set) var runs: [Run] = []
    /// The step that ended the reading; `nil` if there were more steps than a reader may need.
    var end: TrackStep?
    /// True if each block followed the one before it, in frames and in time.
    private(set) var isUnbroken = true

    var frames: Int { runs.reduce(0) { $0 + $1.frames } }
    /// The samples of all runs.
    var samples: [Float] { runs.flatMap(\.samples) }
    var time: Duration? { runs.first?.time }

    /// Adds a block.
    mutating func append(_ block: PCMBlock) {
        guard block.frames > 0 else { return }
        isUnbroken = isUnbroken && follows(block.time, block.format)
        guard let nextFrame, runs.last?.format == block.format else {
            return runs.append(
                Run(format: block.format, start: block.start, time: block.time, samples: Array(block.samples)))
        }
        isUnbroken = isUnbroken && block.start == nextFrame
        runs[runs.count - 1].samples += block.samples
    }

    private var nextFrame: Int64? { runs.last.map { $0.start + Int64($0.frames) } }

    /// Returns true if the first frame at `time` is the one after the last frame.
    private func follows(_ time: Duration, _ format: AudioFormat) -> Bool {
        guard let last = runs.last else { return true }
        let end = last.time + last.format.duration(ofFrames: Int64(last.frames))
        return abs((time - end) / .seconds(1)) * Double(format.sampleRate) < 0.5
    }
}

extension TrackReader {
    /// Steps until a step makes no progress, at least `enough` frames are read, or bytes are missing and `supply`
    /// returns false.
    func read(
        enough: Int = .max, steps: Int = 400_000, supply: () -> Bool = { false }
    ) -> Reading {
        var reading = Reading()
        for _ in 0..<steps {
            let step = step()
            reading.append(block)
            block.removeAll()
            if step == .notYetAvailable, supply() { continue }
            reading.end = step
            if step != .progressed || reading.frames >= enough { return reading }
        }
        reading.end = nil
        return reading
    }
}

extension TrackFile {
    func reader(_ source: MemoryByteSource, _ section: TrackSection = TrackSection()) -> any TrackReader {
        TrackFormat.container(kind).makeReader(source, section)
    }

    func reader(_ section: TrackSection = TrackSection()) -> any TrackReader {
        reader(MemoryByteSource(bytes), section)
    }

    /// Returns the frame at a time: the part, and its number in the part.
    func place(at time: Duration) -> (part: Int, frame: Int64, time: Duration) {
        var start = Duration.zero
        for (number, part) in parts.enumerated() {
            if time < start + part.duration || number == parts.count - 1 {
                let frame = part.format.frames(in: time - start)
                return (number, frame, start + part.format.duration(ofFrames: frame))
            }
            start += part.duration
        }
        return (0, 0, .zero)
    }

    /// Returns true if frames read from `time` on equal those of the file, in number, time and samples.
    func matches(_ reading: Reading, from time: Duration, _ accuracy: Accuracy? = nil) -> Bool {
        let place = place(at: time)
        guard reading.isUnbroken, let first = reading.runs.first, first.start == place.frame,
            abs((first.time - place.time) / .nanoseconds(1)) < 100, place.part + reading.runs.count <= parts.count
        else { return false }
        return reading.runs.enumerated().allSatisfy { number, run in
            let part = parts[place.part + number]
            let start = number == 0 ? Int(place.frame) * part.format.channels : 0
            guard run.format == part.format, start + run.samples.count <= part.samples.count else { return false }
            return (accuracy ?? self.accuracy)
                .accepts(run.samples, part.samples[start..<start + run.samples.count])
        }
    }

    /// Returns true if all frames of the file were read.
    func isWhole(_ reading: Reading) -> Bool {
        reading.end == .ended && reading.runs.map(\.samples.count) == parts.map(\.samples.count)
            && matches(reading, from: .zero, .bits)
    }
}
