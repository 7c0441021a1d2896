// SPDX-License-Identifier: GPL-3.0-or-later

/// The weighted powers of the last 30 steps of 100 ms, for the mean power of sliding blocks.
struct PowerWindow: Sendable {
    /// 400 ms, the block of the integrated loudness. Source: ITU-R BS.1770-5 annex 1.
    static let momentary = 4
    /// 3 s, the block of the loudness range. Source: EBU Tech 3342.
    static let shortTerm = 30

    private var powers = [Double](repeating: 0, count: shortTerm)
    private var steps = 0

    mutating func append(_ power: Double) {
        powers[steps % Self.shortTerm] = power
        steps += 1
    }

    /// Returns the mean power of the last `count` steps, or `nil` if there are fewer.
    func mean(of count: Int) -> Double? {
        guard steps >= count else { return nil }
        var sum = 0.0
        for step in steps - count..<steps { sum += powers[step % Self.shortTerm] }
        return sum / Double(count)
    }
}
