// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The energy of interleaved PCM in the band of speech, 120…7000 Hz.
///
/// The channels are spread over four signals, so that two channels of opposite polarity do not cancel each other.
struct SpeechBand: Sendable {
    /// The end of the signal.
    private(set) var tail: SignalTail
    /// The whole band of the sound since the last call of `removeMono`, in one channel.
    private(set) var mono: MonoSignal
    private let channels: Int
    private let highPass: Float
    private let lowPass: Float
    private var slow = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    private var smooth = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    private var energy = SIMD4<Float>.zero

    init(rate: Int, channels: Int) {
        self.channels = channels
        // Two filters of one pole each attenuate the limits of the band by 3 dB together.
        highPass = Float(1 - exp(-2 * .pi * 77 / Double(rate)))
        lowPass = Float(1 - exp(-2 * .pi * 10900 / Double(rate)))
        tail = SignalTail(rate: rate)
        mono = MonoSignal(rate: rate)
    }

    /// Adds `frames × channels` samples.
    mutating func add(_ samples: UnsafePointer<Float>, frames: Int) {
        let channels = channels
        switch channels {
        case 1: add(frames) { SIMD4(samples[$0], 0, 0, 0) }
        case 2: add(frames) { SIMD4(samples[2 &* $0], samples[2 &* $0 &+ 1], 0, 0) }
        case 3: add(frames) { SIMD4(samples[3 &* $0], samples[3 &* $0 &+ 1], samples[3 &* $0 &+ 2], 0) }
        default: add(frames) { Self.sum(samples + $0 &* channels, channels) }
        }
    }

    /// Returns the sum of the groups of four channels. The last group may overlap the one before it.
    @inline(__always)
    private static func sum(_ frame: UnsafePointer<Float>, _ channels: Int) -> SIMD4<Float> {
        var sum = UnsafeRawPointer(frame + (channels - 4)).loadUnaligned(as: SIMD4<Float>.self)
        var channel = 0
        while channel < channels - 4 {
            sum += UnsafeRawPointer(frame + channel).loadUnaligned(as: SIMD4<Float>.self)
            channel &+= 4
        }
        return sum
    }

    @inline(__always)
    private mutating func add(_ frames: Int, _ sample: (Int) -> SIMD4<Float>) {
        // An offset keeps denormal numbers, which are slow, out of the filters.
        let offset: Float = 1e-15
        for frame in 0..<frames {
            let input = sample(frame) + offset
            slow.0 += highPass * (input - slow.0)
            let once = input - slow.0 + offset
            slow.1 += highPass * (once - slow.1)
            smooth.0 += lowPass * (once - slow.1 + offset - smooth.0)
            smooth.1 += lowPass * (smooth.0 - smooth.1)
            energy += smooth.1 * smooth.1
            tail.add(smooth.1)
            mono.add(input)
        }
    }

    /// Returns the energy of the sound since the last call, or nil if it is not a finite number.
    mutating func takeEnergy() -> Float? {
        let taken = energy.sum()
        energy = .zero
        guard !taken.isFinite else { return taken }
        reset()
        return nil
    }

    mutating func removeMono() { mono.removeSamples() }

    mutating func reset() {
        slow = (.zero, .zero)
        smooth = (.zero, .zero)
        energy = .zero
        tail.reset()
        mono.reset()
    }
}
