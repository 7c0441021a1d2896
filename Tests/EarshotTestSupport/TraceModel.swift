// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback

/// The result of a playback: the time when sound began, and the stalls.
public struct TraceOutcome: Equatable, Sendable, CustomStringConvertible {
    /// An interruption of playback and its duration.
    public struct Stall: Equatable, Sendable {
        public var place: Duration
        public var lasted: Duration

        public init(place: Duration, lasted: Duration) { (self.place, self.lasted) = (place, lasted) }
    }

    /// The step of both players.
    public static let tick = Duration.milliseconds(100)

    public var start: Duration?
    public var stalls: [Stall] = []

    public init() {}

    public var stalled: Duration { stalls.reduce(.zero) { $0 + $1.lasted } }

    /// Returns true if both start at the same time, have the same number of stalls, and stall for the same total
    /// time, within `tolerance`.
    ///
    /// The positions of the stalls are not compared: if bytes arrive at almost the bit rate of the sound, a difference
    /// of one tick in one stall moves the next stall by many ticks.
    public func agrees(with other: TraceOutcome, to tolerance: Duration = tick) -> Bool {
        guard let start, let begin = other.start, stalls.count == other.stalls.count else { return false }
        let near = { (one: Duration, two: Duration) in one - two <= tolerance && two - one <= tolerance }
        return near(start, begin) && near(stalled, other.stalled)
    }

    public var description: String {
        let list = stalls.map { "\($0.lasted) at \($0.place)" }.joined(separator: ", ")
        return "start \(start.map { "\($0)" } ?? "never"), stalls: \(list)"
    }
}

/// A model that applies the buffering policy directly to a trace: no file, no frames, no decoder and no device.
public struct TraceModel {
    let trace: LinkTrace
    /// The number of bytes of a packet, which contains 24 ms of sound.
    let packetLength: Int
    let length: Duration

    public init(trace: LinkTrace, packetLength: Int, length: Duration) {
        (self.trace, self.packetLength, self.length) = (trace, packetLength, length)
    }

    /// Plays the trace and returns the start time and the stalls.
    public func play() -> TraceOutcome {
        var (outcome, position, isPlaying) = (TraceOutcome(), Duration.zero, false)
        var (silentSince, time) = (Duration.zero, Duration.zero)
        while position < length, time < .seconds(7200) {
            let arrived = arrived(by: time)
            if !isPlaying, starts(outcome, position, arrived, at: time, since: silentSince) {
                isPlaying = true
                if outcome.start == nil { outcome.start = time } else {
                    outcome.stalls.append(.init(place: position, lasted: time - silentSince))
                }
            }
            if isPlaying {
                let next = min(position + TraceOutcome.tick, arrived)
                if next < min(position + TraceOutcome.tick, length) { (isPlaying, silentSince) = (false, time) }
                position = next
            }
            time += TraceOutcome.tick
        }
        return outcome
    }

    /// Returns the duration of the complete packets: the parser recognizes a packet when the next one begins.
    private func arrived(by time: Duration) -> Duration {
        let packets = (trace.bytes(by: time) / Double(packetLength)).rounded(.down)
        let all = length / .milliseconds(24)
        return .milliseconds(24) * (packets < all ? max(0, packets - 1) : all)
    }

    private func starts(
        _ outcome: TraceOutcome, _ position: Duration, _ arrived: Duration, at time: Duration, since: Duration
    ) -> Bool {
        guard arrived - position >= .milliseconds(100) || arrived == length else { return false }
        let waiting: BufferingPolicy.Waiting = outcome.start == nil ? .start : .rebuffer
        let silence = BufferingPolicy.WaitState(waiting, waited: time - since, stalls: outcome.stalls.count)
        let level = BufferLevel(
            buffered: arrived - position, remaining: length - position,
            missing: Int64((length - arrived) / .milliseconds(24)) * Int64(packetLength),
            byteRate: Double(packetLength) / 0.024,
            throughput: trace.throughput(at: time))
        return BufferingPolicy.decide(silence, level) != .hold
    }
}
