// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring

/// The distribution of an episode's audio in its file.
struct Episode: Sendable {
    /// The byte at which each second of audio begins, starting after the tag; the last value is the end.
    let offsets: [Double]
    /// The bytes per second that the first frame header declares.
    let nominalRate: Double
    let isVariable: Bool
    /// True if the server declares the length of the file.
    let saysLength: Bool

    init(offsets: [Double], nominalRate: Double, isVariable: Bool = false, saysLength: Bool = true) {
        self.offsets = offsets
        self.nominalRate = nominalRate
        self.isVariable = isVariable
        self.saysLength = saysLength
    }

    /// Creates a random episode like those found in feeds.
    init(_ chance: inout SeededGenerator) {
        let minutes = Draw.oneOf([6, 15, 25, 40, 60, 90]).number(&chance)
        let rate = Draw.oneOf([64, 96, 128, 128, 192]).number(&chance) * 125
        let isVariable = chance.between(0, 1) < 0.25
        let tag = Draw.oneOf([0, 2, 60, 250, 600]).number(&chance) * 1000
        let seconds = Int(minutes * 60)
        let density = isVariable ? Self.speech(seconds, &chance) : Array(repeating: 1, count: seconds)
        let scale = rate * Double(seconds) / density.reduce(0, +)
        let offsets = density.reduce(into: [tag]) { $0.append($0[$0.count - 1] + $1 * scale) }
        self.init(
            offsets: offsets, nominalRate: rate, isVariable: isVariable, saysLength: chance.between(0, 1) >= 0.08)
    }

    /// Returns the density of speech in each second, with a denser opening, as with music.
    private static func speech(_ seconds: Int, _ chance: inout SeededGenerator) -> [Double] {
        let opening = Int(chance.between(15, 60))
        let music = chance.between(1.1, 1.5)
        return chance.noise(seconds, window: 9).enumerated().map { second, noise in
            exp(0.18 * noise) * (second < opening ? music : 1)
        }
    }

    var tag: Double { offsets[0] }
    var size: Double { offsets[offsets.count - 1] }
    var duration: Double { Double(offsets.count - 1) }
    var meanRate: Double { (size - tag) / duration }

    func offset(at seconds: Double) -> Double {
        let place = min(duration, max(0, seconds))
        let second = min(offsets.count - 2, Int(place))
        return offsets[second] + (offsets[second + 1] - offsets[second]) * (place - Double(second))
    }

    /// Returns the seconds of audio in the first bytes of the file, for each of these numbers of bytes, which must
    /// not decrease.
    func seconds(in bytes: [Double]) -> [Double] {
        var second = 0
        return bytes.map { count in
            while second < offsets.count - 2, offsets[second + 1] <= count { second += 1 }
            let part = (count - offsets[second]) / (offsets[second + 1] - offsets[second])
            return Double(second) + min(1, max(0, part))
        }
    }
}
