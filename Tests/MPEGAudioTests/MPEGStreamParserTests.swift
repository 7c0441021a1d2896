// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import MPEGAudio

@Suite("MPEG stream parser")
struct MPEGStreamParserTests {
    private func events(_ format: MP3Builder.Format = .init(), _ build: (inout MP3Builder) -> Void) -> [MPEGEvent] {
        var stream = MP3Builder(format)
        build(&stream)
        return StreamDriver.events(of: stream.bytes)
    }

    @Test("An empty file has no events and no audio")
    func empty() {
        var parser = MPEGStreamParser()
        #expect(parser.next() == nil)
        #expect(!parser.isDone)
        parser.finish()
        #expect(parser.next() == nil)
        #expect(parser.isDone)
        #expect(!parser.hasFoundAudio)
    }

    @Test("Sync requires three headers: the first packet arrives with the third header, not before")
    func threeHeaders() {
        var stream = MP3Builder()
        stream.addFrames(3)
        var parser = MPEGStreamParser()
        stream.bytes[..<837].withUnsafeBytes { parser.append($0) }
        #expect(parser.next() == nil)
        stream.bytes[837..<838].withUnsafeBytes { parser.append($0) }
        #expect(parser.next() != nil)
        #expect(parser.hasFoundAudio)
    }

    @Test("Two headers without a third one are garbage")
    func twoHeaders() {
        let events = events {
            $0.addFrames(2)
            $0.addGarbage(2000)
        }
        #expect(events == [.garbage(0..<2834)])
    }

    @Test("An incomplete last frame is garbage")
    func truncatedTail() {
        let events = events {
            $0.addFrames(4)
            $0.truncate(by: 1)
        }
        #expect(events.packets.count == 3)
        #expect(events.last == .garbage(1251..<1667))
    }

    @Test("A change of format is reported once, before its first packet")
    func formatChange() throws {
        let events = events {
            $0.addFrames(3)
            $0.format = .init(sampleRate: 48000, kilobits: 96)
            $0.addFrames(3)
        }
        let change = try #require(events.dropFirst(3).first)
        guard case .formatChanged(let from, let to) = change else {
            Issue.record("no format change after the third packet: \(change)")
            return
        }
        #expect(from.sampleRate == 44100)
        #expect(to.sampleRate == 48000)
        #expect(events.count == 7)
        #expect(events.packets.last?.number == 5)
    }

    @Test("A different header with only one successor is not a change of format")
    func unconfirmedChange() {
        let events = events {
            $0.addFrames(3)
            $0.format = .init(sampleRate: 48000, kilobits: 96)
            $0.addFrames(2)
        }
        #expect(events.packets.count == 3)
        #expect(events.last == .garbage(1251..<1827))
    }

    @Test("A change of bit rate, stereo mode or check words is not a change of format")
    func sameStream() {
        let events = events {
            $0.addFrames(3)
            $0.format.kilobits = 64
            $0.format.hasCRC = true
            $0.addFrames(3)
        }
        #expect(events.packets.count == 6)
        #expect(events.count == 6)
    }

    @Test("Tags are reported with type and range")
    func tagRanges() {
        let events = events {
            $0.addID3v2(padding: 90)
            $0.addFrames(1)
            $0.addAPE(version: 2, itemBytes: 36)
            $0.addLyrics3(version: 1, text: 80)
            $0.addID3v1()
        }
        let tags = events.filter { if case .tag = $0 { true } else { false } }
        #expect(
            tags == [
                .tag(.id3v2, 0..<100), .tag(.ape, 517..<617), .tag(.lyrics3, 617..<717), .tag(.id3v1, 717..<845),
            ])
        #expect(events.count == 5)
    }

    @Test("An APE 1 tag, recognized by its footer, reclaims its items from the garbage")
    func ape1() {
        let events = events {
            $0.addFrames(1)
            $0.addFrames(2)
            $0.addGarbage(40)
            $0.addAPE(version: 1, itemBytes: 100)
        }
        #expect(events.suffix(2) == [.garbage(1251..<1291), .tag(.ape, 1291..<1423)])
    }

    @Test("A Lyrics3 tag without an end is limited to 128 KiB")
    func endlessLyrics() {
        let events = events {
            $0.addFrames(3)
            $0.addBytes("LYRICSBEGIN".utf8)
            $0.addGarbage(200_000)
        }
        #expect(events.suffix(2) == [.tag(.lyrics3, 1251..<132_323), .garbage(132_323..<201_262)])
    }

    @Test("The read offset skips a large tag, and the packet after it is found")
    func jumps() {
        var stream = MP3Builder()
        stream.addID3v2(padding: 1_000_000)
        stream.addFrames(3)
        var parser = MPEGStreamParser()
        stream.bytes[..<20].withUnsafeBytes { parser.append($0) }
        #expect(parser.next() == .tag(.id3v2, 0..<1_000_010))
        #expect(parser.next() == nil)
        #expect(parser.readOffset == 1_000_010)
        stream.bytes[1_000_010...].withUnsafeBytes { parser.append($0) }
        guard case .packet(let packet) = parser.next() else {
            Issue.record("no packet after the tag")
            return
        }
        #expect(packet.offset == 1_000_010)
    }

    @Test("A picture in a tag is skipped, and the comment after it is read")
    func jumpsInsideTag() {
        var stream = MP3Builder()
        let comment = MP3Builder.iTunSMPB(delay: 528, padding: 1000, frames: 2_000_000)
        stream.addID3v2(MP3Builder.id3Frame("APIC", [UInt8](repeating: 1, count: 16000)) + comment)
        stream.addFrames(1)
        var parser = MPEGStreamParser()
        stream.bytes[..<20].withUnsafeBytes { parser.append($0) }
        _ = parser.next()
        #expect(parser.next() == nil)
        #expect(parser.readOffset == 10 + 10 + 16000)
        stream.bytes[16020...].withUnsafeBytes { parser.append($0) }
        #expect(parser.next() == .gapless(ITunSMPB(delay: 528, padding: 1000, frames: 2_000_000)))
    }

    @Test("An oversized extended header hides no byte after its tag", arguments: [3, 4])
    func farExtendedHeader(version: UInt8) {
        // given
        var stream = MP3Builder()
        stream.addBytes(Array("ID3".utf8) + [version, 0, 0x40, 0, 0, 0, 20] + [0x7F, 0x7F, 0x7F, 0x7F])
        stream.addBytes([UInt8](repeating: 0, count: 16))
        stream.addFrames(4)
        // when
        let events = StreamDriver.events(of: stream.bytes, cutInto: 7)
        // then
        #expect(events.first == .tag(.id3v2, 0..<30))
        #expect(events.packets.map(\.offset) == stream.frameOffsets)
    }

    @Test("iTunSMPB is read in UTF-16 and in ID3v2.2 and 2.3 too")
    func commentVersions() {
        let text = " 00000000 00000210 000003E8 00000000001E8480"
        let latin = [0] + Array("engiTunSMPB".utf8) + [0] + Array(text.utf8)
        let wide = [1] + Array("eng".utf8) + [0xFF, 0xFE] + ("iTunSMPB" + text).utf8.flatMap { [$0, 0] }
        let expected = MPEGEvent.gapless(ITunSMPB(delay: 528, padding: 1000, frames: 2_000_000))
        for body in [latin, wide] {
            let size = UInt8(body.count)
            let old = Array("COM".utf8) + [0, 0, size] + body
            let new = Array("COMM".utf8) + [0, 0, 0, size, 0, 0] + body
            for (version, frame) in [(2, old), (3, new), (4, new)] as [(UInt8, [UInt8])] {
                let size = [UInt8(frame.count >> 7), UInt8(frame.count & 0x7F)]
                let header = Array("ID3".utf8) + [version, 0, 0, 0, 0] + size
                #expect(StreamDriver.events(of: header + frame).last == expected, "2.\(version)")
            }
        }
    }

    @Test("Searched bytes are counted without tags, and sync resets the count")
    func searchedBytes() {
        var stream = MP3Builder()
        stream.addID3v2(padding: 5000)
        stream.addGarbage(3000)
        var parser = MPEGStreamParser()
        stream.bytes.withUnsafeBytes { parser.append($0) }
        while parser.next() != nil {}
        #expect(parser.searchedBytes == 3000)
        #expect(!parser.hasFoundAudio)
        var frames = MP3Builder()
        frames.addFrames(4)
        frames.bytes.withUnsafeBytes { parser.append($0) }
        while parser.next() != nil {}
        #expect(parser.searchedBytes == 0)
    }

    @Test("The buffered bytes do not grow with the file")
    func boundedMemory() {
        var stream = MP3Builder()
        stream.addFrames(40)
        var parser = MPEGStreamParser()
        for _ in 0..<50 {
            stream.bytes.withUnsafeBytes { parser.append($0) }
            while parser.next() != nil {}
            #expect(parser.window.end - parser.window.start < Int64(2 * stream.bytes.count + 2048))
        }
    }
}
