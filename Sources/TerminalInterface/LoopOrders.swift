// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine

/// What was asked for last of a section that is repeated. The source shows an order only when that is heard, and keys
/// come faster.
public struct LoopOrders: Sendable, Equatable {
    private static let speedStep = 0.05

    public private(set) var direction: PlayDirection
    public private(set) var rate: Double
    /// PCM frames; `nil` until somebody has changed it.
    private var section: Range<Int64>?

    public init(direction: PlayDirection, rate: Double) { (self.direction, self.rate) = (direction, rate) }

    public mutating func turn() { direction = direction == .forward ? .backward : .forward }
    public mutating func slower() { setRate(rate - Self.speedStep) }
    public mutating func faster() { setRate(rate + Self.speedStep) }

    /// Begins or ends the section elsewhere, for the passes that are left of it.
    /// - Parameters:
    ///   - start: the first PCM frame; `nil` as it is.
    ///   - end: the one behind the last; `nil` as it is.
    ///   - now: what is heard.
    /// - Returns: `nil` where it would have no length: then it stays as it is.
    public mutating func change(start: Int64? = nil, end: Int64? = nil, _ now: StreamingStatus) -> StreamLoop? {
        guard let loop = now.loop else { return nil }
        let (start, end) = (start ?? section?.lowerBound ?? loop.start, end ?? section?.upperBound ?? loop.end)
        let changed = try? StreamLoop(
            from: start, to: end, times: loop.times.map { max(1, $0 - now.repeats) }, crossfade: loop.crossfade,
            afterwards: loop.afterwards)
        if changed != nil { section = start..<end }
        return changed
    }

    /// Where a pass begins: a boundary between two PCM frames.
    public func beginning(_ now: StreamingStatus) -> Int64? {
        direction == .forward ? section?.lowerBound ?? now.loop?.start : section?.upperBound ?? now.loop?.end
    }

    private mutating func setRate(_ wanted: Double) {
        let rates = StreamingSource.rates
        rate = min(max((wanted * 100).rounded() / 100, rates.lowerBound), rates.upperBound)
    }
}
