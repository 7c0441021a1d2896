// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio

/// A part of the stream that is read before the bytes that precede it have arrived. The number of packets before it
/// can only be estimated.
///
/// The estimate is kept while the island is played, so that the sound never jumps. The correction is known when the
/// contiguous index reaches the island.
struct Island {
    private let estimate: DurationEstimate
    /// The known format runs: the estimated ones before the island, and its own.
    private(set) var runs: FormatRuns
    /// The file offset and the estimated number of the first packet; `nil` until it is found.
    private(set) var first: (offset: Int64, number: Int64)?
    /// The difference to add to the island's times to make them exact; `nil` while unknown.
    private(set) var correction: Duration?
    /// The hashes of the island's packets, in order.
    private(set) var hashes = PacketHashes()

    /// - Parameter runs: those of the indexed packets.
    init(estimate: DurationEstimate, runs: FormatRuns) { (self.estimate, self.runs) = (estimate, runs) }

    /// Returns a packet of the island with its estimated number.
    /// - Parameter packet: numbered from the start of the island.
    mutating func number(_ packet: MPEGPacket) -> MPEGPacket {
        let number = (first ?? begin(with: packet)).number + packet.number
        runs.append(packet.header, ofPacket: number)
        return MPEGPacket(header: packet.header, offset: packet.offset, length: packet.length, number: number)
    }

    private mutating func begin(with packet: MPEGPacket) -> (offset: Int64, number: Int64) {
        let found = (packet.offset, estimate.packet(atByte: packet.offset) ?? 0)
        runs = runs.cut(at: found.1, continuedBy: packet.header)
        first = found
        return found
    }

    mutating func append(hashOf bytes: UnsafeRawBufferPointer) { hashes.append(hashOf: bytes) }

    /// Computes the correction if the contiguous index has reached the island.
    /// - Parameters:
    ///   - packet: the packet just indexed, with its exact number.
    ///   - indexed: the runs of the index.
    mutating func computeCorrection(_ packet: MPEGPacket, _ indexed: FormatRuns) {
        guard correction == nil, let first, packet.offset >= first.offset else { return }
        correction =
            indexed.time(ofDecoded: indexed.decodedFrame(ofPacket: packet.number))
            - runs.time(ofDecoded: runs.decodedFrame(ofPacket: first.number))
    }
}
