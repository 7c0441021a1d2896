// SPDX-License-Identifier: GPL-3.0-or-later

/// The authoritative map from packet number to file offset, grown by the contiguous parse from byte 0.
public struct FrameIndex: Sendable, Equatable {
    public init() {}

    /// Packets indexed, all of them from 0 on without a hole.
    public private(set) var count: Int64 = 0

    /// Where the packet after the last one indexed is expected; `nil` before the first.
    public var frontier: SeekPoint? { nil }

    /// Adds the packet numbered `count`; any other is ignored.
    public mutating func append(_ packet: MPEGPacket) {}

    /// Where to start parsing and decoding so that packet `packetNumber` and all after it come out bit-identical to a
    /// linear decode. What is decoded before it is pre-roll, to be dropped by count.
    /// - Parameter packetNumber: `0...count`; `nil` is returned for any other.
    public func seekPoint(for packetNumber: Int64) -> SeekPoint? { nil }

    /// The packet that holds the byte, to within 8 packets; `nil` outside the indexed part.
    public func packetNumber(atOffset offset: Int64) -> Int64? { nil }

    /// Where the packet starts, to within 8 packets; exact at the frontier. `nil` outside `0...count`.
    public func offset(ofPacket packetNumber: Int64) -> Int64? { nil }
}
