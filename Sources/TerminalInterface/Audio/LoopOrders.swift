// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine

/// The latest requested values of a repeated section. The source reports a change only when it becomes audible, and
/// keys arrive faster.
public struct LoopOrders: Sendable, Equatable {
    private static let speedStep = 0.05

    public private(set) var direction: PlayDirection
    public private(set) var rate: Double
    /// The section in PCM frames; `nil` until it changes.
    private var section: Range<Int64>?

    public init(direction: PlayDirection, rate: Double) { (self.direction, self.rate) = (direction, rate) }

    public mutating func turn() { direction = direction == .forward ? .backward : .forward }
    public mutating func slower() { setRate(rate - Self.speedStep) }
    public mutating func faster() { setRate(rate + Self.speedStep) }

    /// Changes the start or the end of the section for its remaining passes.
    /// - Parameters:
    ///   - start: the first PCM frame; `nil` leaves it unchanged.
    ///   - end: the PCM frame after the last; `nil` leaves it unchanged.
    ///   - now: the current status.
    /// - Returns: `nil`, without a change, if the section would be empty.
    public mutating func change(start: Int64? = nil, end: Int64? = nil, _ now: StreamingStatus) -> StreamLoop? {
        guard let loop = now.loop else { return nil }
        let (start, end) = (start ?? section?.lowerBound ?? loop.start, end ?? section?.upperBound ?? loop.end)
        let changed = try? StreamLoop(
            from: start, to: end, times: loop.times.map { max(1, $0 - now.repeats) }, crossfade: loop.crossfade,
            afterwards: loop.afterwards)
        if changed != nil { section = start..<end }
        return changed
    }

    /// Returns the start of a pass: a boundary between two PCM frames.
    public func beginning(_ now: StreamingStatus) -> Int64? {
        direction == .forward ? section?.lowerBound ?? now.loop?.start : section?.upperBound ?? now.loop?.end
    }

    private mutating func setRate(_ wanted: Double) {
        let rates = StreamingSource.rates
        rate = min(max((wanted * 100).rounded() / 100, rates.lowerBound), rates.upperBound)
    }
}
