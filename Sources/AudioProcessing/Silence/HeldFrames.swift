// SPDX-License-Identifier: GPL-3.0-or-later

/// Frames that are held back. The source frames are consecutive, except for one range that may be missing.
struct HeldFrames: Sendable {
    private let channels: Int
    private var samples: [Float] = []
    /// The number of samples at the front that were released.
    private var taken = 0
    /// The first source frame.
    private(set) var start: Int64 = 0
    /// The number of missing source frames.
    private var missing = 0

    init(channels: Int) { self.channels = channels }

    private var frames: Int { (samples.count - taken) / channels }
    /// The source frame that follows the last one.
    var end: Int64 { start + Int64(frames + missing) }
    /// True if no source frame is missing.
    var isComplete: Bool { missing == 0 }

    /// Removes all frames; the next one is source frame `frame`.
    mutating func removeAll(next frame: Int64) {
        samples.removeAll(keepingCapacity: true)
        (taken, start, missing) = (0, frame, 0)
    }

    mutating func append(_ more: UnsafeBufferPointer<Float>) { samples.append(contentsOf: more) }

    /// Moves the frames before source frame `frame` to `output`.
    mutating func release(before frame: Int64, into output: inout MappedAudio) {
        let count = min(Int(frame - start), frames)
        guard count > 0 else { return }
        let piece = MappedAudio.Piece(sourceFrame: start, sourceFrames: count, frames: count)
        move(at: 0, as: piece, into: &output)
    }

    /// Removes the frames from source frame `from` to source frame `to`, which a cut will omit. Does so seldom, because
    /// it moves the frames after them.
    /// - Precondition: until the cut, all calls state the same `from`.
    mutating func omit(from: Int64, to: Int64) {
        guard Int(to - from) - missing > frames / 2 else { return }
        let first = taken + Int(from - start) * channels
        samples.removeSubrange(first..<first + (Int(to - from) - missing) * channels)
        missing = Int(to - from)
    }
}

// MARK: Cut
extension HeldFrames {
    /// Moves the frames before source frame `from` to `output`, then a fade of `fade` frames from there to source frame
    /// `to`. The frame in its middle represents the missing source frames, too.
    /// - Parameter correlation: the correlation of both sides, 0…1; the fade keeps the power constant.
    mutating func cut(from: Int64, to: Int64, fade: Int, correlation: Float, into output: inout MappedAudio) {
        release(before: from, into: &output)
        let offset = frames - Int(end - to)
        blend(offset, count: fade, correlation)
        missing = 0
        // The position passes over the cut where the new sound becomes louder than the old one.
        let (half, cut) = (fade / 2, Int(to - from))
        let pieces: [MappedAudio.Piece] = [
            .init(sourceFrame: from, sourceFrames: half, frames: half),
            .init(sourceFrame: from + Int64(half), sourceFrames: cut + 1, frames: 1, cutFrames: cut),
            .init(sourceFrame: to + Int64(half) + 1, sourceFrames: fade - half - 1, frames: fade - half - 1),
        ]
        for (index, piece) in pieces.enumerated() where piece.frames > 0 {
            move(at: index == 0 ? offset : 0, as: piece, into: &output)
        }
    }

    /// Blends the first frames into the frames at `offset`.
    private mutating func blend(_ offset: Int, count: Int, _ correlation: Float) {
        for frame in 0..<count {
            let time = (Float(frame) + 0.5) / Float(count)
            let power = time * time * (3 - 2 * time)
            let gains = (old: (1 - power).squareRoot(), new: power.squareRoot())
            let scale = 1 / (1 + 2 * correlation * gains.old * gains.new).squareRoot()
            for channel in 0..<channels {
                let old = samples[taken + frame * channels + channel]
                let index = taken + (offset + frame) * channels + channel
                samples[index] = scale * (gains.old * old + gains.new * samples[index])
            }
        }
    }

    private mutating func move(at offset: Int, as piece: MappedAudio.Piece, into output: inout MappedAudio) {
        let range = taken + offset * channels..<taken + (offset + piece.frames) * channels
        samples.withUnsafeBufferPointer { output.append(UnsafeBufferPointer(rebasing: $0[range]), as: piece) }
        taken = range.upperBound
        start += Int64(piece.sourceFrames)
        // Moving the rest costs time in proportion to it, so it is done seldom.
        guard taken * 2 >= samples.count else { return }
        samples.removeFirst(taken)
        taken = 0
    }

    /// Returns the source frame in `range` from which `count` frames are most similar to those from source frame `to`,
    /// and their normalized correlation; `middle` and 0 if none are similar.
    func bestMatch(
        in range: ClosedRange<Int64>, middle: Int64, to: Int64, count: Int, step: Int
    ) -> (frame: Int64, correlation: Float) {
        var best = (frame: middle, correlation: Float(0))
        for frame in Swift.stride(from: range.lowerBound, through: range.upperBound, by: step) {
            let correlation = correlation(Int(frame - start), frames - Int(end - to), count: count, step: step)
            if correlation > best.correlation { best = (frame, correlation) }
        }
        return best
    }

    private func correlation(_ one: Int, _ other: Int, count: Int, step: Int) -> Float {
        var (product, first, second) = (Float(0), Float(0), Float(0))
        for frame in stride(from: 0, to: count, by: step) {
            for channel in 0..<channels {
                let left = samples[taken + (one + frame) * channels + channel]
                let right = samples[taken + (other + frame) * channels + channel]
                product += left * right
                first += left * left
                second += right * right
            }
        }
        let power = (first * second).squareRoot()
        return power > 0 ? min(1, product / power) : 0
    }
}
