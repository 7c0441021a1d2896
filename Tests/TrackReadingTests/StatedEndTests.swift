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
            let isReached = TrackFormat.reachesStatedEnd(MemoryByteSource(file.bytes))
            #expect(isReached == (Self.silent.contains(format) ? nil : true))
        }
    }

    @Test("A truncated file reaches it only if no frame is missing", arguments: TrackFileCase.allCases)
    func truncated(format: TrackFileCase) throws {
        let file = try format.file()
        let count = file.bytes.count
        for length in (1..<24).map({ count * $0 / 24 }) + [count - 5000, count - 300, count - 9, count - 1] {
            let rest = Array(file.bytes.prefix(length))
            guard TrackFormat.reachesStatedEnd(MemoryByteSource(rest)) == true else { continue }
            let isWhole = file.isWhole(file.reader(MemoryByteSource(rest)).read())
            #expect(isWhole, "\(length) of \(count) bytes")
        }
    }

    @Test(
        "A file that ends in the middle does not reach the end that it states",
        arguments: [.aac, .aacLast, .opusInMP4, .opus, .vorbis, .oggFLAC, .flacTable, .flacInMP4, .wave]
            as [TrackFileCase])
    func half(format: TrackFileCase) throws {
        let bytes = try format.file().bytes
        let isReached = TrackFormat.reachesStatedEnd(MemoryByteSource(Array(bytes.prefix(bytes.count / 2))))
        #expect(isReached == false)
    }

    @Test("The bytes between the beginning and the last megabyte are not read")
    func long() throws {
        let bytes = try TrackFileCase.wave.file().bytes
        let source = MemoryByteSource(bytes, held: 100_000)
        source.release(bytes.count - 1_100_000..<bytes.count)
        #expect(bytes.count > 2_500_000 && TrackFormat.reachesStatedEnd(source) == true)
    }

    @Test("The index of all fragments states the end of a file, an index of one fragment does not")
    func indices() {
        var builder = FragmentBuilder([[UInt8]](repeating: [UInt8](repeating: 7, count: 1000), count: 60))
        builder.hasSegmentIndex = true
        #expect(TrackFormat.reachesStatedEnd(MemoryByteSource(builder.build().bytes)) == true)
        (builder.hasSegmentIndex, builder.hasIndexOfEach) = (false, true)
        let (bytes, _, fragments) = builder.build()
        // The index of one fragment has 44 bytes. A cut in front of it is at the end of a box.
        for fragment in fragments.dropFirst(5) {
            #expect(TrackFormat.reachesStatedEnd(MemoryByteSource(Array(bytes.prefix(fragment - 44)))) != true)
        }
    }

    @Test("The table after all fragments marks the end of a file")
    func fragmentTable() {
        let builder = FragmentBuilder([[UInt8]](repeating: [UInt8](repeating: 7, count: 1000), count: 60))
        let table = BoxWriter.box("mfra", BoxWriter.full("mfro", BoxWriter.u32(24)))
        let bytes = builder.build().bytes + table
        #expect(TrackFormat.reachesStatedEnd(MemoryByteSource(bytes)) == true)
        for count in [1, 8, table.count] {
            #expect(TrackFormat.reachesStatedEnd(MemoryByteSource(Array(bytes.dropLast(count)))) != true)
        }
    }

    @Test("MPEG audio and unknown bytes state no end")
    func others() {
        var mp3 = MP3Builder()
        mp3.addFrames(40)
        #expect(TrackFormat.reachesStatedEnd(MemoryByteSource(mp3.bytes)) == nil)
        #expect(TrackFormat.reachesStatedEnd(MemoryByteSource([UInt8](repeating: 7, count: 9000))) == nil)
        #expect(TrackFormat.reachesStatedEnd(MemoryByteSource([])) == nil)
    }
}
