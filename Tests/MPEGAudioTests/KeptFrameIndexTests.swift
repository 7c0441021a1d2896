// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Testing

@Suite("Kept frame index")
struct KeptFrameIndexTests {
    private let packets: [MPEGPacket]
    private let total: Int64
    private let kept: KeptFrameIndex

    init() {
        var builder = MP3Builder()
        builder.addID3v2(padding: 200)
        builder.addFrames(30)
        builder.addID3v1()
        packets = StreamDriver.events(of: builder.bytes).packets
        total = Int64(builder.bytes.count)
        kept = KeptFrameIndex(packets.reduce(into: FrameIndex()) { $0.append($1) }, totalLength: total)
    }

    @Test("An index fits the file that it was made from")
    func fits() {
        #expect(kept.fits(totalLength: total, firstPacket: packets[0]))
    }

    @Test("An index fits no file of another or an unknown length")
    func otherLength() {
        for length in [nil, 0, total - 1, total + 1, .max] {
            #expect(!kept.fits(totalLength: length, firstPacket: packets[0]))
        }
    }

    @Test("An index fits no file with a different first packet or offset")
    func otherStart() throws {
        let first = packets[0]
        let mono = try #require(MPEGFrameHeader(0xFFFB_90C0))
        let free = try #require(MPEGFrameHeader(0xFFFB_0000))
        for (header, offset, number) in [
            (mono, first.offset, 0), (free, first.offset, 0), (first.header, first.offset + 1, 0),
            (first.header, 0, 0), (first.header, first.offset, 1),
        ] as [(MPEGFrameHeader, Int64, Int64)] {
            let packet = MPEGPacket(header: header, offset: offset, length: first.length, number: number)
            #expect(!kept.fits(totalLength: total, firstPacket: packet))
        }
    }

    @Test("An index that extends beyond its file fits no file, nor does an empty one")
    func beyond() {
        let short = packets[29].offset
        #expect(!KeptFrameIndex(kept.index, totalLength: short).fits(totalLength: short, firstPacket: packets[0]))
        #expect(!KeptFrameIndex(FrameIndex(), totalLength: total).fits(totalLength: total, firstPacket: packets[0]))
    }

    @Test("An index decodes from its bytes, and from no prefix of them")
    func bytes() {
        let bytes = kept.encoded()
        #expect(KeptFrameIndex(encoded: bytes) == kept)
        #expect(bytes.starts(with: [0, 0, 0, 0]))
        for end in bytes.indices { #expect(KeptFrameIndex(encoded: Array(bytes[..<end])) == nil) }
        #expect(KeptFrameIndex(encoded: [0x80] + bytes.dropFirst()) == nil)
    }
}
