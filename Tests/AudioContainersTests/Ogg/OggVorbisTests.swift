// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Ogg: Vorbis and FLAC")
struct OggVorbisTests {
    private func records(_ stream: VorbisStream) -> [Record] { ContainerRun.records(stream.bytes, OggParser()) }

    @Test("The block sizes determine the durations; the first packet has none", arguments: [(6, 13), (8, 11), (9, 9)])
    func durations(exponents: (Int, Int)) {
        let stream = VorbisStream(exponents: exponents)
        let records = records(stream)
        #expect(records.packets.map(\.frames) == stream.durations)
        #expect(records.tracks.first?.preRoll == Int64(1 << exponents.1) / 2)
    }

    @Test(
        "The first granule position drops frames at the start, also if it is negative, the last one at the end",
        arguments: [300, 20_000] as [Int64])
    func trim(start: Int64) {
        let stream = VorbisStream(firstGranule: -start, endTrim: 40)
        let records = records(stream)
        let total = Int64(stream.durations.reduce(0, +))
        #expect(records.tracks.map(\.start) == [start, start])
        #expect(records.tracks.map(\.end) == [nil, total - 40])
    }

    @Test("A jump to a page with a negative granule position finds the packets with their numbers")
    func jumpBeforeCut() {
        var run = ContainerRun(VorbisStream(firstGranule: -20_000).bytes, OggParser())
        run.run()
        let linear = run.records.packets
        // The second page begins with the tenth packet, which prepares the decoder.
        run.parser.synchronize(from: linear[9].offset)
        run.run()
        #expect(Array(run.records.packets.dropFirst()) == Array(linear[10...]))
    }

    @Test(
        "A page that is late by the difference of two packets, or twice that, leaves no hole unless one is missing",
        arguments: [18_480, 18_940] as [Int64])
    func movedDurations(late: Int64) throws {
        let vorbis = OggVorbis(try VorbisIdentification(VorbisStream().identification[...]), bytes: [])
        let clock = OggClock(trimsStart: true, trimsEnd: true, preSkip: 0, longestLag: vorbis.longestLag, rate: 44100)
        let placements = placements(clock, pagesOf: 9000, at: [9000, late, 27_016, 36_480], hole: 3)
        let expected: [OggClock.Placement] = [
            .at(0, end: nil), .at(9000, end: nil), .at(18_000, end: nil), .at(27_480, end: nil),
        ]
        #expect(placements == expected)
    }

    @Test("Times in milliseconds leave no hole at a high sample rate, unless a packet is missing")
    func roundedAtHighRate() {
        let clock = OggClock(trimsStart: false, trimsEnd: false, preSkip: 0, longestLag: 0, rate: 192_000)
        // The pages have ten packets of 4,096 frames, and end at 213, 427 and 640 ms. A packet before the last page is
        // missing, although the numbers of the pages do not show that.
        let placements = placements(clock, pagesOf: 40_960, at: [40_896, 81_984, 122_880, 168_000])
        let expected: [OggClock.Placement] = [
            .at(0, end: nil), .at(40_960, end: nil), .at(81_920, end: nil), .at(127_104, end: nil),
        ]
        #expect(placements == expected)
    }

    @Test(
        "A negative granule position is ignored in a stream that counts from its start, and after the start of a cut",
        arguments: [[9000, 18_000, -5, 36_000], [8688, 17_688, -5, 35_688], [-2000, 7000, -5, 25_000]] as [[Int64]])
    func strayNegative(granules: [Int64]) {
        let clock = OggClock(trimsStart: false, trimsEnd: true, preSkip: 312, longestLag: 0, rate: 48000)
        let expected: [OggClock.Placement] = [
            .at(0, end: nil), .at(9000, end: nil), .at(18_000, end: nil), .at(27_000, end: nil),
        ]
        let inside = placements(clock, pagesOf: 9000, at: granules)
        let atEnd = placements(clock, pagesOf: 9000, at: Array(granules[..<3]), last: 2)
        #expect(inside == expected)
        #expect(atEnd == Array(expected[..<3]))
    }

    @Test("A stream with a damaged start counts from its start, unless its first position is that of a cut",
        arguments: [(20_000, 11_000, 0), (-2000, 0, -11_000)] as [(Int64, Int64, Int64)])
    func damagedStart(granule: Int64, frame: Int64, base: Int64) {
        var clock = OggClock(trimsStart: true, trimsEnd: true, preSkip: 0, longestLag: 0, rate: 48000)
        clock.isStartDamaged = true
        let placement = clock.place(
            OggClock.Page(
                offset: 0, frames: 9000, granule: granule, isLast: false, isAfterHole: false, mayOverlap: false))
        #expect(placement == .at(frame, end: nil))
        #expect(clock.base == base)
    }

    /// Returns the places of pages with these granule positions.
    /// - Parameters:
    ///   - hole: the number of the page before which another one is missing.
    ///   - last: the number of the page that ends the stream.
    private func placements(
        _ clock: OggClock, pagesOf frames: Int64, at granules: [Int64], hole: Int? = nil, last: Int? = nil
    ) -> [OggClock.Placement] {
        var clock = clock
        return granules.enumerated().map { number, granule in
            clock.place(
                OggClock.Page(
                    offset: Int64(number), frames: frames, granule: granule, isLast: number == last,
                    isAfterHole: number == hole, mayOverlap: number == hole))
        }
    }

    @Test("The codec has the identification and setup headers")
    func codec() throws {
        let stream = VorbisStream(comments: [Array("TITLE=T".utf8)])
        let track = try #require(records(stream).tracks.first)
        let expected = AudioCodec.vorbis(identification: stream.identification, setup: VorbisStream.setup())
        #expect(track.codec == expected)
        #expect(track.format == AudioFormat(sampleRate: 44100, channels: 2))
    }

    @Test("A packet that prepares the decoder precedes the resumed one")
    func resume() throws {
        let stream = VorbisStream()
        var run = ContainerRun(stream.bytes, OggParser())
        run.run()
        let wanted = run.records.filter { $0.packet != nil }[40]
        run.parser.resume(at: try #require(wanted.point))
        run.run(packets: 2)
        let found = run.records.filter { $0.packet != nil }
        #expect(found[0].payload == stream.packet(39))
        #expect(found[0].packet?.frames == 0)
        #expect(found[1] == wanted)
    }

    @Test("Headers and packets of unknown modes among the audio are reported as garbage")
    func invalidPackets() {
        var writer = OggWriter(serial: 3)
        let stream = VorbisStream()
        writer.add(stream.identification, granule: 0)
        writer.flush()
        writer.add([3] + Array("vorbis".utf8) + CommentBlock.bytes([]) + [1], granule: 0)
        writer.add(VorbisStream.setup(modes: [false, true, true]), granule: 0)
        writer.flush()
        // The second bit to the third are the mode: 3 does not exist.
        for packet in [[0], [2, 1], [6, 2], [1, 3], [4, 4]] as [[UInt8]] { writer.add(packet, granule: 1600) }
        writer.flush(isLast: true)
        let records = ContainerRun.records(writer.bytes, OggParser())
        #expect(records.packets.map(\.frames) == [0, 576, 1024])
        #expect(records.compactMap(\.garbage).count == 2)
    }

    @Test("A setup header with codebooks, floors, residues and mappings of every kind is parsed")
    func setup() {
        #expect(VorbisSetup.blockFlags(of: Self.richSetup[...], channels: 2) == [false, true, true])
        // A bit less is too little.
        #expect(VorbisSetup.blockFlags(of: Self.richSetup.dropLast(), channels: 2) == nil)
        #expect(VorbisSetup.blockFlags(of: [5], channels: 2) == nil)
    }

    @Test("A damaged setup header is refused")
    func damagedSetup() {
        var writer = OggWriter(serial: 3)
        writer.add(VorbisStream().identification, granule: 0)
        writer.flush()
        writer.add([3] + Array("vorbis".utf8) + CommentBlock.bytes([]) + [1], granule: 0)
        writer.add(VorbisStream.setup().dropLast(9), granule: 0)
        writer.flush()
        #expect(ContainerRun.records(writer.bytes, OggParser()).failures == ["the Vorbis header is damaged"])
    }

    /// Source: Vorbis I section 4.2.4.
    private static var richSetup: [UInt8] {
        var bits = BitWriter()
        func write(_ fields: (Int, Int)...) { for (value, width) in fields { bits.write(value, width) } }
        write((2, 8))
        // Ordered lengths of 5 entries: one, then four; values of type 1: two for two dimensions.
        write(
            (0x564342, 24), (2, 16), (5, 24), (1, 1), (0, 5), (1, 3), (4, 3), (1, 4), (0, 32), (0, 32), (3, 4), (0, 1))
        write((0, 8))
        // Sparse lengths of 3 entries, two used; values of type 2: 3 entries of one dimension.
        write((0x564342, 24), (1, 16), (3, 24), (0, 1), (1, 1), (1, 1), (0, 5), (0, 1), (1, 1), (0, 5), (2, 4))
        write((0, 32), (0, 32), (0, 4), (0, 1), (0, 3))
        write((0x564342, 24), (1, 16), (2, 24), (0, 1), (0, 1), (0, 5), (0, 5), (0, 4))
        write((0, 6), (0, 16))
        // A floor of type 0 with two books; one of type 1 with classes 0 and 1, whose dimensions are 1 and 2.
        write((1, 6), (0, 16), (0, 8), (0, 16), (0, 16), (0, 6), (0, 8), (1, 4), (0, 8), (0, 8))
        write((1, 16), (2, 5), (0, 4), (1, 4), (0, 3), (0, 2), (0, 8), (1, 3), (1, 2), (0, 8), (0, 8), (0, 8))
        write((1, 2), (4, 4), (0, 4), (0, 4), (0, 4))
        // A residue of two classifications: one book, then two.
        write((0, 6), (2, 16), (0, 24), (0, 24), (0, 24), (1, 6), (0, 8), (1, 3), (0, 1), (2, 3), (1, 1), (1, 5))
        write((0, 8), (0, 8), (0, 8))
        // A mapping of two submaps with a coupling step.
        write((0, 6), (0, 16), (1, 1), (1, 4), (1, 1), (0, 8), (0, 1), (1, 1), (0, 2), (0, 4), (1, 4))
        write((0, 24), (0, 24))
        write((2, 6), (0, 1), (0, 32), (0, 8), (1, 1), (0, 32), (0, 8), (1, 1), (0, 32), (0, 8), (1, 1))
        return [5] + Array("vorbis".utf8) + bits.bytes
    }

    @Test(
        "FLAC in Ogg has the packets, tags and pictures of FLAC",
        arguments: [OggFLACStream.Mapping.standard, .vlc, .flac])
    func flac(mapping: OggFLACStream.Mapping) {
        let image: [UInt8] = [0xFF, 0xD8, 0xFF] + .noise(100, 2)
        var stream = OggFLACStream(mapping: mapping)
        stream.blocks.append((6, CommentBlock.picture(image)))
        let records = ContainerRun.records(stream.bytes, OggParser())
        #expect(records.metadata.title == "in Ogg")
        #expect(records.metadata.artwork == .init(bytes: image, mimeType: "image/jpeg"))
        #expect(records.packets.map(\.frames) == FLACWriter(frames: 192 * 30 - 20).sizes)
    }

    @Test("FLAC ends with its last packet, also if the last granule position is lower", arguments: [2, 30])
    func endOfFLAC(count: Int) {
        let end = Int64(192 * count - 20)
        let stream = OggFLACStream(count: count, granule: { $0 == end ? $0 - 28 : $0 })
        var run = ContainerRun(stream.bytes, OggParser())
        run.run()
        #expect(run.records.tracks.map(\.end) == [nil])
        #expect(run.records.packets.last?.frames == 172)
        #expect(run.parser.length == .exact(end))
    }

    @Test(
        "The frames of an early mapping are numbered by their headers, also after a jump",
        arguments: OggFLACStream.Mapping.early)
    func earlyMapping(mapping: OggFLACStream.Mapping) {
        var run = ContainerRun(OggFLACStream(mapping: mapping, granule: { _ in 7 }).bytes, OggParser())
        run.run()
        let linear = run.records.packets
        #expect(linear.compactMap(\.frame) == (0..<30).map { $0 * 192 })
        #expect(run.parser.length == .exact(5740))

        run.parser.synchronize(from: 0)
        run.run()
        #expect(run.records.packets == linear)
        // The headers in the page of the first frames are not damage.
        #expect(run.records.compactMap(\.garbage) == [])
    }

    @Test("A missing page of an early mapping leaves a gap")
    func holeInEarlyMapping() {
        var pages = OggStreamTests.pages(OggFLACStream(mapping: .vlc, blocks: [], granule: { _ in 7 }).bytes)
        pages.remove(at: 3)
        let frames = ContainerRun.records(Array(pages.joined()), OggParser()).packets.compactMap(\.frame)
        let expected: [Int64] = (0..<4).map { $0 * 192 } + (8..<30).map { $0 * 192 }
        #expect(frames == expected)
    }

    @Test("The marker of FLAC without a STREAMINFO block after it is refused")
    func markerWithoutStreamInfo() {
        var writer = OggWriter(serial: 1)
        for packet in [Array("fLaC".utf8), FLACWriter.block(4, CommentBlock.bytes([]), isLast: true)] {
            writer.add(packet, granule: 0)
            writer.flush()
        }
        #expect(ContainerRun.records(writer.bytes, OggParser()).failures == ["the FLAC header is damaged"])
    }
}
