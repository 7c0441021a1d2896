// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Testing

@Suite("MPEG stream parser: every file, cut in every way")
struct MPEGStreamParserMatrixTests {
    @Test("The parser finds each frame with its offset and length", arguments: StreamCase.all)
    func findsFrames(row: StreamCase) {
        let packets = StreamDriver.events(of: row.stream.bytes).packets
        #expect(packets.map(\.offset) == row.stream.frameOffsets)
        #expect(packets.map(\.length) == row.stream.frameLengths)
        #expect(packets.map(\.number) == Array(0..<Int64(packets.count)))
    }

    @Test("The events are adjacent and cover every byte", arguments: StreamCase.all)
    func coversAll(row: StreamCase) {
        #expect(StreamDriver.events(of: row.stream.bytes).covers(row.stream.bytes.count))
    }

    @Test("The events do not depend on how the bytes arrive", arguments: StreamCase.all)
    func cuts(row: StreamCase) {
        let bytes = row.stream.bytes
        let whole = StreamDriver.events(of: bytes)
        for length in [1, 2, 3, 10, 127, 128, 417, 4096] {
            #expect(StreamDriver.events(of: bytes, cutInto: length) == whole, "pieces of \(length)")
        }
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<8 { #expect(StreamDriver.events(of: bytes, cutBy: &generator) == whole) }
    }

    @Test(
        "A truncated file yields the same packets up to the cut, without the partial one",
        arguments: StreamCase.tags)
    func truncated(row: StreamCase) {
        let stream = row.stream
        for length in stride(from: 0, to: stream.bytes.count, by: 37) {
            let events = StreamDriver.events(of: Array(stream.bytes.prefix(length)))
            let whole = zip(stream.frameOffsets, stream.frameLengths).filter { $0 + Int64($1) <= Int64(length) }
            #expect(events.packets.map(\.offset) == whole.map(\.0), "truncated at \(length)")
            #expect(events.covers(length), "truncated at \(length)")
        }
    }
}
