// SPDX-License-Identifier: GPL-3.0-or-later

/// A mono mix for the analysis of interleaved frames.
struct Mixdown: Sendable {
    private let channels: Int
    private var samples: [Float] = []

    init(channels: Int) { self.channels = channels }

    /// Calls `body` with the mono mix of `input`.
    mutating func withMix<Result>(
        of input: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Result
    ) -> Result {
        let frames = input.count / channels
        if samples.count < frames { samples = Array(repeating: 0, count: frames) }
        for frame in 0..<frames {
            let first = frame &* channels
            var others: Float = 0
            for index in (first &+ 1)..<(first &+ channels) { others += input[index] }
            // Half the weight, because two channels of opposite polarity must not cancel.
            samples[frame] = input[first] + others * 0.5
        }
        return samples.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[0..<frames])) }
    }
}
