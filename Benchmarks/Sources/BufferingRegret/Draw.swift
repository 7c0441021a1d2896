// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring

/// How a number of a link or of an episode is drawn.
enum Draw: Sendable {
    case exactly(Double)
    /// Each number between the two is as likely as any other.
    case between(Double, Double)
    /// Each factor is: from 1 to 2 as likely as from 2 to 4.
    case factor(Double, Double)
    case oneOf([Double])
    /// Log-normal, and at most so much.
    case around(Double, spread: Double, atMost: Double)

    func number(_ chance: inout SeededGenerator) -> Double {
        switch self {
        case .exactly(let number): number
        case .between(let low, let high): chance.between(low, high)
        case .factor(let low, let high): exp(chance.between(log(low), log(high)))
        case .oneOf(let numbers): numbers.randomElement(using: &chance) ?? 0
        case .around(let median, let spread, let most): min(most, median * exp(spread * chance.normals(1)[0]))
        }
    }
}

extension SeededGenerator {
    mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(next() >> 11) * 0x1p-53
    }

    /// How long something is waited for that comes at any instant alike.
    mutating func exponential(mean: Double) -> Double { -mean * log(1 - between(0, 1)) }

    /// Independent, of mean 0 and deviation 1 (Box and Muller, two at a time).
    mutating func normals(_ count: Int) -> [Double] {
        var numbers: [Double] = []
        numbers.reserveCapacity(count + 1)
        while numbers.count < count {
            let radius = (-2 * log(1 - between(0, 1))).squareRoot()
            let angle = between(0, 2 * Double.pi)
            numbers.append(radius * cos(angle))
            numbers.append(radius * sin(angle))
        }
        return Array(numbers.prefix(count))
    }

    /// The same, but numbers less than `window` apart have to do with each other.
    mutating func noise(_ count: Int, window: Int) -> [Double] {
        let raw = normals(count + window)
        var sum = raw[..<window].reduce(0, +)
        return (0..<count).map { number in
            defer { sum += raw[number + window] - raw[number] }
            return sum / Double(window).squareRoot()
        }
    }
}
