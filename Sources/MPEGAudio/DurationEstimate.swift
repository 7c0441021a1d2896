// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// How long a stream lasts, and where its times lie, as far as can be told before all of it is parsed.
///
/// Times count from the first PCM frame of music (`GaplessFacts.start`).
public struct DurationEstimate: Sendable, Equatable {
    let info: StreamInfo?
    let gapless: GaplessFacts
    let format: MPEGFrameHeader
    let packets: Int64
    let packetBytes: Int64
    let audioStart: Int64
    let totalLength: Int64?
    let isComplete: Bool

    /// - Parameters:
    ///   - info: the Xing, Info or VBRI frame before the first packet.
    ///   - format: the first packet's header.
    ///   - packets: packets counted so far, contiguous from 0.
    ///   - packetBytes: the bytes those packets cover.
    ///   - audioStart: the first packet's file offset.
    ///   - totalLength: bytes of the whole file.
    ///   - isComplete: whether the parser has reached the end, so that `packets` is all there are.
    public init(
        info: StreamInfo?, gapless: GaplessFacts, format: MPEGFrameHeader, packets: Int64, packetBytes: Int64,
        audioStart: Int64, totalLength: Int64?, isComplete: Bool
    ) {
        self.info = info
        self.gapless = gapless
        self.format = format
        self.packets = packets
        self.packetBytes = packetBytes
        self.audioStart = audioStart
        self.totalLength = totalLength
        self.isComplete = isComplete
    }

    public var duration: MediaDuration { .unknown }

    /// The time at which the byte sounds, an estimate; `nil` while nothing is known.
    public func time(atByte offset: Int64) -> Duration? { nil }

    /// The byte that sounds at `time`, an estimate within the file; `nil` while nothing is known.
    public func byte(atTime time: Duration) -> Int64? { nil }
}
