// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Ogg: pages and streams")
struct OggStreamTests {
    /// Splits a stream into its pages.
    static func pages(_ bytes: [UInt8]) -> [[UInt8]] {
        var pages: [[UInt8]] = []
        var rest = bytes[...]
        while rest.count >= 27 {
            let start = rest.startIndex
            let count = Int(rest[start + 26])
            let length = 27 + count + rest[(start + 27)..<(start + 27 + count)].reduce(0) { $0 + Int($1) }
            pages.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return pages
    }

    private static func records(_ pages: [[UInt8]]) -> [Record] {
        ContainerRun.records(Array(pages.joined()), OggParser())
    }

    /// Returns a page with another granule position.
    private static func page(_ page: [UInt8], at granule: Int64) -> [UInt8] {
        var page = page
        page.replaceSubrange(6..<14, with: granule.littleEndianBytes)
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        page.replaceSubrange(22..<26, with: OggWriter.checksum(page).littleEndianBytes)
        return page
    }

    /// Returns the pages of a stream whose granule positions are rounded, as by a copy from Matroska.
    private static func roundedPages(from start: Int64 = 0) -> [[UInt8]] {
        let errors: [Int64] = [24, -20, 28, -24, 0, 48, -44, 40]
        return Self.pages(OpusStream().bytes).enumerated().map { number, bytes in
            guard number >= 2 else { return bytes }
            return Self.page(bytes, at: start + min(Int64(number - 1) * 8, 60) * 960 + errors[number - 2])
        }
    }

    @Test(
        "Granule positions in milliseconds leave neither holes nor an early end, also after a cut",
        arguments: [0, -4800] as [Int64])
    func rounded(start: Int64) {
        let records = Self.records(Self.roundedPages(from: start))
        #expect(records.packets.compactMap(\.frame) == (0..<60).map { $0 * 960 })
        #expect(records.tracks.map(\.end) == [nil])
    }

    @Test("A missing page among pages in milliseconds leaves a gap")
    func holeAmongRounded() {
        let pages = Self.roundedPages()
        let frames = Self.records(Array(pages[..<4]) + Array(pages[5...])).packets.compactMap(\.frame)
        // The first granule position is 24 frames late, that after the gap 24 frames early.
        let expected: [Int64] = (0..<16).map { $0 * 960 } + (24..<60).map { $0 * 960 - 48 }
        #expect(frames == expected)
    }

    @Test("Pages of other streams are skipped")
    func multiplexed() {
        let audio = Self.pages(OpusStream().bytes)
        var video = OggWriter(serial: 99)
        video.add([0x80] + Array("theora".utf8) + .noise(50, 1), granule: 0)
        video.flush()
        for number in 0..<audio.count {
            video.add(.noise(3000, number), granule: Int64(number))
            video.flush()
        }
        let other = Self.pages(video.bytes)
        // The first pages stand together.
        var mixed = [other[0], audio[0]]
        for (first, second) in zip(audio.dropFirst(), other.dropFirst()) { mixed += [second, first] }
        let plain = Self.records(audio)
        let records = Self.records(mixed)
        #expect(records.map(\.payload) == plain.map(\.payload))
        #expect(records.packets.map(\.frame) == plain.packets.map(\.frame))
        #expect(records.compactMap(\.garbage) == [])
    }

    @Test("Only the first audio stream of a group is played")
    func twoAudioStreams() {
        let opus = Self.pages(OpusStream().bytes)
        let vorbis = Self.pages(VorbisStream().bytes)
        let mixed = [opus[0], vorbis[0]] + zip(opus.dropFirst(), vorbis.dropFirst()).flatMap { [$0, $1] }
        let records = Self.records(mixed)
        #expect(records.tracks.count == 1)
        #expect(
            Set(records.filter { $0.packet != nil }.map(\.payload)).isSubset(of: Set(Self.records(opus).map(\.payload)))
        )
    }

    @Test("A missing page leaves a gap in the numbers, and the packets after it keep theirs")
    func hole() {
        let pages = Self.pages(OpusStream().bytes)
        let whole = Self.records(pages).packets.map(\.frame)
        let records = Self.records(Array(pages[..<4]) + Array(pages[5...]))
        #expect(records.packets.map(\.frame) == Array(whole[..<16]) + Array(whole[24...]))
    }

    @Test("A parser that resumes after a missing page numbers the packets as a linear read does")
    func resumeAfterHole() throws {
        let pages = Self.pages(VorbisStream().bytes)
        var run = ContainerRun(Array((pages[..<4] + pages[5...]).joined()), OggParser())
        run.run()
        let linear = run.records.filter { $0.packet != nil }
        // Two pages of nine packets precede the hole.
        run.parser.resume(at: try #require(linear[18].point))
        run.run()
        let resumed = run.records.packets
        #expect(resumed.first?.frames == 0)
        #expect(Array(resumed.dropFirst()) == linear.dropFirst(19).compactMap(\.packet))
    }

    @Test(
        "A missing page before the last one of a stream that counts from a cut leaves a gap",
        arguments: [-4800, -20_000] as [Int64])
    func holeBeforeEndFromCut(start: Int64) {
        var pages = Self.pages(OpusStream(firstGranule: start).bytes)
        pages.remove(at: pages.count - 2)
        let records = Self.records(pages)
        let expected: [Int64] = (0..<48).map { $0 * 960 } + (56..<60).map { $0 * 960 }
        #expect(records.packets.compactMap(\.frame) == expected)
        #expect(records.tracks.map(\.end) == [nil])
    }

    @Test("A jump back over a place where the granule positions go back leads to the same numbers")
    func jumpBackOverJoin() throws {
        // Given a file that FFmpeg has joined: the second part begins 504 frames before the end of the first one.
        let pages = Self.pages(OpusStream().bytes).enumerated().map { number, bytes in
            number < 6 ? bytes : Self.page(bytes, at: min(Int64(number - 1) * 8, 60) * 960 - 504)
        }
        var run = ContainerRun(Array(pages.joined()), OggParser())
        run.run()
        let linear = run.records.filter { $0.packet != nil }
        #expect(linear.packets.compactMap(\.frame) == (0..<60).map { $0 * 960 })

        run.parser.resume(at: try #require(linear[5].point))
        run.run()
        #expect(run.records.packets == Array(linear.packets[5...]))

        run.parser.synchronize(from: linear.packets[16].offset)
        run.run()
        #expect(run.records.packets == Array(linear.packets[16...]))
    }

    @Test("A damaged page is reported as garbage, and the packets after it keep their numbers")
    func damagedPage() throws {
        var pages = Self.pages(OpusStream().bytes)
        let start = Int64(pages[..<4].reduce(0) { $0 + $1.count })
        let length = Int64(pages[4].count)
        pages[4][100] ^= 1
        let records = Self.records(pages)
        #expect(records.compactMap(\.garbage) == [start..<start + length])
        #expect(records.packets.map(\.frame).suffix(4).first == Int64(56 * 960))
        #expect(records.packets.count == 52)
    }

    @Test("A damaged first page of audio does not shift the numbers")
    func damagedStart() {
        var pages = Self.pages(OpusStream().bytes)
        pages[2][60] ^= 1
        #expect(Self.records(pages).packets.first?.frame == Int64(8 * 960))
    }

    @Test("Chained streams are tracks of their own, also with the same serial number")
    func chained() {
        let first = OpusStream(packets: Array(repeating: (9, 1), count: 20), endTrim: 100)
        let second = OpusStream(channels: 1, packets: Array(repeating: (1, 2), count: 10))
        let records = ContainerRun.records(first.bytes + second.bytes + VorbisStream().bytes, OggParser())
        #expect(records.tracks.map(\.ordinal) == [0, 0, 1, 2])
        #expect(records.tracks.map(\.end) == [nil, 20 * 960 - 100, nil, nil])
        #expect(records.tracks.map(\.format.channels) == [2, 2, 1, 2])
        let starts = records.numbered.filter { $0.record.packet?.frame == 0 }
        // The first Vorbis packet has no frames.
        #expect(starts.map(\.track) == [0, 1, 2, 2])
    }

    @Test("A chained stream that cannot be played is skipped")
    func skippedStream() {
        var speex = OggWriter(serial: 5)
        speex.add(Array("Speex   ".utf8), granule: 0)
        speex.flush()
        speex.add(.noise(300, 1), granule: 960)
        speex.flush(isLast: true)
        let records = ContainerRun.records(OpusStream().bytes + speex.bytes + VorbisStream().bytes, OggParser())
        #expect(records.failures == [])
        #expect(records.tracks.map(\.ordinal) == [0, 1])
    }

    @Test("A point of a chained stream is resumed in that stream, and its headers are read again")
    func resumeInChain() throws {
        let bytes = OpusStream().bytes + VorbisStream().bytes
        var run = ContainerRun(bytes, OggParser())
        run.run()
        let linear = run.records
        let opus = try #require(linear.first { $0.packet?.frame == 960 * 30 })
        run.parser.resume(at: try #require(opus.point))
        run.run()
        #expect(run.records.tracks.map(\.ordinal) == [0, 1])
        #expect(run.records.first { $0.packet != nil } == opus)
        #expect(run.records.packets.suffix(80) == linear.packets.suffix(80))
    }

    @Test("Granule positions that go back do not make the numbers go back")
    func backwards() {
        let pages = Self.pages(OpusStream().bytes)
        let second = Self.pages(OpusStream(firstGranule: 1000).bytes)
        var joined = Array(pages.dropLast())
        for (number, page) in second.dropFirst(2).enumerated() {
            // The pages of the second stream continue the sequence of the first.
            var page = page
            page.replaceSubrange(18..<22, with: UInt32(joined.count).littleEndianBytes)
            page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
            page.replaceSubrange(22..<26, with: OggWriter.checksum(page).littleEndianBytes)
            joined.append(page)
            _ = number
        }
        let frames = Self.records(joined).packets.compactMap(\.frame)
        #expect(frames == (0..<Int64(56 + 60)).map { $0 * 960 })
    }

    @Test("A page without a granule position continues the numbers")
    func missingGranule() {
        var pages = Self.pages(OpusStream().bytes)
        pages[4] = Self.page(pages[4], at: -1)
        #expect(Self.records(pages).packets.compactMap(\.frame) == (0..<60).map { $0 * 960 })
    }

    @Test("A tag before the first page is skipped, also if its length is too large")
    func tag() {
        let bytes = OpusStream().bytes
        #expect(ContainerRun.records(Tags.id3v2(900) + bytes, OggParser()).packets.count == 60)
        var lying = Tags.id3v2(900)
        lying[6] = 0x7F
        #expect(ContainerRun.records(lying + bytes, OggParser()).packets.count == 60)
    }

    @Test("Several tags before the first page are skipped, also if the length of the last one is too large")
    func tags() {
        let bytes = OpusStream().bytes
        let records = ContainerRun.records(Tags.id3v2(900) + Tags.id3v2(0) + Tags.id3v2(70) + bytes, OggParser())
        #expect(records.packets.count == 60)
        #expect(records.compactMap(\.garbage) == [])
        var lying = Tags.id3v2(900)
        lying[6] = 0x7F
        #expect(ContainerRun.records(Tags.id3v2(70) + lying + bytes, OggParser()).packets.count == 60)
    }

    @Test("The length is estimated from the length of the file, and exact at the end")
    func length() throws {
        var run = ContainerRun(OpusStream(packetLength: 900).bytes, OggParser()) { 5000 }
        run.parser.totalLength = Int64(run.bytes.count)
        run.run(packets: 30)
        guard case .estimated(let frames) = run.parser.length else {
            Issue.record("\(run.parser.length)")
            return
        }
        #expect(abs(frames - 60 * 960) < 2000)
        run.run()
        #expect(run.parser.length == .exact(60 * 960))
    }

    @Test("Files of false pages are searched in linear time", .timeLimit(.minutes(TimeLimit.factor)))
    func falsePages() {
        // Each of the headers declares a page of 255 segments.
        let header = Array("OggS".utf8) + [0, 0] + [UInt8](repeating: 0xFF, count: 20) + [255]
        let spam = Array(repeatElement(header, count: 20_000).joined())
        let records = ContainerRun.records(OpusStream().bytes + spam, OggParser())
        #expect(records.packets.count == 60)
        #expect(ContainerRun.records(spam, OggParser()).failures == ["no Ogg stream was found"])
    }

    @Test("Headers that never end are rejected")
    func endlessHeader() {
        var writer = OggWriter(serial: 1)
        writer.add(OpusStream().head, granule: 0)
        writer.flush()
        writer.add(Array("OpusTags".utf8) + [255, 255, 255, 127] + [UInt8](repeating: 0, count: 1 << 20), granule: 0)
        #expect(ContainerRun.records(writer.bytes, OggParser()).failures == ["the file ends before its sound"])
    }
}
