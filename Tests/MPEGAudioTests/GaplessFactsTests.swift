// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Testing

@Suite("Gapless facts")
struct GaplessFactsTests {
    private let format: MPEGFrameHeader

    init() throws {
        format = try #require(MPEGFrameHeader(0xFFFB_9064))
    }

    /// 40 packets: 46080 PCM frames.
    private func info(
        frames: Int64? = 40, bytes: Int64? = nil, encoder: String? = "LAME3.100", delay: Int? = 576,
        padding: Int? = 1404
    ) -> StreamInfo {
        StreamInfo(
            kind: .info, header: format, offset: 0, length: 417, declaredFrames: frames, declaredBytes: bytes,
            encoder: encoder, encoderDelay: delay, encoderPadding: padding)
    }

    @Test(
        "LAME's delay and padding are shifted by the decoder's delay of 529 PCM frames",
        arguments: ["LAME3.100", "Lavc59.37", "Lavf"])
    func lame(encoder: String) {
        let facts = GaplessFacts(info: info(encoder: encoder), format: format, totalLength: nil)
        #expect(facts.start == 576 + 529)
        #expect(facts.end == 45205)
        #expect(facts.declaredPackets == 40)
    }

    @Test("The end holds only after exactly the declared number of packets")
    func proof() {
        let facts = GaplessFacts(info: info(), format: format, totalLength: nil)
        #expect(facts.end(afterPackets: 40) == facts.end)
        #expect(facts.end(afterPackets: 39) == nil)
        #expect(facts.end(afterPackets: 41) == nil)
    }

    @Test("Padding below the decoder's delay keeps every decoded frame")
    func smallPadding() {
        #expect(GaplessFacts(info: info(padding: 100), format: format, totalLength: nil).end == 46080)
    }

    @Test("Without a tag, or with an unknown encoder, no frame is trimmed")
    func noTag() {
        #expect(GaplessFacts(info: nil, format: format, totalLength: 1) == .none)
        let unknown = GaplessFacts(info: info(encoder: "Other 1.0"), format: format, totalLength: nil)
        #expect(unknown == GaplessFacts(start: 0, end: nil, declaredPackets: 40))
    }

    @Test("A tag that would leave no frame is ignored")
    func absurd() {
        let facts = GaplessFacts(info: info(frames: 1, delay: 600, padding: 600), format: format, totalLength: nil)
        #expect(facts == .none)
        #expect(GaplessFacts(info: info(frames: 0), format: format, totalLength: nil) == .none)
    }

    @Test("A byte count that the file's length contradicts is marked, and the packet count decides")
    func distrust() {
        let facts = GaplessFacts(info: info(bytes: 17000), format: format, totalLength: 500_000)
        #expect(facts == GaplessFacts(start: 1105, end: 45205, declaredPackets: 40, isContradicted: true))
        #expect(!GaplessFacts(info: info(bytes: 17000), format: format, totalLength: 17128).isContradicted)
    }

    @Test("iTunes counts are used unchanged, and only without a LAME tag")
    func iTunes() {
        let comment = ITunSMPB(delay: 528, padding: 1000, frames: 44552)
        let facts = GaplessFacts(info: nil, iTunes: comment, format: format, totalLength: nil)
        #expect(facts == GaplessFacts(start: 528, end: 45080, declaredPackets: 40))
        #expect(GaplessFacts(info: info(), iTunes: comment, format: format, totalLength: nil).start == 1105)
    }

    @Test(
        "Absurd iTunes counts are ignored",
        arguments: [
            ITunSMPB(delay: .max, padding: 1, frames: .max), ITunSMPB(delay: 0, padding: .max, frames: 1),
            ITunSMPB(delay: 0, padding: 0, frames: 0), ITunSMPB(delay: -1, padding: 0, frames: 5),
        ])
    func absurdITunes(comment: ITunSMPB) {
        #expect(GaplessFacts(info: nil, iTunes: comment, format: format, totalLength: nil) == .none)
    }

    @Test("Counts near the limits of Int64 do not trap")
    func overflow() {
        #expect(GaplessFacts(info: info(frames: .max), format: format, totalLength: .max).end == nil)
        #expect(GaplessFacts(info: info(bytes: .min), format: format, totalLength: .max).isContradicted)
    }
}
