// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring

/// The distribution from which a number of a link or of an episode is drawn.
enum Draw: Sendable {
    case exactly(Double)
    /// A uniform distribution between the two numbers.
    case between(Double, Double)
    /// A distribution with a uniform logarithm: from 1 to 2 is as likely as from 2 to 4.
    case factor(Double, Double)
    case oneOf([Double])
    /// A log-normal distribution around the median, limited to a maximum.
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

    /// Returns the waiting time for an event that is equally likely at any instant.
    mutating func exponential(mean: Double) -> Double { -mean * log(1 - between(0, 1)) }

    /// Returns independent normal numbers of mean 0 and deviation 1 (Box and Muller, in pairs).
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

    /// Returns the same, but numbers less than `window` apart are correlated.
    mutating func noise(_ count: Int, window: Int) -> [Double] {
        let raw = normals(count + window)
        var sum = raw[..<window].reduce(0, +)
        return (0..<count).map { number in
            defer { sum += raw[number + window] - raw[number] }
            return sum / Double(window).squareRoot()
        }
    }
}
