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
            let output = UnsafeMutableBufferPointer(rebasing: samples[..<frames])
            if channels == 2 { return input.sumPairs(weight: Self.weight, to: output) }
            for frame in 0..<frames {
                let first = frame &* channels
                var others: Float = 0
                for index in (first &+ 1)..<(first &+ channels) { others += input[index] }
                output[frame] = input[first] + others * Self.weight
            }
        }
    }

    /// The weight of all channels but the first: two channels of opposite polarity must not cancel.
    private static let weight: Float = 0.5
}

extension UnsafePointer<Float> {
    /// Writes the sums of the samples 0 and 1, 2 and 3, and so on, until `sums` is full.
    /// - Parameter weight: the weight of the second sample of each pair.
    func sumPairs(weight: Float, to sums: UnsafeMutableBufferPointer<Float>) {
        guard let output = sums.baseAddress else { return }
        var index = 0
        while index &+ 8 <= sums.count {
            let pairs = UnsafeRawPointer(self + index &* 2).loadUnaligned(as: SIMD16<Float>.self)
            UnsafeMutableRawPointer(output + index).storeBytes(
                of: pairs.evenHalf + pairs.oddHalf * weight, as: SIMD8<Float>.self)
            index &+= 8
        }
        while index < sums.count {
            output[index] = self[index &* 2] + self[index &* 2 &+ 1] * weight
            index &+= 1
        }
    }
}
