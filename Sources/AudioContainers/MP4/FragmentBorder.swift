// SPDX-License-Identifier: GPL-3.0-or-later

/// The packets of fragments at a border between two parts of a joined file. `JoinedParts` describes their durations,
/// which fragments state one by one.
///
/// The packets before and after a border have their usual duration, and no packet of the fragment is longer. Other
/// durations are those of an uneven clock.
struct FragmentBorder: Sendable, Equatable {
    /// The stated duration of a packet, compared with that of the sound that it decodes to.
    enum Length: Sendable { case shorter, usual, longer }

    /// The share of a packet by which a duration differs at least; less is rounding.
    private static let leastShare: Int64 = 8

    /// The offset of the first packet, and its first frame.
    let offset: Int64
    private let start: Int64
    private let packetFrames: Int64
    private(set) var packets: Int64 = 0
    /// The stated duration of the last packet.
    private(set) var lastFrames: Int64 = 0
    /// The sum of the stated durations.
    private var frames: Int64 = 0

    init(at start: Int64, offset: Int64, packetFrames: Int64) {
        (self.start, self.offset, self.packetFrames) = (start, offset, packetFrames)
    }

    /// The frame after the border.
    var end: Int64 { start + frames }

    /// The frames that the durations omit.
    var omitted: Int64 { packets * packetFrames - frames }

    /// Adds a packet with its stated duration.
    mutating func add(_ duration: Int64) {
        packets += 1
        lastFrames = duration
        frames += duration
    }

    /// Returns the frames that are played of a packet with a number from 0.
    func playedFrames(of packet: Int64) -> Range<Int64> {
        let first = min(packet * packetFrames, frames)
        return start + first..<start + min(first + packetFrames, frames)
    }

    /// Returns the first frame of a packet with a number from 0 if all packets are played in full length.
    func firstFrame(of packet: Int64) -> Int64 { start + packet * packetFrames }

    /// Compares a duration with that of a packet; it is usual if the clock cannot tell. A clock that counts the core of
    /// HE-AAC does not count the delay of SBR, so a border would cut the sound before it (`MP4Trimming`).
    static func length(of duration: Int64, _ clock: TrackClock) -> Length {
        guard let usual = clock.packetDuration, 2 * clock.timescale != clock.rate else { return .usual }
        let tolerance = max(1, usual / leastShare)
        return duration <= usual - tolerance ? .shorter : duration >= usual + tolerance ? .longer : .usual
    }
}
