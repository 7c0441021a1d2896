// SPDX-License-Identifier: GPL-3.0-or-later

/// The sound of splices, by linear crossfades: in speech they are heard less than raised cosines.
struct SpliceRenderer: Sendable {
    private let channels: Int
    /// Interleaved frames of one splice.
    private var samples: [Float]

    /// - Parameter longest: the greatest number of frames that a splice produces.
    init(longest: Int, channels: Int) {
        self.channels = channels
        samples = Array(repeating: 0, count: longest * channels)
    }

    /// Appends the output of `splice` at the start of `input` to `output`.
    ///
    /// The frames before `start` that are not played again are copies with their own pieces. One more piece
    /// represents the rest of the consumed frames.
    mutating func append(_ splice: Splice, of input: borrowing MappedAudio, to output: inout MappedAudio) {
        let copied = min(splice.start, splice.consumed)
        output.append(first: copied, of: input)
        let source = input.sourceFrame(at: copied)
        let piece = MappedAudio.Piece(
            sourceFrame: source, sourceFrames: Int(input.sourceFrame(at: splice.consumed) - source),
            frames: splice.produced - copied,
            cutFrames: input.cutFrames(before: splice.consumed) - input.cutFrames(before: copied))
        input.withSamples { render(splice, from: copied, of: $0.baseAddress!) }
        samples.withUnsafeBufferPointer {
            output.append(UnsafeBufferPointer(rebasing: $0[0..<(piece.frames * channels)]), as: piece)
        }
    }

    private mutating func render(_ splice: Splice, from first: Int, of input: UnsafePointer<Float>) {
        let channels = channels
        let old = input + first * channels
        let new = input + (splice.target + first - splice.start) * channels
        let head = splice.start - first
        samples.withUnsafeMutableBufferPointer { samples in
            for index in 0..<(head * channels) { samples[index] = old[index] }
            let first = head * channels
            let done = Self.fade(
                old + first, new + first, frames: splice.fade, channels, to: samples.baseAddress! + first)
            let slope = 1 / Float(splice.fade)
            for frame in done..<splice.fade {
                let weight = (Float(frame) + 0.5) * slope
                let start = (head &+ frame) &* channels
                for index in start..<(start &+ channels) {
                    samples[index] = old[index] + (new[index] - old[index]) * weight
                }
            }
        }
    }

    /// Fades one or two channels, eight samples at a time.
    /// - Returns: the number of frames done: `frames`, or up to 7 fewer; 0 for more channels.
    private static func fade(
        _ old: UnsafePointer<Float>, _ new: UnsafePointer<Float>, frames: Int, _ channels: Int,
        to output: UnsafeMutablePointer<Float>
    ) -> Int {
        guard channels <= 2 else { return 0 }
        let steps: SIMD8<Float> =
            channels == 1 ? [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5] : [0.5, 0.5, 1.5, 1.5, 2.5, 2.5, 3.5, 3.5]
        let slope = 1 / Float(frames)
        var frame = 0
        while frame &+ 8 / channels <= frames {
            let weight = (steps + Float(frame)) * slope
            let (from, target) = ((old + frame &* channels).vector, (new + frame &* channels).vector)
            UnsafeMutableRawPointer(output + frame &* channels).storeBytes(
                of: from + (target - from) * weight, as: SIMD8<Float>.self)
            frame &+= 8 / channels
        }
        return frame
    }
}
