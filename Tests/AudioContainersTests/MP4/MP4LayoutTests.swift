// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport

@Suite("MP4 parser: layouts")
struct MP4LayoutTests {
    @Test("Every layout returns the packets with their bytes, offsets and frames", arguments: MP4Case.all)
    func packets(file: MP4Case) throws {
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.failure == nil)
        #expect(outcome.payloads == file.payloads)
        #expect(outcome.packets.map(\.offset) == file.offsets)
        #expect(outcome.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        #expect(outcome.packets.allSatisfy { $0.frames == 1024 })
        #expect(outcome.garbage.isEmpty)
    }

    @Test("The track event precedes the first packet", arguments: MP4Case.all)
    func track(file: MP4Case) throws {
        let events = MP4Driver.outcome(MP4Parser(), file.bytes).events
        let first = try #require(events.firstIndex { if case .packet = $0 { true } else { false } })
        let track = try #require(events.firstIndex { if case .track = $0 { true } else { false } })
        #expect(track < first)
    }

    @Test("The events do not depend on the division into pieces", arguments: MP4Case.all)
    func pieces(file: MP4Case) {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        let bytewise = MP4Driver.outcome(MP4Parser(), file.bytes, cutInto: 1)
        #expect(bytewise.events == whole.events)
        #expect(bytewise.payloads == whole.payloads)
        #expect(bytewise.points == whole.points)
        var generator = SeededGenerator(seed: 3)
        let random = MP4Driver.outcome(MP4Parser(), file.bytes, cutBy: &generator)
        #expect(random.events == whole.events)
    }

    @Test("A parser of tags returns the same tags for every division and no packets", arguments: MP4Case.all)
    func tags(file: MP4Case) {
        let whole = MP4Driver.outcome(MP4Parser(.tags), file.bytes)
        let bytewise = MP4Driver.outcome(MP4Parser(.tags), file.bytes, cutInto: 1)
        #expect(bytewise.events == whole.events)
        #expect(whole.packets.isEmpty)
        #expect(whole.failure == nil)
    }

    @Test("The length is that of the sample table, and exact at the end", arguments: MP4Case.whole)
    func length(file: MP4Case) {
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 1)
        let frames = Int64(file.payloads.count) * 1024
        #expect(driver.parser.length == .declared(frames))
        driver.run()
        #expect(driver.parser.length == .exact(frames))
    }

    @Test("A file cut at any byte returns intact packets and then ends", arguments: MP4Case.all)
    func truncation(file: MP4Case) {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        let step = max(1, file.bytes.count / 200)
        for length in stride(from: 0, to: file.bytes.count, by: step) {
            let outcome = MP4Driver.outcome(MP4Parser(), Array(file.bytes[..<length]))
            let intact = zip(file.offsets, file.payloads).prefix { $0 + Int64($1.count) <= length }.count
            let packets = outcome.packets
            #expect(Array(whole.packets.prefix(packets.count)) == packets)
            #expect(outcome.failure == nil || packets.isEmpty)
            // A cut in a table after the packets takes their index away.
            let isIndexCut = outcome.failure != nil || length >= (file.offsets.last ?? 0) + 6
            #expect(isIndexCut ? packets.count <= intact : packets.count == intact, "\(length)")
        }
    }

    @Test("A file cut into pieces and at any byte gives the same events", arguments: MP4Case.all)
    func truncatedPieces(file: MP4Case) {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            let bytes = Array(file.bytes[..<Int.random(in: 0..<file.bytes.count, using: &generator)])
            let whole = MP4Driver.outcome(MP4Parser(), bytes)
            let pieces = MP4Driver.outcome(MP4Parser(), bytes, cutBy: &generator)
            #expect(pieces.events == whole.events)
        }
    }
}
