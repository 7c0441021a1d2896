// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Testing

@Suite("PacketTimeline")
struct PacketTimelineTests {
    @Test(
        "a trimmed frame lies in the packet that makes it",
        arguments: [
            (0 as Int64, 0 as Int64), (46, 0), (47, 1), (1198, 1), (1199, 2), (-5, 0), (.min, 0),
        ])
    func packetHolding(frame: Int64, packet: Int64) {
        #expect(PacketTimeline(packetFrames: 1152, start: 1105).packet(holding: frame) == packet)
    }

    @Test("packets begin one packet's frames apart, the first one inside the delay")
    func frames() {
        let timeline = PacketTimeline(packetFrames: 576, start: 1105)

        #expect((0..<4).map(timeline.decodedFrame(ofPacket:)) == [0, 576, 1152, 1728])
        #expect((0..<4).map(timeline.trimmedFrame(ofPacket:)) == [-1105, -529, 47, 623])
    }

    @Test("every frame lies in its packet", arguments: [384, 576, 1152])
    func roundTrip(packetFrames: Int) {
        let timeline = PacketTimeline(packetFrames: packetFrames, start: 1105)
        for frame: Int64 in stride(from: 0, to: 100_000, by: 7) {
            let packet = timeline.packet(holding: frame)
            #expect(timeline.trimmedFrame(ofPacket: packet) <= frame)
            #expect(timeline.trimmedFrame(ofPacket: packet + 1) > frame)
        }
    }

    @Test("numbers out of all reason do not trap", arguments: [Int64.min, .min + 1, -1, .max - 1, .max])
    func absurdNumbers(number: Int64) {
        let timeline = PacketTimeline(packetFrames: -4, start: number)
        #expect(timeline.packetFrames == 1)
        #expect(timeline.packet(holding: number) >= 0)
        #expect((timeline.decodedFrame(ofPacket: number) < 0) == (number < 0))
        #expect(timeline.trimmedFrame(ofPacket: number) <= timeline.decodedFrame(ofPacket: number))
        #expect(PacketTimeline(packetFrames: .max, start: 0).decodedFrame(ofPacket: number) != 0)
    }
}
