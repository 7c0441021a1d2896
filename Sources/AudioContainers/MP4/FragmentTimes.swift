// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The packets since a stated decoding time, which tell a lost fragment from rounding. For packets of a fixed length.
///
/// Writers round: a packet of 1024 frames may state 1025. Each time agrees with the durations before it then, but times
/// and packets move apart without limit. A file with wrong durations has times that agree with the number of packets.
/// So frames are lost only if a time is ahead of both.
struct FragmentTimes: Sendable, Equatable {
    /// The stated decoding time.
    private let start: Int64
    /// The time after the packets since then, according to their stated durations.
    private var end: Int64
    /// The decoded frames of those packets.
    private var frames: Int64 = 0

    init(from time: Int64) { (start, end) = (time, time) }

    /// Counts packets that follow.
    /// - Parameters:
    ///   - frames: the decoded frames of each.
    ///   - duration: the stated duration of each.
    ///   - hidesLoss: true if the duration includes packets that are missing: some writers stretch the packet before
    ///     them.
    mutating func count(
        _ packets: Int64, frames packetFrames: Int64, duration: Int64, _ clock: TrackClock, hidesLoss: Bool = false
    ) {
        let duration = hidesLoss ? clock.time(ofFrame: packetFrames) : duration
        frames += min(packets.multipliedClamping(by: packetFrames), ByteWindow.farthest - frames)
        end += min(packets.multipliedClamping(by: duration), ByteWindow.farthest - end)
    }

    /// Returns the frames between the packets counted and a decoding time; negative if the packets reach beyond it.
    func frames(before time: Int64, _ clock: TrackClock) -> Int64 { clock.frame(at: time - start) - frames }

    /// Returns the frames that are missing before a decoding time; `nil` if the time lies before the packets counted,
    /// and so is wrong.
    func lostFrames(before time: Int64, packetFrames: Int64, _ clock: TrackClock) -> Int64? {
        let counted = frames(before: time, clock)
        let stated = clock.frame(at: time - end)
        guard max(counted, stated) > -packetFrames / 2 else { return nil }
        let lost = min(counted, stated)
        guard lost >= packetFrames / 2 else { return 0 }
        // Durations that agree with the packets show that the times are exact.
        if counted == stated { return clock.packetFrame(near: lost) }
        return (lost + packetFrames / 2) / packetFrames * packetFrames
    }
}
