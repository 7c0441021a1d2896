// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the packets whose bit reservoir is lost, because other bytes are in its place. A decoder would take the bits
/// of earlier packets for theirs, and return noise at any level. A packet that is damaged itself is not found.
///
/// Packets that follow each other in the file are not examined. After a gap between two packets, the side information
/// shows whether the second one continues the main data of the first: bytes were then inserted, and nothing is lost.
public struct ReservoirContinuity: Sendable {
    /// The file offset of the end of the last packet, and the bytes of the reservoir that it left.
    private var last: (end: Int64, remainder: Int?)?
    /// Counts the packets up to the first correct one; `nil` if nothing is lost.
    private var fill: ReservoirFill?
    /// The file offset of the first gap with a lost reservoir.
    public private(set) var firstLoss: Int64?

    public init() {}

    /// Examines the next packet.
    /// - Parameter bytes: its bytes.
    /// - Returns: true if the packet can be decoded correctly.
    public mutating func isIntact(_ packet: MPEGPacket, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let info = LayerIIISideInfo(bytes, packet.header)
        if let last, last.end != packet.offset, let begin = info?.mainDataBegin, begin > 0, begin != last.remainder {
            fill = ReservoirFill(format: packet.header)
            firstLoss = firstLoss ?? last.end
        }
        last = (packet.offset + Int64(packet.length), info.map { $0.remainder(of: packet) })
        guard var fill else { return true }
        let isFilled = fill.completes(with: packet)
        self.fill = isFilled ? nil : fill
        return isFilled
    }
}

extension LayerIIISideInfo {
    /// Returns the number of bytes of the reservoir after the main data of a packet.
    fileprivate func remainder(of packet: MPEGPacket) -> Int {
        packet.length - packet.header.mainDataOffset + mainDataBegin - (mainDataBits + 7) / 8
    }
}
