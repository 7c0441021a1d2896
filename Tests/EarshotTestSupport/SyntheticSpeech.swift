// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A generator of mono sound with the level, rhythm and pitch of speech, and noise of −65 dBFS below it. All lengths
/// are in milliseconds.
public struct SyntheticSpeech: Sendable {
    public let rate: Int
    public private(set) var samples: [Float] = []
    private var seed: UInt64
    private var phase: Float = 0
    private var vowels = 0

    public init(rate: Int = 8000, seed: UInt64 = 1) {
        self.rate = rate
        self.seed = seed
    }

    public var frames: Int64 { Int64(samples.count) }

    private mutating func random() -> Float {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(seed >> 40) / Float(1 << 23) - 1
    }

    /// Adds noise and a signal.
    public mutating func add(
        _ milliseconds: Int, noise: Float = 0.001, _ signal: (_ time: Float) -> Float = { _ in 0 }
    ) {
        for frame in 0..<rate * milliseconds / 1000 {
            samples.append(signal(Float(frame) / Float(rate)) + noise * random())
        }
    }

    /// Adds syllables of 160 ms whose pitch falls, with closures of 40 ms between them. The last one takes the rest.
    public mutating func addWord(_ milliseconds: Int, level: Float = 0.3) {
        for start in stride(from: 0, to: milliseconds, by: 200) {
            if start > 0 { add(40) }
            addVowel(min(160, milliseconds - start), level: level)
        }
    }

    /// Adds a vowel whose last 40 ms are a consonant, which is brighter.
    private mutating func addVowel(_ milliseconds: Int, level: Float) {
        let voiced = vowel(rate * milliseconds / 1000 - rate / 25)
        let scale = level / max(voiced.map(abs).max() ?? 0, 1e-6)
        for sample in voiced { samples.append(scale * sample + 0.001 * random()) }
        var last = random()
        for _ in 0..<rate / 25 {
            let noise = random()
            samples.append(level * (noise - last) / 3 + 0.001 * random())
            last = noise
        }
    }

    /// The resonances of vowels in Hz.
    private static let formants: [SIMD3<Float>] = [
        SIMD3(730, 1090, 2440), SIMD3(270, 2290, 3010), SIMD3(300, 870, 2240), SIMD3(530, 1840, 2480),
        SIMD3(570, 840, 2410),
    ]

    /// Returns a voiced sound whose pitch falls, with the resonances of one of the vowels in turn.
    private mutating func vowel(_ frames: Int) -> [Float] {
        let formants = Self.formants[vowels % Self.formants.count]
        vowels += 1
        let pitch = 130 + 40 * random()
        let edge = 0.015 * Float(rate)
        var sound: [Float] = (0..<max(0, frames)).map { frame in
            phase += (pitch - 150 * Float(frame) / Float(rate)) / Float(rate)
            phase -= phase.rounded(.down)
            return 2 * phase - 1
        }
        for (index, width) in [80, 110, 160].enumerated() {
            sound = resonance(of: sound, at: formants[index], width: Float(width))
        }
        return sound.enumerated().map { $1 * min(1, Float(min($0, frames - 1 - $0)) / edge) }
    }

    /// Returns the output of a resonator of two poles.
    private func resonance(of sound: [Float], at frequency: Float, width: Float) -> [Float] {
        let radius = exp(-Float.pi * width / Float(rate))
        let feedback = 2 * radius * cos(2 * Float.pi * frequency / Float(rate))
        var (last, secondLast): (Float, Float) = (0, 0)
        return sound.map { sample in
            let next = sample + feedback * last - radius * radius * secondLast
            (last, secondLast) = (next, last)
            return next
        }
    }

    /// Adds words of 800 ms with gaps of 160 ms between them.
    public mutating func addWords(_ count: Int) {
        for word in 0..<count {
            if word > 0 { add(160) }
            addWord(800)
        }
    }

    /// Adds notes of 400 ms at a constant pitch that fade away, each followed by a rest.
    public mutating func addNotes(_ count: Int, rest: Int) {
        for note in 0..<count {
            let pitch: Float = [220, 262, 330, 392][note % 4]
            add(400) { time in 0.3 * (1 - time / 0.4) * Self.triangle(pitch * time) }
            add(rest)
        }
    }

    /// Adds bursts of noise that begin suddenly and fade away by 200 dB per second, each followed by a rest.
    public mutating func addDrums(_ count: Int, rest: Int) {
        let decay = 1 - 23 / Float(rate)
        for _ in 0..<count {
            var level: Float = 0.6
            for _ in 0..<rate * 250 / 1000 {
                samples.append(level * random() + 0.001 * random())
                level *= decay
            }
            add(rest)
        }
    }

    /// Returns a wave of period 1 and amplitude 1.
    public static func triangle(_ time: Float) -> Float { 4 * abs(time - time.rounded(.down) - 0.5) - 1 }
}
