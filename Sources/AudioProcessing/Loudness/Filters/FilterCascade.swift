// SPDX-License-Identifier: GPL-3.0-or-later

/// Two second-order sections in series, applied to each channel of interleaved audio, in Float64 (transposed direct
/// form II).
///
/// Channels are processed in pairs, one channel in each lane of a vector. If the number of channels is odd, the second
/// lane of the last pair repeats the first.
struct FilterCascade: Sendable {
    /// The memory of both sections for one pair of channels.
    private struct Memory: Sendable {
        var first = SIMD2<Double>()
        var second = SIMD2<Double>()
        var third = SIMD2<Double>()
        var fourth = SIMD2<Double>()

        /// Clears values far below the resolution of the samples. Arithmetic with subnormal numbers is slow.
        mutating func clearSubnormals() {
            first = Self.normal(first)
            second = Self.normal(second)
            third = Self.normal(third)
            fourth = Self.normal(fourth)
        }

        private static func normal(_ values: SIMD2<Double>) -> SIMD2<Double> {
            values.replacing(with: 0, where: values .< 1e-30 .& values .> -1e-30)
        }
    }

    let channels: Int
    private let first: Biquad
    private let second: Biquad
    private var memories: [Memory]

    init(_ first: AnalogSection, _ second: AnalogSection, sampleRate: Int, channels: Int) {
        self.channels = channels
        self.first = first.digital(sampleRate: Double(sampleRate))
        self.second = second.digital(sampleRate: Double(sampleRate))
        memories = Array(repeating: Memory(), count: (channels + 1) / 2)
    }

    /// The number of pairs of channels.
    var pairs: Int { memories.count }

    /// Returns the two channels of a pair.
    func channels(ofPair pair: Int) -> (Int, Int) { (2 * pair, min(2 * pair + 1, channels - 1)) }

    /// Returns a value per channel as lanes; 0 in a lane that repeats another.
    func lanes(_ values: [Double]) -> [SIMD2<Double>] {
        (0..<pairs).map { pair in
            let (left, right) = channels(ofPair: pair)
            return SIMD2(values[left], left == right ? 0 : values[right])
        }
    }

    /// Filters one pair of channels, and passes each frame's number and filtered samples to `body`.
    /// - Parameter samples: `frames × channels` finite samples.
    @inline(__always)
    mutating func filter(
        _ samples: UnsafePointer<Float>, frames: Int, pair: Int, _ body: (Int, SIMD2<Double>) -> Void
    ) {
        let (one, other) = (first, second)
        let (left, right) = channels(ofPair: pair)
        var memory = memories[pair]
        var frame = 0
        while frame < frames {
            let start = frame &* channels
            let input = SIMD2(Double(samples[start &+ left]), Double(samples[start &+ right]))
            let middle = one.b0 * input + memory.first
            memory.first = one.b1 * input - one.a1 * middle + memory.second
            memory.second = one.b2 * input - one.a2 * middle
            let output = other.b0 * middle + memory.third
            memory.third = other.b1 * middle - other.a1 * output + memory.fourth
            memory.fourth = other.b2 * middle - other.a2 * output
            body(frame, output)
            frame &+= 1
        }
        memories[pair] = memory
    }

    /// Clears subnormal numbers. The caller decides when, because the results depend on it.
    mutating func clearSubnormals() {
        for pair in memories.indices { memories[pair].clearSubnormals() }
    }

    /// Forgets the previous samples.
    mutating func reset() {
        for pair in memories.indices { memories[pair] = Memory() }
    }
}
