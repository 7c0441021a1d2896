// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio

extension Fixture {
    /// Repeats the packets of another fixture up to some megabytes, enough to skip ahead in.
    /// - Parameters:
    ///   - padding: The PCM frames at the end that an Info tag declares as padding; `nil`: no tag.
    static func long(_ name: String, of short: Fixture, times: Int, padding: Int? = nil) -> Fixture {
        let packets = short.packets
        let count = packets.count * times
        let length = packets.reduce(0) { $0 + $1.count } * times
        var builder = MP3Builder()
        if let padding {
            let tag = builder.format.length(kilobits: 128, padded: false)
            builder.addXing(
                isInfo: true, frames: count, bytes: length + tag, encoder: "LAME3.100", delay: 576, padding: padding)
        }
        for _ in 0..<times { packets.forEach { builder.addBytes($0) } }
        return Fixture(name, builder.bytes)
    }

    var packets: [[UInt8]] { parsed.map(\.bytes) }

    /// The file offset of each packet.
    var offsets: [Int] { parsed.map(\.offset) }

    private var parsed: [(offset: Int, bytes: [UInt8])] {
        var parser = MPEGStreamParser()
        var packets: [(offset: Int, bytes: [UInt8])] = []
        bytes.withUnsafeBytes { parser.append($0) }
        parser.finish()
        while let event = parser.next() {
            guard case .packet(let packet) = event else { continue }
            packets.append((Int(packet.offset), parser.withBytes(of: packet) { Array($0) }))
        }
        return packets
    }

    static let longCBR = long("long CBR", of: cbr, times: 80)
    static let longTaggedCBR = long("long CBR with a tag", of: cbr, times: 80, padding: 1500)
    static let longVBR = long("long VBR", of: vbr, times: 40)
    static let longMono = long("long mono, MPEG-2", of: slowMono, times: 2_000_000 / slowMono.bytes.count)
    static let allLong = [longCBR, longTaggedCBR, longVBR, longMono]
}
