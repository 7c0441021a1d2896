// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Testing

@Suite("Stream info")
struct StreamInfoTests {
    private func info(_ format: MP3Builder.Format = .init(), _ build: (inout MP3Builder) -> Void) -> StreamInfo? {
        var stream = MP3Builder(format)
        build(&stream)
        stream.addFrames(3)
        return StreamDriver.events(of: stream.bytes).infos.first
    }

    @Test("A Xing frame has its counts, table, encoder, delay and padding")
    func xing() throws {
        let info = try #require(
            info {
                $0.addID3v2(padding: 90)
                $0.addXing(frames: 3, bytes: 1668, encoder: "LAME3.100", delay: 576, padding: 1234)
            })
        #expect(info.kind == .xing)
        #expect(info.offset == 100)
        #expect(info.length == 417)
        #expect(info.declaredFrames == 3)
        #expect(info.declaredBytes == 1668)
        #expect(info.encoder == "LAME3.100")
        #expect(info.encoderDelay == 576)
        #expect(info.encoderPadding == 1234)
        guard case .xing(let table) = info.seekTable else {
            Issue.record("the frame has no seek table")
            return
        }
        #expect(table.count == 100)
        #expect(table[50] == 128)
    }

    @Test(
        "A Xing frame is recognized in every version, mono and stereo, with and without a check word",
        arguments: MP3Builder.Format.Version.allCases, [false, true])
    func everyKind(version: MP3Builder.Format.Version, hasCRC: Bool) {
        let rate = version == .mpeg1 ? 44100 : version == .mpeg2 ? 22050 : 11025
        for isMono in [false, true] {
            let format = MP3Builder.Format(version, sampleRate: rate, isMono: isMono, hasCRC: hasCRC)
            let info = info(format) { $0.addXing(isInfo: true, frames: 3, encoder: "Lavc59.37") }
            #expect(info?.kind == .info)
            #expect(info?.declaredFrames == 3)
            #expect(info?.declaredBytes == nil)
            #expect(info?.encoder == "Lavc59.37")
        }
    }

    @Test("A VBRI frame has counts and a table in bytes")
    func vbri() {
        let info = info { $0.addVBRI(frames: 3, bytes: 1668, entries: [834, 417], packetsPerEntry: 2) }
        #expect(info?.kind == .vbri)
        #expect(info?.declaredFrames == 3)
        #expect(info?.declaredBytes == 1668)
        #expect(info?.seekTable == .vbri([834, 417], packetsPerEntry: 2))
        #expect(info?.encoderDelay == nil)
    }

    @Test("A VBRI table that is larger than its frame is ignored")
    func hostileTable() throws {
        var stream = MP3Builder()
        stream.addVBRI(frames: 3, bytes: 1668, entries: [834, 417], packetsPerEntry: 2)
        stream.addFrames(3)
        var bytes = stream.bytes
        bytes[54] = 0xFF
        let info = try #require(StreamDriver.events(of: bytes).infos.first)
        #expect(info.seekTable == nil)
    }

    @Test("The byte count agrees with the file's length up to small trailing tags")
    func agreement() throws {
        let info = try #require(
            info {
                $0.addID3v2(padding: 90)
                $0.addXing(frames: 3, bytes: 1668)
            })
        #expect(info.agrees(withTotalLength: nil))
        #expect(info.agrees(withTotalLength: 1768))
        #expect(info.agrees(withTotalLength: 1768 + 128))
        #expect(!info.agrees(withTotalLength: 1767))
        #expect(!info.agrees(withTotalLength: 1768 + 5000))
    }
}
