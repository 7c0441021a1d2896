// SPDX-License-Identifier: GPL-3.0-or-later

/// A generator of mono sound with the level, rhythm and pitch of speech, and noise of −65 dBFS below it. All lengths
/// are in milliseconds.
public struct SyntheticSpeech: Sendable {
    public let rate: Int
    public private(set) var samples: [Float] = []
    private var seed: UInt64
    private var phase: Float = 0

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

    /// Adds syllables of 160 ms whose pitch glides, with closures of 40 ms between them. The last one takes the rest.
    public mutating func addWord(_ milliseconds: Int, level: Float = 0.3) {
        for start in stride(from: 0, to: milliseconds, by: 200) {
            if start > 0 { add(40) }
            addVowel(min(160, milliseconds - start), level: level)
        }
    }

    /// Adds a vowel whose last 40 ms are a consonant, which is brighter.
    private mutating func addVowel(_ milliseconds: Int, level: Float) {
        let (pitch, frames) = (130 + 40 * random(), rate * milliseconds / 1000)
        var last: Float = 0
        for frame in 0..<frames {
            phase += (pitch + 300 * Float(frame) / Float(rate)) / Float(rate)
            phase -= phase.rounded(.down)
            let noise = random()
            let sound = frame < frames - rate / 25 ? 2 * phase - 1 : (noise - last) / 3
            last = noise
            samples.append(level * sound + 0.001 * random())
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
