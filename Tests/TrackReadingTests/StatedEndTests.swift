// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("The end that a container states")
struct StatedEndTests {
    /// The formats that state neither a length nor a mark of the end.
    private static let silent: Set<TrackFileCase> = [.aacFragments, .adts, .heADTS, .flac]

    @Test("A whole file reaches the end that it states", arguments: TrackFileCase.allCases)
    func whole(format: TrackFileCase) throws {
        for file in [try format.file(), try format.shortFile()] {
            let end = TrackFormat.statedEnd(of: MemoryByteSource(file.bytes))
            #expect(end == (Self.silent.contains(format) ? nil : .reached))
        }
    }

    @Test("A truncated file reaches it only if no frame is missing", arguments: TrackFileCase.allCases)
    func truncated(format: TrackFileCase) throws {
        let file = try format.file()
        let count = file.bytes.count
        for length in (1..<24).map({ count * $0 / 24 }) + [count - 5000, count - 300, count - 9, count - 1] {
            let rest = Array(file.bytes.prefix(length))
            guard TrackFormat.statedEnd(of: MemoryByteSource(rest)) == .reached else { continue }
            let isWhole = file.isWhole(file.reader(MemoryByteSource(rest)).read())
            #expect(isWhole, "\(length) of \(count) bytes")
        }
    }

    @Test(
        "A file that ends in the middle lacks bytes of a stated length; of Ogg, only the mark of the end is missing",
        arguments: [.aac, .aacLast, .opusInMP4, .opus, .vorbis, .oggFLAC, .flacTable, .flacInMP4, .wave]
            as [TrackFileCase])
    func half(format: TrackFileCase) throws {
        let bytes = try format.file().bytes
        let end = TrackFormat.statedEnd(of: MemoryByteSource(Array(bytes.prefix(bytes.count / 2))))
        let isOgg = [.opus, .vorbis, .oggFLAC].contains(format)
        #expect(end == .missing(isOgg ? .mark : .length))
    }

    @Test("The bytes between the beginning and the last megabyte are not read")
    func long() throws {
        let bytes = try TrackFileCase.wave.file().bytes
        let source = MemoryByteSource(bytes, held: 100_000)
        source.release(bytes.count - 1_100_000..<bytes.count)
        #expect(bytes.count > 2_500_000 && TrackFormat.statedEnd(of: source) == .reached)
    }

    @Test("The index of all fragments states the end of a file, an index of one fragment does not")
    func indices() {
        var builder = FragmentBuilder([[UInt8]](repeating: [UInt8](repeating: 7, count: 1000), count: 60))
        builder.hasSegmentIndex = true
        #expect(TrackFormat.statedEnd(of: MemoryByteSource(builder.build().bytes)) == .reached)
        (builder.hasSegmentIndex, builder.hasIndexOfEach) = (false, true)
        let (bytes, _, fragments) = builder.build()
        // The index of one fragment has 44 bytes. A cut in front of it is at the end of a box.
        for fragment in fragments.dropFirst(5) {
            #expect(TrackFormat.statedEnd(of: MemoryByteSource(Array(bytes.prefix(fragment - 44)))) != .reached)
        }
    }

    @Test("The end of a file of very many boxes is unknown")
    func manyBoxes() throws {
        let bytes = try TrackFileCase.aac.shortFile().bytes
        let ends = [900, 1100].map { count in
            let boxes = [[UInt8]](repeating: BoxWriter.box("free", []), count: count)
            return TrackFormat.statedEnd(of: MemoryByteSource(bytes + Array(boxes.joined())))
        }
        #expect(ends == [.reached, nil])
    }

    @Test("A file of very many fragments lacks bytes of a stated length if it ends before the last of them")
    func manyFragments() {
        var builder = FragmentBuilder([[UInt8]](repeating: [UInt8](repeating: 7, count: 100), count: 600))
        (builder.packetsPerFragment, builder.hasSegmentIndex) = (1, true)
        let (bytes, _, fragments) = builder.build()
        let whole = TrackFormat.statedEnd(of: MemoryByteSource(bytes))
        let cut = TrackFormat.statedEnd(of: MemoryByteSource(Array(bytes.prefix(fragments[550]))))
        #expect(whole == nil && cut == .missing(.length))
    }

    @Test("Fragments without an index that end inside one of them lack only the mark of the end")
    func halfFragment() {
        let builder = FragmentBuilder([[UInt8]](repeating: [UInt8](repeating: 7, count: 1000), count: 60))
        let (bytes, _, fragments) = builder.build()
        let end = TrackFormat.statedEnd(of: MemoryByteSource(Array(bytes.prefix(fragments[5] + 2000))))
        #expect(end == .missing(.mark))
    }

    @Test("The table after all fragments marks the end of a file")
    func fragmentTable() {
        let builder = FragmentBuilder([[UInt8]](repeating: [UInt8](repeating: 7, count: 1000), count: 60))
        let table = BoxWriter.box("mfra", BoxWriter.full("mfro", BoxWriter.u32(24)))
        let bytes = builder.build().bytes + table
        #expect(TrackFormat.statedEnd(of: MemoryByteSource(bytes)) == .reached)
        for count in [1, 8, table.count] {
            #expect(TrackFormat.statedEnd(of: MemoryByteSource(Array(bytes.dropLast(count)))) != .reached)
        }
    }

    @Test("The end of a file whose last part cannot be played is unknown, unless a box is cut", arguments: [60, 400])
    func otherFormat(packets: Int) {
        var builder = MP4Builder(MP4Builder.payloads(packets, sizes: 8000...8000))
        builder.chunkLengths = [packets / 4]
        (builder.moreEntries, builder.descriptions) = ([BoxWriter.soundEntry("enca", [])], [1: 2, 2: 2, 3: 2])
        let changed = builder.build().bytes
        builder.entry = builder.moreEntries[0]
        for bytes in [changed, builder.build().bytes] {
            #expect(TrackFormat.statedEnd(of: MemoryByteSource(bytes)) == nil)
            #expect(TrackFormat.statedEnd(of: MemoryByteSource(Array(bytes.dropLast(100)))) == .missing(.length))
        }
    }

    @Test("An Ogg file that ends in the headers of its sound lacks its end, also beside a stream of another format")
    func besideOtherFormat() {
        var speex = OggWriter(serial: 5)
        speex.add(Array("Speex   ".utf8), granule: 0)
        speex.flush()
        // The first page of Vorbis has 58 bytes.
        let bytes = speex.bytes + VorbisStream().bytes.prefix(60)
        #expect(TrackFormat.statedEnd(of: MemoryByteSource(bytes)) == .missing(.mark))
    }

    @Test("MPEG audio and unknown bytes state no end")
    func others() {
        var mp3 = MP3Builder()
        mp3.addFrames(40)
        #expect(TrackFormat.statedEnd(of: MemoryByteSource(mp3.bytes)) == nil)
        #expect(TrackFormat.statedEnd(of: MemoryByteSource([UInt8](repeating: 7, count: 9000))) == nil)
        #expect(TrackFormat.statedEnd(of: MemoryByteSource([])) == nil)
    }
}
