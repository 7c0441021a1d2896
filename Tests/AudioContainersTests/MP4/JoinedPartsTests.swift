// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

/// Files that were joined from several without a new encoding: the durations of the packets at a border are shorter.
@Suite("Joined MP4 files")
struct JoinedPartsTests {
    /// Returns the track of a file whose packets have 1024 frames.
    private func parsedTrack(
        _ times: [(count: Int, duration: Int)], timescale: Int = 44100, step: Int = .max
    ) throws -> AudioTrack {
        let count = times.reduce(0) { $0 + $1.count }
        var builder = MP4Builder(MP4Builder.payloads(count))
        (builder.times, builder.timescale, builder.edits) = (times, timescale, nil)
        var driver = MP4Driver(MP4Parser(), builder.build().bytes) { step }
        driver.run()
        return try #require(driver.outcome.tracks.last)
    }

    @Test("The padding between the parts is left out", arguments: [Int.max, 1])
    func padding(step: Int) throws {
        // Given a join by FFmpeg: the last packet of the first part has the duration 1, the first one of the second
        // part has the rest of it.
        let track = try parsedTrack([(20, 1024), (1, 1), (1, 777), (17, 1024), (1, 400)], step: step)

        // Then 778 frames of the packet before the border are played, and none of the one after it.
        #expect(track.cuts == [21_258..<22_528])
        #expect(track.end == 40_336)
    }

    @Test("A last packet of a part that is only shorter is played as far as its duration says")
    func shortPacket() throws {
        let track = try parsedTrack([(10, 1024), (1, 778), (10, 1024), (1, 600), (18, 1024)])

        #expect(track.cuts == [11_018..<11_264, 22_104..<22_528])
        #expect(track.end == nil)
    }

    /// Returns a file of Opus whose last packet of each of two parts is stated shorter.
    private static func joinedOpus(stated: Int) -> [UInt8] {
        joinedOpus([(9, 960), (1, stated), (9, 960), (1, stated)])
    }

    /// Returns a file of 20 packets of Opus.
    private static func joinedOpus(_ times: [(count: Int, duration: Int)]) -> [UInt8] {
        let stream = OpusStream(packets: Array(repeating: (9, 1), count: 20))
        var builder = MP4Builder(stream.packets.indices.map { stream.packet($0) })
        let fields = [0, 2, 1, 56] + BoxWriter.u32(48000) + [0, 0, 0]
        (builder.entry, builder.timescale) = (BoxWriter.soundEntry("Opus", BoxWriter.box("dOps", fields)), 48000)
        builder.times = times
        return builder.build().bytes
    }

    /// The first frames of the packets in such a file.
    private static func starts(stated: Int64) -> [Int64] {
        (0..<20).map { (packet: Int64) in packet > 9 ? packet * 960 - 960 + stated : packet * 960 }
    }

    @Test(
        "A packet of Opus that is stated shorter is played to the end of the pre-skip of the next part",
        arguments: [(144, 456), (312, 624), (800, 960)])
    func shortOpusPacket(stated: Int, frames: Int) {
        let packets = MP4Driver.outcome(MP4Parser(), Self.joinedOpus(stated: stated)).packets
        // The file ends inside the last one.
        let whole = Array(repeating: 960, count: 9)
        #expect(packets.map(\.frames) == whole + [frames] + whole + [stated])
        #expect(packets.compactMap(\.frame) == Self.starts(stated: Int64(stated)))
    }

    static let overlaps: [[(count: Int, duration: Int)]] = [
        [(9, 960), (5, 1), (1, 955), (5, 960)], [(9, 960), (7, 1), (1, 473), (3, 960)],
        // One packet overlaps.
        [(9, 960), (1, 1), (1, 719), (9, 960)],
        // A copy from WebM, whose first time is −6.5 ms, rounded to −7.
        [(1, 1008), (8, 960), (5, 1), (1, 955), (5, 960)],
    ]

    @Test("Parts of Opus that overlap in time are played in full, also after a jump", arguments: overlaps)
    func overlappingParts(times: [(count: Int, duration: Int)]) {
        let bytes = Self.joinedOpus(times)
        let packets = MP4Driver.outcome(MP4Parser(), bytes).packets
        #expect(packets.map(\.frames) == Array(repeating: 960, count: 20))
        #expect(packets.compactMap(\.frame) == (0..<20).map { Int64($0) * 960 })
        var driver = MP4Driver(MP4Parser(), bytes)
        driver.run(packets: 1)
        driver.parser.synchronize(from: packets[17].offset)
        driver.run()
        #expect(Array(driver.outcome.packets.dropFirst()) == Array(packets[17...]))
    }

    @Test("After a jump, the packets of the next part of Opus keep their times, also in whole milliseconds")
    func jumpInJoinedOpus() {
        let bytes = Self.joinedOpus(stated: 144)
        let offset = MP4Driver.outcome(MP4Parser(), bytes).packets[14].offset
        var driver = MP4Driver(MP4Parser(), bytes)
        driver.run(packets: 1)
        driver.parser.synchronize(from: offset)
        driver.run()
        #expect(driver.outcome.packets.dropFirst().compactMap(\.frame) == Array(Self.starts(stated: 144)[14...]))
    }

    static let otherTimes: [(String, [(count: Int, duration: Int)], Int)] = [
        ("one part with a short last packet", [(39, 1024), (1, 400)], 44100),
        ("durations of an uneven clock", [(10, 1024), (1, 1023), (10, 1024), (1, 1023), (18, 1024)], 44100),
        ("longer durations", [(10, 1024), (1, 500), (10, 1024), (1, 1030), (18, 1024)], 44100),
        ("a timescale that rounds", [(10, 23), (1, 22), (29, 23)], 1000),
        ("many shorter packets at one place", [(10, 1024), (20, 500), (10, 1024)], 44100),
        ("as many shorter packets as others", [(10, 1024), (2, 500), (10, 1024), (10, 500), (8, 1024)], 44100),
    ]

    @Test("Other durations leave nothing out", arguments: otherTimes)
    func others(name: String, times: [(count: Int, duration: Int)], timescale: Int) throws {
        #expect(try parsedTrack(times, timescale: timescale).cuts.isEmpty)
    }
}
