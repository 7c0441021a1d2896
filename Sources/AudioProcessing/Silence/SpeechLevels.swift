// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A percentile of the last levels, in dB. Levels have a resolution of 0.5 dB, from −120 dB to 7.5 dB.
struct RunningPercentile: Sendable {
    private var window: [UInt8]
    private var next = 0
    private var count = 0
    private var histogram = [Int](repeating: 0, count: 256)

    init(window count: Int) { window = Array(repeating: 0, count: count) }

    mutating func add(_ level: Float) {
        let bin = UInt8(min(255, max(0, (level + 120) * 2)))
        if count == window.count { histogram[Int(window[next])] -= 1 } else { count += 1 }
        histogram[Int(bin)] += 1
        window[next] = bin
        next = next + 1 == window.count ? 0 : next + 1
    }

    /// Returns the level that `percent` percent of the levels do not exceed.
    func level(percent: Int) -> Float {
        var rest = (count * percent + 99) / 100
        for bin in histogram.indices {
            rest -= histogram[bin]
            if rest <= 0 { return Float(bin) / 2 - 120 }
        }
        return 0
    }
}

/// The levels of speech and noise in the last seconds.
struct SpeechLevels: Sendable {
    /// Means of 50 ms, for 8 s.
    private var background = RunningPercentile(window: 160)
    /// Means of 10 ms, one every 5 ms, for 12 s.
    private var foreground = RunningPercentile(window: 2400)
    private var block: (power: Float, count: Int) = (0, 0)
    private var noise: Float = -120
    private var speech: Float = -120
    /// The level below which there is no speech; nil if speech and noise are too similar.
    private var threshold: Float?
    /// The last level, in dB.
    private(set) var level: Float = -120

    /// True if the last power is not speech.
    var isQuiet: Bool { threshold.map { level < $0 } ?? false }
    /// True if the last power is audible and typical of speech.
    var isLoud: Bool { level >= max(speech - 15, -80) }

    /// Takes the mean power of 10 ms, every 5 ms.
    /// - Parameter isLongPause: noise is not counted then, so that a long pause does not become the level of speech.
    mutating func add(_ power: Float, isLongPause: Bool) {
        level = 10 * log10(power + 1e-12)
        guard !isLongPause || level > noise + 6 else { return }
        foreground.add(level)
        block = (block.power + power, block.count + 1)
        if block.count == 10 {
            background.add(10 * log10(block.power / 10 + 1e-12))
            block = (0, 0)
        }
        speech = foreground.level(percent: 90)
        noise = max(background.level(percent: 5), speech - 60)
        threshold = speech - noise < 15 ? nil : min(noise + max(6, (speech - noise) / 4), speech - 18)
    }
}
