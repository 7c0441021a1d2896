// SPDX-License-Identifier: GPL-3.0-or-later

/// Which PCM frames of a decoded stream are music: from `start` up to `end`, counted from packet 0's first.
public struct GaplessFacts: Sendable, Equatable {
    /// The PCM frames by which a Layer III decoder lags behind its encoder.
    public static let decoderDelay: Int64 = 529
    public static let none = GaplessFacts(start: 0, end: nil, declaredPackets: nil)

    /// The first PCM frame to keep.
    public let start: Int64
    /// The first PCM frame after the music; `nil`: keep all. It holds only if the stream turns out to have
    /// `declaredPackets` packets, see `end(afterPackets:)`.
    public let end: Int64?
    /// The packets the tag promises.
    public let declaredPackets: Int64?

    public init(start: Int64, end: Int64?, declaredPackets: Int64?) {
        self.start = start
        self.end = end
        self.declaredPackets = declaredPackets
    }

    public init(info: StreamInfo?, iTunes: ITunSMPB? = nil, format: MPEGFrameHeader, totalLength: Int64?) {
        self = .none
    }

    /// The end to trim at when the stream has ended after `packets` packets; `nil` where the tag is disproved.
    public func end(afterPackets packets: Int64) -> Int64? { end }
}
