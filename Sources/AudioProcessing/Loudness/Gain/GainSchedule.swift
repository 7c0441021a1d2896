// SPDX-License-Identifier: GPL-3.0-or-later

/// The gain of an item over time. It follows the estimated gain so slowly that the change is not audible as such.
///
/// Time is counted in source frames, in steps of 100 ms, so the same audio always gets the same gains. The gain changes
/// by at most 1.5 dB per second in the first 10 s and 0.1 dB per second afterwards. It does not start to move before
/// the difference reaches 0.3 dB.
public struct GainSchedule: Sendable, Equatable {
    private static let stepsPerSecond = 10
    private static let fastSteps = 10 * stepsPerSecond
    private static let fastChange = 1.5 / Double(stepsPerSecond)
    private static let slowChange = 0.1 / Double(stepsPerSecond)
    private static let tolerance = 0.3

    /// The gain in dB, −12...15.
    public private(set) var gain: Double
    /// True if the gain never changes, because the whole item was measured before.
    public let isConstant: Bool
    private let sampleRate: Int
    private var frames = 0
    private var steps = 0
    private var isMoving = false

    /// - Parameter gain: the first gain in dB; clamped to −12...15.
    public init(gain: Double, isConstant: Bool, sampleRate: Int) {
        self.gain = GainRange.clamp(gain)
        self.isConstant = isConstant
        self.sampleRate = max(1, sampleRate)
    }

    /// Advances by played source frames, and moves the gain towards `wanted`.
    /// - Parameter wanted: the gain in dB that the estimate asks for; clamped to −12...15.
    public mutating func advance(frames count: Int, towards wanted: Double) {
        frames += max(0, count)
        while frames * Self.stepsPerSecond >= sampleRate * (steps + 1) {
            steps += 1
            if !isConstant { move(towards: GainRange.clamp(wanted)) }
        }
    }

    /// Moves the gain by one step.
    private mutating func move(towards wanted: Double) {
        let difference = wanted - gain
        isMoving = isMoving || difference.magnitude >= Self.tolerance
        guard isMoving else { return }
        let change = steps <= Self.fastSteps ? Self.fastChange : Self.slowChange
        guard difference.magnitude > change else {
            gain = wanted
            isMoving = false
            return
        }
        gain += difference < 0 ? -change : change
    }
}
