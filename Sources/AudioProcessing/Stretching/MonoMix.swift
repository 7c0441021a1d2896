// SPDX-License-Identifier: GPL-3.0-or-later

/// The mono mix of interleaved frames that are not consumed yet, and of a few frames before them, for the analysis.
struct MonoMix: Sendable {
    private let channels: Int
    /// The number of samples that are kept before the first frame; silence at the start.
    private let history: Int
    private var samples: [Float]
    /// The index of the first frame.
    private var start: Int
    private var end: Int

    init(channels: Int, history: Int) {
        (self.channels, self.history) = (channels, history)
        samples = Array(repeating: 0, count: history)
        (start, end) = (history, history)
    }

    /// The number of frames.
    var frames: Int { end - start }

    /// Calls `body` with the samples from the first frame on; `history` samples precede them.
    func withSamples<Result>(_ body: (UnsafePointer<Float>) -> Result) -> Result {
        samples.withUnsafeBufferPointer { body($0.baseAddress! + start) }
    }

    /// Appends the mix of interleaved frames.
    mutating func append(_ input: UnsafeBufferPointer<Float>) {
        guard let first = input.baseAddress else { return }
        let frames = input.count / channels
        makeSpace(for: frames)
        let channels = channels
        samples.withUnsafeMutableBufferPointer { samples in
            Self.mix(first, channels, to: UnsafeMutableBufferPointer(rebasing: samples[end..<(end + frames)]))
        }
        end += frames
    }

    /// Removes the first `count` frames.
    mutating func removeFirst(_ count: Int) { start += count }

    /// Removes all frames; silence precedes the next ones.
    mutating func removeAll() {
        for index in 0..<history { samples[index] = 0 }
        (start, end) = (history, history)
    }

    /// Moves the frames to the front if there is no space behind them for `count` more. The array is twice as long as
    /// necessary, so that this happens seldom.
    private mutating func makeSpace(for count: Int) {
        guard end + count > samples.count else { return }
        let kept = (start - history)..<end
        samples.withUnsafeMutableBufferPointer {
            $0.baseAddress?.update(from: $0.baseAddress! + kept.lowerBound, count: kept.count)
        }
        (start, end) = (history, kept.count)
        let needed = (end + count) * 2
        if samples.count < needed { samples += repeatElement(0, count: needed - samples.count) }
    }

    /// The weight of all channels but the first: two channels of opposite polarity must not cancel.
    private static let weight: Float = 0.5

    private static func mix(
        _ input: UnsafePointer<Float>, _ channels: Int, to output: UnsafeMutableBufferPointer<Float>
    ) {
        if channels == 1 { return output.baseAddress!.update(from: input, count: output.count) }
        if channels == 2 { return input.sumPairs(weight: weight, to: output) }
        for frame in output.indices {
            let first = frame &* channels
            var others: Float = 0
            for index in (first &+ 1)..<(first &+ channels) { others += input[index] }
            output[frame] = input[first] + others * weight
        }
    }
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
