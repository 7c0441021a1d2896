// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A map from packet numbers to PCM frames and times, and back.
///
/// A *decoded* frame is counted from packet 0's first; a *trimmed* frame from the first that is kept, so trimmed
/// frame 0 is decoded frame `start`, and its time is 0. If the sample rate changes, frames have different durations.
/// `FrameIndex` determines at which packet decoding must begin for a correct result.
public struct PacketTimeline: Sendable, Equatable {
    public let runs: FormatRuns
    /// The first decoded frame to keep.
    public let start: Int64

    /// - Parameter start: encoder delay, including the decoder's own 529 frames.
    public init(runs: FormatRuns, start: Int64) {
        self.runs = runs
        self.start = min(max(0, start), .max / 2)
    }

    /// Returns the packet that contains trimmed frame `frame`; frames before 0 count as 0.
    public func packet(holding frame: Int64) -> Int64 {
        runs.packet(ofDecoded: min(max(0, frame), .max / 2) + start)
    }

    /// Returns the first decoded frame of packet `number`.
    public func decodedFrame(ofPacket number: Int64) -> Int64 { runs.decodedFrame(ofPacket: number) }

    /// Returns the first trimmed frame of packet `number`; negative inside the encoder delay.
    public func trimmedFrame(ofPacket number: Int64) -> Int64 { decodedFrame(ofPacket: number) - start }

    /// Returns the time of trimmed frame `frame`.
    public func time(ofFrame frame: Int64) -> Duration {
        let decoded = min(max(frame, -.max / 2), .max / 2) + start
        let run = runs.run(ofDecoded: decoded)
        // A single division within a run accumulates no rounding error.
        if run.frame <= start { return run.format.duration(ofFrames: decoded - start) }
        return runs.time(ofDecoded: decoded) - runs.time(ofDecoded: start)
    }

    /// Returns the trimmed frame nearest to `time`; 0 for a time before the first.
    public func frame(at time: Duration) -> Int64 {
        let time = max(.zero, time)
        let first = runs.run(ofDecoded: start)
        let early = first.format.frames(in: time)
        guard let second = runs.run(after: first) else { return early }
        guard early >= second.frame - start else { return early }
        let absolute = time + runs.time(ofDecoded: start)
        let run = runs.run(at: absolute)
        let decoded = run.frame + run.format.frames(in: absolute - run.time)
        return min(decoded, runs.run(after: run)?.frame ?? .max) - start
    }

    /// Returns the packet that is played at `time`.
    public func packet(at time: Duration) -> Int64 { packet(holding: frame(at: time)) }

    /// Returns the time at which packet `number` begins; 0 inside the encoder delay.
    public func time(ofPacket number: Int64) -> Duration { time(ofFrame: max(0, trimmedFrame(ofPacket: number))) }
}
