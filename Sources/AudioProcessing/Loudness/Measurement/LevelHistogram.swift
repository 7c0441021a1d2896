// SPDX-License-Identifier: GPL-3.0-or-later

/// The distribution of the loudness of blocks, in steps of 0.1 LU. Blocks below the absolute gate of −70 LUFS are not
/// counted; blocks above +30 LUFS count as +30.
struct LevelHistogram: Sendable, Equatable {
    /// The loudness of the first step: the absolute gate.
    static let lowest = -70.0
    static let steps = 1001
    /// The power of each step's middle, which is a multiple of 0.1 LUFS.
    private static let powers = (0..<steps).map { LoudnessWeighting.power(loudness: loudness(ofStep: $0)) }

    /// The number of blocks in each step.
    private(set) var counts = [UInt32](repeating: 0, count: steps)

    /// Returns the loudness at the middle of a step.
    static func loudness(ofStep step: Int) -> Double { lowest + Double(step) / 10 }

    /// Counts a block with this weighted power.
    mutating func add(power: Double) {
        let loudness = LoudnessWeighting.loudness(power: power)
        guard loudness >= Self.lowest else { return }
        let step = Int(min(((loudness - Self.lowest) * 10).rounded(), Double(Self.steps - 1)))
        add(1, toStep: step)
    }

    /// Adds blocks to a step; the count saturates.
    mutating func add(_ blocks: UInt32, toStep step: Int) {
        let (sum, overflow) = counts[step].addingReportingOverflow(blocks)
        counts[step] = overflow ? .max : sum
    }

    /// Adds the blocks of another histogram.
    mutating func merge(_ other: LevelHistogram) {
        for step in counts.indices { add(other.counts[step], toStep: step) }
    }

    /// Returns the number of blocks in a step and those above it.
    func blocks(from step: Int = 0) -> UInt64 { counts[step...].reduce(0) { $0 + UInt64($1) } }

    /// Returns the loudness of the mean power of the blocks in a step and those above it, or `nil` without blocks.
    func loudness(from step: Int = 0) -> Double? {
        let blocks = blocks(from: step)
        guard blocks > 0 else { return nil }
        let power = zip(counts[step...], Self.powers[step...]).reduce(0) { $0 + Double($1.0) * $1.1 }
        return LoudnessWeighting.loudness(power: power / Double(blocks))
    }

    /// Returns the first step that passes a gate `distance` LU below the loudness of all blocks, or `nil` without
    /// blocks.
    func gate(below distance: Double) -> Int? {
        loudness().map { max(0, Int((($0 - distance - Self.lowest) * 10).rounded(.up))) }
    }

    /// Returns the loudness that the given part of the blocks in `step` and above does not exceed.
    /// - Parameter part: 0...1.
    func percentile(_ part: Double, from step: Int) -> Double? {
        let blocks = blocks(from: step)
        guard blocks > 0 else { return nil }
        var left = UInt64((Double(blocks - 1) * part).rounded())
        for step in step..<Self.steps {
            if left < counts[step] { return Self.loudness(ofStep: step) }
            left -= UInt64(counts[step])
        }
        return nil
    }
}
