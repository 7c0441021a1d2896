// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import MPEGAudio
import Media
import Testing

@Suite("Duration estimate")
struct DurationEstimateTests {
    /// 48 kHz, 96 kbit/s: packets of 288 bytes and 24 ms.
    private let format: MPEGFrameHeader

    init() throws {
        format = try #require(MPEGFrameHeader(0xFFFB_7464))
    }

    private func estimate(
        _ info: StreamInfo? = nil, packets: Int64, bytes: Int64? = nil, total: Int64?, isComplete: Bool = false,
        expected: Duration? = nil
    ) -> DurationEstimate {
        DurationEstimate(
            info: info, gapless: GaplessFacts(info: info, format: format, totalLength: total), format: format,
            packets: packets, packetBytes: bytes ?? packets * 288, audioStart: 1000, totalLength: total,
            isComplete: isComplete, expected: expected)
    }

    private func info(
        _ kind: StreamInfo.Kind, frames: Int64?, bytes: Int64? = nil, table: SeekTable? = nil, encoder: String? = nil
    ) -> StreamInfo {
        StreamInfo(
            kind: kind, header: format, offset: 712, length: 288, declaredFrames: frames, declaredBytes: bytes,
            seekTable: table, encoder: encoder, encoderDelay: encoder == nil ? nil : 576,
            encoderPadding: encoder == nil ? nil : 1000)
    }

    @Test("The duration is unknown without a length and a tag")
    func unknown() {
        #expect(estimate(packets: 10, total: nil).duration == .unknown)
    }

    @Test("The estimate uses the mean bit rate so far and the length; before the first packet, the header's bit rate")
    func estimated() {
        let total: Int64 = 1000 + 288 * 1000
        #expect(estimate(packets: 10, total: total).duration == .estimated(.seconds(24)))
        #expect(estimate(packets: 10, bytes: 5760, total: total).duration == .estimated(.seconds(12)))
        #expect(estimate(packets: 0, total: total).duration == .estimated(.seconds(24)))
    }

    @Test("The duration is declared and trimmed while nothing contradicts the tag")
    func declared() {
        let tag = info(.info, frames: 1000, bytes: 288 * 1001, encoder: "LAME3.100")
        let total: Int64 = 712 + 288 * 1001
        let music = Int64(1000 * 1152 - 576 - 1000)
        let expected = AudioFormat(sampleRate: 48000, channels: 2).duration(ofFrames: music)
        #expect(estimate(tag, packets: 10, total: total).duration == .declared(expected))
    }

    @Test("Without the length of the file, the duration that a tag states is an estimate")
    func statedWithoutLength() {
        let tag = info(.info, frames: 1000, bytes: 288 * 1001)
        #expect(estimate(tag, packets: 10, total: nil).duration == .estimated(.seconds(24)))
    }

    @Test("A length that becomes known later contradicts a tag, too")
    func contradictedLater() {
        let tag = info(.info, frames: 1000, bytes: 288 * 1001)
        let estimate = DurationEstimate(
            info: tag, gapless: GaplessFacts(info: tag, format: format, totalLength: nil), format: format,
            packets: 10, packetBytes: 2880, audioStart: 1000, totalLength: 1000 + 288 * 2000, isComplete: false)
        #expect(estimate.duration == .estimated(.seconds(48)))
    }

    @Test("A tag that the length or the packet count contradicts is ignored")
    func contradicted() {
        let tag = info(.info, frames: 1000, bytes: 288 * 1001)
        let longer = estimate(tag, packets: 10, total: 1000 + 288 * 2000)
        #expect(longer.duration == .estimated(.seconds(48)))
        let overrun = estimate(tag, packets: 1001, total: 712 + 288 * 1001 + 288)
        #expect(overrun.duration.quality == "estimated")
    }

    @Test("The duration is exact after a complete parse, with end trim only if the tag's count is right")
    func exact() {
        let tag = info(.info, frames: 1000, encoder: "LAME3.100")
        let pcm = AudioFormat(sampleRate: 48000, channels: 2)
        let whole = estimate(tag, packets: 1000, total: nil, isComplete: true)
        #expect(whole.duration == .exact(pcm.duration(ofFrames: 1000 * 1152 - 1576)))
        let short = estimate(tag, packets: 900, total: nil, isComplete: true)
        #expect(short.duration == .exact(pcm.duration(ofFrames: 900 * 1152 - 1105)))
        #expect(estimate(packets: 0, total: 0, isComplete: true).duration == .exact(.zero))
    }

    @Test("Without a tag, places lie on the line from the counted packets to the expected end")
    func expected() throws {
        // 100 packets of 288 bytes are counted; 900 packets of 144 bytes follow.
        let total: Int64 = 1000 + 288 * 100 + 144 * 900
        let estimate = estimate(packets: 100, total: total, expected: .seconds(24))
        #expect(estimate.byte(ofPacket: 50) == Int64(1000 + 288 * 50))
        #expect(estimate.byte(ofPacket: 500) == Int64(1000 + 288 * 100 + 144 * 400))
        #expect(estimate.packet(atByte: total) == 1000)
        let duration = try #require(estimate.duration.value)
        #expect(abs(duration / .seconds(1) - 24) < 1e-6)
    }

    @Test("In the first minute, the expected duration counts at a fourth of its bit rate", arguments: [100, 2400])
    func quietIntroduction(packets: Int64) {
        // Packets of 288 bytes are counted; 4000 packets of 1152 bytes follow.
        let total: Int64 = 1000 + 288 * packets + 1152 * 4000
        let estimate = estimate(packets: packets, total: total, expected: .seconds(packets + 4000) * 0.024)
        #expect((estimate.packet(atByte: total) == packets + 4000) == (packets == 100))
    }

    @Test(
        "An expected duration that contradicts the bit rate so far is ignored, and so is one before enough packets",
        arguments: [(100, 3), (100, 100), (95, 24), (100, 2)] as [(Int64, Int)])
    func doubtfulExpectation(packets: Int64, seconds: Int) {
        let total: Int64 = 1000 + 288 * 500
        let estimate = estimate(packets: packets, total: total, expected: .seconds(seconds))
        #expect(estimate.byte(ofPacket: 300) == Int64(1000 + 288 * 300))
    }

    @Test("Time and byte conversions are inverse along the mean bit rate")
    func linear() throws {
        let estimate = estimate(packets: 10, total: 1000 + 288 * 1000)
        #expect(estimate.time(atByte: 1000) == .zero)
        #expect(estimate.time(atByte: 1000 + 288 * 500) == .seconds(12))
        #expect(estimate.byte(atTime: .seconds(12)) == 145_000)
        #expect(estimate.byte(atTime: .seconds(9999)) == 289_000)
        #expect(estimate.byte(atTime: .seconds(-5)) == 1000)
    }

    @Test("A Xing table bends the line: half of the time in a quarter of the bytes")
    func xingTable() throws {
        let slow = (0..<50).map { UInt8($0 * 64 / 50) }
        let fast = (0..<50).map { UInt8(64 + $0 * 192 / 50) }
        let estimate = estimate(
            info(.xing, frames: 1000, bytes: 288_000, table: .xing(slow + fast)), packets: 5, total: 288_712)
        let half = try #require(estimate.byte(atTime: .seconds(12)))
        // An entry is exact to a 256th of the bytes.
        #expect(abs(half - (712 + 72_000)) <= 288_000 / 256)
        let time = try #require(estimate.time(atByte: 712 + 72_000))
        #expect(abs((time - .seconds(12)) / .milliseconds(1)) <= 130)
    }

    @Test("The rounding of a Xing table is smoothed if the bit rate hardly changes", arguments: [0.3, 0.5, 0.75, 0.99])
    func taut(part: Double) throws {
        // Given: an hour at a bit rate that varies by a fifth every three minutes, with a table rounded to 14 s.
        let packets: Int64 = 150_000
        let bytes: Int64 = 43_200_000
        func byte(_ part: Double) -> Double { Double(bytes) * (part + 0.2 * sin(part * 40 * .pi) / (40 * .pi)) }
        let table = (0..<100).map { UInt8(byte(Double($0) / 100) / Double(bytes) * 256) }
        let tag = info(.xing, frames: packets, bytes: bytes, table: .xing(table))
        let estimate = estimate(tag, packets: 5, total: bytes + 712)
        // Then: the error comes from the varying bit rate, not from the rounding.
        let place = try #require(estimate.packet(atByte: 712 + Int64(byte(part))))
        #expect(abs(Double(place) / Double(packets) - part) * 3600 < 7)
    }

    @Test("The entries of a LAME table refer to the ends of its steps", arguments: [0.1, 0.4, 0.75, 0.99])
    func steps(part: Double) throws {
        // Given: 137,815 packets of about equal length, in 269 steps of 512.
        let packets: Int64 = 137_815
        let table = (0..<100).map { (entry: Int) -> UInt8 in
            let end = (entry * 269 / 100 + 1) * 512
            return UInt8(end * 256 / Int(packets))
        }
        let tag = info(.xing, frames: packets, bytes: packets * 300, table: .xing(table), encoder: "LAME3.100")
        let estimate = estimate(tag, packets: 5, total: packets * 300 + 712)
        // Then: the error is below a second. Read as percentages, the entries would be off by up to nine seconds.
        let place = try #require(estimate.packet(atByte: 712 + Int64(part * Double(packets * 300))))
        #expect(abs(Double(place) / Double(packets) - part) * 3307 < 1)
    }

    @Test("A Xing frame without a table yields a straight line")
    func noTable() {
        let tag = info(.xing, frames: 1000, bytes: 576_712)
        #expect(estimate(tag, packets: 5, total: 577_424).byte(ofPacket: 500) == 289_212)
    }

    @Test("At a constant bit rate every packet's position is exact, even if the counted packets are rounded")
    func constant() throws {
        // 44.1 kHz, 128 kbit/s: 417.96 bytes per packet; the first one has 417.
        let format = try #require(MPEGFrameHeader(0xFFFB_9064))
        let estimate = DurationEstimate(
            info: nil, gapless: .none, format: format, packets: 1, packetBytes: 417, audioStart: 0,
            totalLength: 41_795_918, isComplete: false, isConstantBitrate: true)
        #expect(estimate.byte(ofPacket: 100_000) == 41_795_918)
        #expect(estimate.packet(atByte: 41_795_900) == 100_000)
        #expect(estimate.duration.value.map { abs($0 / .seconds(1) - 2612.24) < 0.01 } == true)
    }

    @Test("A VBRI table counts from the end of its frame")
    func vbriTable() {
        let table = SeekTable.vbri([100_000, 188_000], packetsPerEntry: 500)
        let estimate = estimate(info(.vbri, frames: 1000, bytes: 288_288, table: table), packets: 5, total: 289_000)
        #expect(estimate.byte(atTime: .seconds(12)) == 101_000)
        #expect(estimate.time(atByte: 101_000) == .seconds(12))
    }

    @Test("A table of zeros is ignored in favour of the mean bit rate")
    func emptyTable() {
        let table = SeekTable.xing([UInt8](repeating: 0, count: 100))
        let flat = estimate(info(.xing, frames: 1000, bytes: 0, table: table), packets: 5, total: nil)
        #expect(flat.byte(atTime: .seconds(12)) == 145_000)
    }

    @Test("Numbers near the limits of Int64 do not trap")
    func hostile() {
        for number in [0, 1, .max, .max / 2] as [Int64] {
            let tag = info(.xing, frames: number, bytes: number, table: .xing([0, 255]), encoder: "LAME")
            let estimate = estimate(tag, packets: number, bytes: number, total: number)
            _ = estimate.duration
            #expect(estimate.byte(atTime: .seconds(Int64.max / 4)) ?? 0 >= 0)
            #expect(estimate.time(atByte: .max) ?? .zero >= .zero)
        }
    }
}
