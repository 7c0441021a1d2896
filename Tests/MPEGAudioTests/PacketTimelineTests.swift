// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import Testing

@Suite("PacketTimeline")
struct PacketTimelineTests {
    /// 44.1 kHz stereo with 1152 frames, 48 kHz stereo with 1152, 22.05 kHz with 576, Layer I with 384.
    private static let words: [UInt32] = [0xFFFB_9064, 0xFFFB_7464, 0xFFF3_8064, 0xFFFF_9064]
    private static let headers = words.compactMap { MPEGFrameHeader($0) }

    private func timeline(_ header: Int = 0, start: Int64) -> PacketTimeline {
        PacketTimeline(runs: FormatRuns(Self.headers[header]), start: start)
    }

    /// 100 packets at 48 kHz, 50 at 44.1 kHz, then 22.05 kHz.
    private static let mixed: FormatRuns = {
        var runs = FormatRuns(headers[1])
        runs.append(headers[0], ofPacket: 100)
        runs.append(headers[2], ofPacket: 150)
        return runs
    }()

    @Test(
        "A trimmed frame belongs to the packet that decodes to it",
        arguments: [
            (0 as Int64, 0 as Int64), (46, 0), (47, 1), (1198, 1), (1199, 2), (-5, 0), (.min, 0),
        ])
    func packetHolding(frame: Int64, packet: Int64) {
        #expect(timeline(start: 1105).packet(holding: frame) == packet)
    }

    @Test("Packets begin one packet length apart, the first one within the delay")
    func frames() {
        let timeline = timeline(2, start: 1105)

        #expect((0..<4).map(timeline.decodedFrame(ofPacket:)) == [0, 576, 1152, 1728])
        #expect((0..<4).map(timeline.trimmedFrame(ofPacket:)) == [-1105, -529, 47, 623])
    }

    @Test("Every frame belongs to its packet", arguments: 0..<4)
    func roundTrip(header: Int) {
        let timelines = [timeline(header, start: 1105), PacketTimeline(runs: Self.mixed, start: 1105)]
        for timeline in timelines {
            for frame: Int64 in stride(from: 0, to: 300_000, by: 7) {
                let packet = timeline.packet(holding: frame)
                #expect(timeline.trimmedFrame(ofPacket: packet) <= frame)
                #expect(timeline.trimmedFrame(ofPacket: packet + 1) > frame)
            }
        }
    }

    @Test("Times and frames convert exactly in both directions across a change of rate")
    func mixedTimes() {
        let timeline = PacketTimeline(runs: Self.mixed, start: 1105)
        // 115,200 - 1105 frames at 48 kHz, 57,600 at 44.1 kHz, and one second at 22.05 kHz.
        let seconds = Double(115_200 - 1105) / 48_000 + 57_600.0 / 44_100 + 1
        let frame: Int64 = 115_200 - 1105 + 57_600 + 22_050
        #expect(abs(timeline.time(ofFrame: frame) / .seconds(1) - seconds) < 1e-9)
        for frame: Int64 in stride(from: 0, to: 300_000, by: 1) {
            #expect(timeline.frame(at: timeline.time(ofFrame: frame)) == frame)
        }
    }

    @Test("Runs that are cut at a packet continue there with another format")
    func cut() {
        let runs = Self.mixed.cut(at: 120, continuedBy: Self.headers[1])
        #expect(runs.decodedFrame(ofPacket: 121) == 121 * 1152 && runs.last.packet == 120)
        #expect(Self.mixed.cut(at: 0, continuedBy: Self.headers[0]) == FormatRuns(Self.headers[0]))
        #expect(Self.mixed.maximumFormat == AudioFormat(sampleRate: 48000, channels: 2))
    }

    @Test("Absurd numbers do not trap", arguments: [Int64.min, .min + 1, -1, .max - 1, .max])
    func absurdNumbers(number: Int64) {
        for runs in [FormatRuns(Self.headers[0]), Self.mixed] {
            let timeline = PacketTimeline(runs: runs, start: number)
            #expect(timeline.packet(holding: number) >= 0)
            #expect((timeline.decodedFrame(ofPacket: number) < 0) == (number < 0))
            #expect(timeline.trimmedFrame(ofPacket: number) <= timeline.decodedFrame(ofPacket: number))
            _ = timeline.time(ofFrame: number)
            #expect(timeline.frame(at: .seconds(number / 4)) >= 0)
        }
    }
}
