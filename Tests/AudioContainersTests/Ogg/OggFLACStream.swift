// SPDX-License-Identifier: GPL-3.0-or-later
@testable import CodecTestSupport

/// Generates FLAC in Ogg.
struct OggFLACStream {
    /// The mapping: that of RFC 9639, or an early one.
    enum Mapping {
        case standard
        /// The first packet is the marker, and an empty packet ends the stream, as VLC writes it.
        case vlc
        /// The first packet is the marker, and the frames begin in the page of the metadata, as in versions of `flac`
        /// before 1.1.0, which separate only the first page.
        case flac
        /// The first packet has all metadata, as the first versions of `flac` write it.
        case firstFLAC

        static let early = [Mapping.vlc, .flac, .firstFLAC]
    }

    var serial: UInt32 = 0xF1AC
    var mapping = Mapping.standard
    var count = 30
    var blocks: [(type: UInt8, content: [UInt8])] = [(4, CommentBlock.bytes([Array("TITLE=in Ogg".utf8)]))]
    /// Returns the granule position that a page states if its packets end at a frame.
    var granule: (Int64) -> Int64 = { $0 }

    var bytes: [UInt8] {
        let flac = FLACWriter(frames: 192 * count - 20)
        var writer = OggWriter(serial: serial)
        addHeaders(flac.streamInfo, to: &writer)
        var end: Int64 = 0
        for (number, (packet, size)) in zip(flac.packets, flac.sizes).enumerated() {
            end += Int64(size)
            writer.add(packet, granule: granule(end))
            let isLast = number == count - 1
            if number % 4 == 3 || isLast { writer.flush(isLast: isLast && mapping != .vlc) }
        }
        if mapping == .vlc {
            writer.add([], granule: end)
            writer.flush(isLast: true)
        }
        return writer.bytes
    }

    private func addHeaders(_ streamInfo: [UInt8], to writer: inout OggWriter) {
        let marker = Array("fLaC".utf8)
        let name: [UInt8] = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, UInt8(blocks.count)]
        let info = FLACWriter.block(0, streamInfo, isLast: blocks.isEmpty)
        let others = blocks.enumerated().map { number, block in
            FLACWriter.block(block.type, block.content, isLast: number == blocks.count - 1)
        }
        let packets: [[UInt8]] =
            switch mapping {
            case .standard: [name + marker + info] + others
            case .vlc, .flac: [marker, info] + others
            case .firstFLAC: [marker + info + others.joined()]
            }
        for (number, packet) in packets.enumerated() {
            writer.add(packet, granule: 0)
            if number == 0 || mapping != .flac { writer.flush() }
        }
    }
}
