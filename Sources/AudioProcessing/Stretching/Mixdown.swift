// SPDX-License-Identifier: GPL-3.0-or-later

/// A mono mix for the analysis of interleaved frames.
struct Mixdown: Sendable {
    private let channels: Int
    private var samples: [Float] = []

    init(channels: Int) { self.channels = channels }

    /// Calls `body` with the mono mix of `input`.
    mutating func withMix(
        of input: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void
    ) {
        if channels == 1 { return body(input) }
        let frames = input.count / channels
        if samples.count < frames { samples = Array(repeating: 0, count: frames) }
        if let input = input.baseAddress { mix(input, frames) }
        samples.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[0..<frames])) }
    }

    private mutating func mix(_ input: UnsafePointer<Float>, _ frames: Int) {
        let channels = channels
        samples.withUnsafeMutableBufferPointer { samples in
            guard let output = samples.baseAddress else { return }
            let done = channels == 2 ? Self.mixStereo(input, frames, to: output) : 0
            for frame in done..<frames {
                let first = frame &* channels
                var others: Float = 0
                for index in (first &+ 1)..<(first &+ channels) { others += input[index] }
                // Half the weight, because two channels of opposite polarity must not cancel.
                output[frame] = input[first] + others * 0.5
            }
        }
    }

    /// Mixes eight frames at a time.
    /// - Returns: the number of frames mixed: `frames`, or up to 7 fewer.
    private static func mixStereo(
        _ input: UnsafePointer<Float>, _ frames: Int, to output: UnsafeMutablePointer<Float>
    ) -> Int {
        var frame = 0
        while frame &+ 8 <= frames {
            let pairs = UnsafeRawPointer(input + frame &* 2).loadUnaligned(as: SIMD16<Float>.self)
            UnsafeMutableRawPointer(output + frame).storeBytes(
                of: pairs.evenHalf + pairs.oddHalf * 0.5, as: SIMD8<Float>.self)
            frame &+= 8
        }
        return frame
    }
}
