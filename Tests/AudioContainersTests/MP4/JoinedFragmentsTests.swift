// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

/// Fragmented files that were joined from several without a new encoding.
@Suite("Joined fragmented MP4 files")
struct JoinedFragmentsTests {
    /// Returns 40 packets with a join by FFmpeg: the last packet of the first part has the duration 1, the first one of
    /// the second part has the rest of it.
    private static func joined(_ packetsPerFragment: Int) -> MP4Case {
        MP4Case(fragmented: "") { ($0.packetsPerFragment, $0.durations) = (packetsPerFragment, [20: 1, 21: 777]) }
    }

    @Test("The durations at a border tell how much of its packets is played", arguments: [1, 5, 7, 40])
    func border(packetsPerFragment: Int) {
        let file = Self.joined(packetsPerFragment)
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run()
        let whole = driver.outcome

        let frames = whole.packets.compactMap(\.frame)
        #expect(Array(frames[18...24]) == [18_432, 19_456, 20_480, 21_258, 21_258, 22_282, 23_306])
        #expect(frames.last == 38_666)
        #expect(whole.packets.map(\.frames).filter { $0 != 1024 } == [778, 0])
        #expect(whole.payloads == file.payloads)
        #expect(driver.parser.length == .exact(39_690))
        let bytewise = MP4Driver.outcome(MP4Parser(), file.bytes, cutInto: 1)
        #expect(bytewise.events == whole.events && bytewise.points == whole.points)
    }

    @Test("Packets that are found after a jump have the frames of a linear read", arguments: [1, 5, 7])
    func jump(packetsPerFragment: Int) throws {
        let file = Self.joined(packetsPerFragment)
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 1)
        driver.parser.synchronize(from: file.offsets[24])
        driver.run()
        let found = Array(driver.outcome.packets[1...])
        let first = try #require(found.first)
        #expect(found == whole.packets.filter { $0.offset >= first.offset })
    }

    @Test("A seek returns the packets as a linear read does", arguments: [1, 5, 7, 40])
    func seek(packetsPerFragment: Int) {
        let file = Self.joined(packetsPerFragment)
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        let goals: [(frame: Int64, packet: Int)] = [(21_758, 20), (22_528, 21), (23_000, 21), (30_000, 29)]
        for goal in goals {
            var driver = MP4Driver(MP4Parser(), file.bytes)
            driver.run()
            let count = driver.outcome.packets.count
            let hasSought = driver.parser.seek(to: goal.frame)
            driver.run()
            #expect(hasSought)
            #expect(Array(driver.outcome.packets[count...]) == Array(whole.packets[goal.packet...]))
            #expect(Array(driver.outcome.payloads[count...]) == Array(file.payloads[goal.packet...]))
        }
    }

    @Test("A seek to short packets without decoding times begins no border", arguments: [1, 5])
    func shortPackets(packetsPerFragment: Int) {
        let file = MP4Case(fragmented: "") {
            ($0.packetsPerFragment, $0.hasDecodeTime) = (packetsPerFragment, false)
            $0.durations = Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, 500) })
        }
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run()
        let hasSought = driver.parser.seek(to: 9000)
        driver.run()
        #expect(hasSought)
        #expect(driver.outcome.packets[40...].map(\.frame) == (7..<40).map { Int64($0) * 1024 })
    }

    @Test("A start that jumps to a border before the first packet finds it", arguments: [1, 5])
    func start(packetsPerFragment: Int) {
        let file = Self.joined(packetsPerFragment)
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        var parser = MP4Parser()
        parser.advance(through: file.bytes) { $0.track != nil }
        parser.synchronize(from: file.offsets[19])
        let found = MP4Driver.outcome(parser, file.bytes)
        #expect(found.packets == Array(whole.packets[20...]))
    }

    @Test("A border that a jump interrupts is found again")
    func interrupted() {
        let file = Self.joined(5)
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        var parser = MP4Parser()
        parser.advance(through: file.bytes) { $0.border != nil }
        parser.synchronize(from: file.offsets[19])
        let found = MP4Driver.outcome(parser, file.bytes)
        #expect(found.packets == Array(whole.packets[20...]))
    }

    @Test("A parser resumes at every packet but the second one of a border", arguments: [1, 5, 7, 40])
    func resume(packetsPerFragment: Int) throws {
        let file = Self.joined(packetsPerFragment)
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.points.indices.filter { whole.points[$0] == nil } == [21])
        for index in 0..<40 where index != 21 {
            let point = try #require(whole.points[index])
            var driver = MP4Driver(MP4Parser(), file.bytes)
            driver.run(packets: 1)
            driver.parser.resume(at: point)
            driver.run()
            #expect(Array(driver.outcome.packets[1...]) == Array(whole.packets[index...]))
        }
    }

    static let otherDurations: [(String, [Int: Int])] = [
        ("a longer packet after the shorter one", [10: 600, 11: 1448]),
        ("a longer packet before the shorter one", [10: 1448, 11: 600]),
        ("more shorter packets than at a border", Dictionary(uniqueKeysWithValues: (10..<30).map { ($0, 500) })),
        ("a shorter first packet", [0: 600]),
        ("a rounded duration", [10: 960]),
    ]

    @Test("Packets with the durations of an uneven clock are played in full length", arguments: otherDurations)
    func others(name: String, durations: [Int: Int]) {
        for packetsPerFragment in [1, 5] {
            let file = MP4Case(fragmented: "") {
                ($0.packetsPerFragment, $0.durations) = (packetsPerFragment, durations)
            }
            let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
            #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
            #expect(whole.packets.allSatisfy { $0.frames == 1024 })
            #expect(whole.points.compactMap { $0?.frame } == whole.packets.compactMap(\.frame))
            #expect(whole.payloads == file.payloads)
            var used = MP4Driver(MP4Parser(), file.bytes)
            used.run()
            let hasSought = used.parser.seek(to: 35_000)
            used.run()
            #expect(hasSought && Array(used.outcome.packets[40...]) == Array(whole.packets[33...]))
            for (index, point) in whole.points.enumerated() {
                guard let point else { continue }
                var driver = MP4Driver(MP4Parser(), file.bytes)
                driver.run()
                driver.parser.resume(at: point)
                driver.run()
                #expect(Array(driver.outcome.packets[40...]) == Array(whole.packets[index...]))
            }
        }
    }

    private static let appended: [([UInt8], String?)] = [
        (BoxWriter.soundEntry("mp4a", BoxWriter.esds([0x12, 0x10])), nil),
        (
            BoxWriter.soundEntry("mp4a", BoxWriter.esds([0x13, 0x90])),
            "from 0:34 on, this is a second format in one MP4 file, which Earshot cannot play"
        ),
        (BoxWriter.soundEntry("enca", []), "from 0:34 on, this is encrypted audio in MP4, which Earshot cannot play"),
    ]

    @Test("The packets of a file that cat has appended follow if their format is the same", arguments: appended)
    func appendedFile(entry: [UInt8], reason: String?) {
        let first = MP4Case(fragmented: "", count: 1500)
        let second = MP4Case(fragmented: "") { $0.entry = entry }
        let bytes = first.bytes + second.bytes
        let whole = MP4Driver.outcome(MP4Parser(), bytes)
        #expect(whole.failure == reason)
        #expect(whole.payloads == first.payloads + (reason == nil ? second.payloads : []))
        #expect(MP4Driver.outcome(MP4Parser(), bytes, cutInto: 1000).events == whole.events)
    }

    @Test("The packets end before a file with another track number that cat has appended")
    func appendedTrackNumber() throws {
        let first = MP4Case(fragmented: "", count: 1500)
        var second = MP4Case(fragmented: "").bytes
        let header = try #require(second.firstRange(of: Array("tkhd".utf8)))
        // The number follows the flags and two times.
        second[header.upperBound + 15] = 2
        let outcome = MP4Driver.outcome(MP4Parser(), first.bytes + second)
        let reason =
            "from 0:34 on, this is a second file with another track number in one MP4 file, which Earshot cannot play"
        #expect(outcome.failure == reason && outcome.payloads == first.payloads)
    }

    private static let wrongDurations: [[Int: Int]] = [
        [4: 0, 9: 0, 14: 600, 19: 512], [3: 1, 4: 1, 13: 600, 14: 0],
        Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, 0) }),
    ]

    @Test("Durations do not count if the decoding times count whole packets", arguments: wrongDurations)
    func contradiction(durations: [Int: Int]) {
        let file = MP4Case(fragmented: "") { ($0.durations, $0.timesCountPackets) = (durations, true) }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        #expect(whole.packets.allSatisfy { $0.frames == 1024 })
        #expect(whole.payloads == file.payloads)
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 1)
        driver.parser.synchronize(from: file.offsets[12])
        driver.run()
        #expect(Array(driver.outcome.packets[1...]) == Array(whole.packets[15...]))
    }

    @Test("Without decoding times, a packet before a fragment is played in full length if its duration is 0")
    func unknownDurations() {
        let file = MP4Case(fragmented: "") {
            $0.hasDecodeTime = false
            $0.durations = Dictionary(uniqueKeysWithValues: stride(from: 4, to: 40, by: 5).map { ($0, 0) })
        }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.tracks.count == 1)
        #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        #expect(whole.packets.allSatisfy { $0.frames == 1024 })
    }

    @Test("The time after a lost fragment counts from the durations of a border")
    func lostFragment() {
        let file = MP4Case(fragmented: "") { ($0.durations, $0.gaps) = ([23: 1, 24: 777], [5: 5 * 1024]) }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.packets[22...25].map(\.frame) == [22_528, 23_552, 24_330, 29_450])
        #expect(whole.packets[22...25].map(\.frames) == [1024, 778, 0, 1024])
    }

    @Test("Without decoding times, a short packet before damage is played in full length")
    func damage() {
        var builder = FragmentBuilder(MP4Builder.payloads(40))
        (builder.hasDecodeTime, builder.durations) = (false, [24: 600])
        let file = builder.build()
        var bytes = file.bytes
        bytes[file.fragments[5] + 4] = 0
        let packets = MP4Driver.outcome(MP4Parser(), bytes).packets
        #expect(packets.count == 35)
        #expect(packets.allSatisfy { $0.frames == 1024 })
    }

    @Test("HE-AAC whose times count the core is played in full length", arguments: [1, 5])
    func core(packetsPerFragment: Int) {
        let file = MP4Case(fragmented: "") {
            ($0.packetsPerFragment, $0.durations, $0.timescale) = (packetsPerFragment, [20: 1, 21: 777], 22050)
            $0.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds([0x2B, 0x92, 0x08, 0x00]))
        }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 2048 })
        #expect(whole.packets.allSatisfy { $0.frames == 2048 })
    }

    @Test("A fragment with a longer packet has no border", arguments: [[10: 800, 12: 1248], [7: 1248, 9: 800]])
    func longerPacket(durations: [Int: Int]) {
        let file = MP4Case(fragmented: "") { $0.durations = durations }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        #expect(whole.packets.allSatisfy { $0.frames == 1024 })
    }

    @Test("A last packet whose duration is 0 is played in full length", arguments: [1, 5])
    func unknownEnd(packetsPerFragment: Int) {
        let file = MP4Case(fragmented: "") { ($0.packetsPerFragment, $0.durations) = (packetsPerFragment, [39: 0]) }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.tracks.count == 1)
        #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        #expect(whole.packets.allSatisfy { $0.frames == 1024 })
        #expect(whole.payloads == file.payloads)
    }

    @Test("Several short packets at the end of the file end the track", arguments: [1, 5])
    func end(packetsPerFragment: Int) {
        let file = MP4Case(fragmented: "") {
            ($0.packetsPerFragment, $0.durations) = (packetsPerFragment, [38: 1, 39: 600])
        }
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run()
        let whole = driver.outcome
        #expect(driver.parser.length == .exact(40_960))
        #expect(whole.tracks.last?.end == 39_513)
        #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        #expect(whole.payloads == file.payloads)
    }
}

extension MP4Parser {
    /// Reads single bytes until a condition holds.
    fileprivate mutating func advance(through bytes: [UInt8], until isReached: (MP4Parser) -> Bool) {
        while !isReached(self), !isDone, readOffset < bytes.count {
            guard next() == nil, readOffset < bytes.count else { continue }
            let offset = Int(readOffset)
            bytes[offset...offset].withUnsafeBytes { append($0) }
        }
    }
}
