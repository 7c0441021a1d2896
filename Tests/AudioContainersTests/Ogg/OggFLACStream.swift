// SPDX-License-Identifier: GPL-3.0-or-later
@testable import CodecTestSupport

/// Generates FLAC in Ogg.
struct OggFLACStream {
    var serial: UInt32 = 0xF1AC
    var count = 30
    var blocks: [(type: UInt8, content: [UInt8])] = [(4, CommentBlock.bytes([Array("TITLE=in Ogg".utf8)]))]
    /// Returns the granule position that a page states if its packets end at a frame.
    var granule: (Int64) -> Int64 = { $0 }

    var bytes: [UInt8] {
        let flac = FLACWriter(frames: 192 * count - 20)
        var writer = OggWriter(serial: serial)
        let info = FLACWriter.block(0, flac.streamInfo, isLast: false)
        writer.add(
            [0x7F] + Array("FLAC".utf8) + [1, 0, 0, UInt8(blocks.count)] + Array("fLaC".utf8) + info, granule: 0)
        writer.flush()
        for (number, block) in blocks.enumerated() {
            writer.add(FLACWriter.block(block.type, block.content, isLast: number == blocks.count - 1), granule: 0)
            writer.flush()
        }
        var end: Int64 = 0
        for (number, (packet, size)) in zip(flac.packets, flac.sizes).enumerated() {
            end += Int64(size)
            writer.add(packet, granule: granule(end))
            if number % 4 == 3 || number == count - 1 { writer.flush(isLast: number == count - 1) }
        }
        return writer.bytes
    }
}
