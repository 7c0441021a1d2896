// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4 parser: damaged and hostile files")
struct MP4DamageTests {
    private static let specimens = MP4Case.all.map(\.bytes)

    /// Checks that a file costs a bounded number of steps and bytes, and gives the same events in pieces.
    private func check(_ bytes: [UInt8], _ generator: inout SeededGenerator) {
        let whole = MP4Driver.outcome(MP4Parser(), bytes)
        for packet in whole.packets {
            #expect(
                packet.offset >= 0 && packet.offset + Int64(packet.length) <= Int64(bytes.count) || packet.length == 0)
            #expect(packet.frames >= 0 && packet.frames <= 65535)
        }
        #expect(whole.appended <= 8 * bytes.count + 200_000)
        #expect(whole.tracks.isEmpty == false || whole.failure != nil)
        let pieces = MP4Driver.outcome(MP4Parser(), bytes, cutBy: &generator)
        #expect(pieces.events == whole.events)
        #expect(pieces.payloads == whole.payloads)
    }

    @Test("A file with one damaged byte ends within bounds", arguments: MP4Case.all)
    func oneByte(file: MP4Case) {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<50 {
            var bytes = file.bytes
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
            check(bytes, &generator)
        }
    }

    @Test("Damaged, shortened and mixed files end within bounds", arguments: 0..<40 as Range<UInt64>)
    func fuzz(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            var bytes = try #require(Self.specimens.randomElement(using: &generator))
            for _ in 0..<Int.random(in: 1...5, using: &generator) { Self.mutate(&bytes, &generator) }
            check(bytes, &generator)
        }
    }

    private static let numbers: [[UInt8]] = [
        [0, 0, 0, 0], [0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 8],
    ]

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard bytes.count > 16 else { return }
        let place = Int.random(in: 0..<bytes.count - 8, using: &generator)
        let count = min(bytes.count - place, Int.random(in: 1...100, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
        case 1: bytes.removeSubrange(place..<place + count)
        case 2: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
        case 3: bytes.replaceSubrange(place..<place + 4, with: numbers.randomElement(using: &generator) ?? [])
        case 4:
            let other = specimens.randomElement(using: &generator) ?? []
            bytes.insert(contentsOf: other.prefix(count * 20), at: place)
        default: bytes.removeLast(min(count, bytes.count - 16))
        }
    }

    @Test("Random seeks in damaged files end within bounds", arguments: 100..<120 as Range<UInt64>)
    func damagedSeeks(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            var bytes = try #require(Self.specimens.randomElement(using: &generator))
            Self.mutate(&bytes, &generator)
            var driver = MP4Driver(MP4Parser(), bytes) { 300 }
            for _ in 0..<6 {
                driver.run(packets: driver.outcome.payloads.count + 3)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: _ = driver.parser.seek(to: .random(in: 0..<60_000, using: &generator))
                case 1: driver.parser.synchronize(from: .random(in: 0..<Int64(bytes.count), using: &generator))
                default:
                    guard let point = driver.outcome.points.compactMap(\.self).randomElement(using: &generator)
                    else { continue }
                    driver.parser.resume(at: point)
                }
            }
            driver.run()
            #expect(driver.parser.isDone)
        }
    }

    @Test("A damaged fragment is reported, and the next one continues")
    func damagedFragment() throws {
        var builder = FragmentBuilder(MP4Builder.payloads(30))
        builder.packetsPerFragment = 10
        var (bytes, _, fragments) = builder.build()
        // The size of the second `moof` becomes 5.
        bytes.replaceSubrange(fragments[1]..<fragments[1] + 4, with: [0, 0, 0, 5])
        let outcome = MP4Driver.outcome(MP4Parser(), bytes)
        #expect(outcome.packets.map(\.frame) == (Array(0..<10) + Array(20..<30)).map { Int64($0) * 1024 })
        #expect(outcome.garbage == [Int64(fragments[1])..<Int64(fragments[2])])
    }

    @Test("A fragment ends before its data if its damaged size is greater, and loses nothing", arguments: [1, 2])
    func longFragment(byte: Int) {
        var builder = FragmentBuilder(MP4Builder.payloads(30))
        builder.packetsPerFragment = 10
        var (bytes, _, fragments) = builder.build()
        bytes[fragments[1] + byte] |= 0x20
        var driver = MP4Driver(MP4Parser(), bytes)
        driver.run()
        #expect(driver.outcome.payloads == builder.payloads)
        #expect(driver.outcome.garbage == [] && !driver.parser.isCutOff)
    }

    @Test("Sound whose fragment lost its header is reported; at the end, the file counts as cut off", arguments: 0..<3)
    func lostHeader(number: Int) {
        var builder = FragmentBuilder(MP4Builder.payloads(30))
        (builder.packetsPerFragment, builder.packetsPerRun) = (10, 10)
        for name in ["moof", "traf", "trun"] {
            var (bytes, _, fragments) = builder.build()
            let place = bytes[fragments[number]...].firstRange(of: name.utf8)?.lowerBound ?? 0
            bytes[place + 1] = UInt8(ascii: "x")
            var driver = MP4Driver(MP4Parser(), bytes) { 300 }
            driver.run()
            let frames = (0..<30).filter { $0 / 10 != number }.map { Int64($0) * 1024 }
            #expect(driver.outcome.packets.map(\.frame) == frames, "\(name)")
            #expect(driver.outcome.garbage.count == 1 && driver.parser.isCutOff == (number == 2), "\(name)")
        }
    }

    @Test(
        "A box between a fragment and its data is not damage, also if it is data",
        arguments: [["free"], ["free", "mdat"]])
    func separateData(types: [String]) {
        var builder = FragmentBuilder(MP4Builder.payloads(30))
        builder.filler = types.flatMap { BoxWriter.box($0, [UInt8](repeating: 1, count: 50)) }
        var driver = MP4Driver(MP4Parser(), builder.build().bytes)
        driver.run()
        #expect(driver.outcome.payloads == builder.payloads)
        #expect(driver.outcome.garbage == [] && !driver.parser.isCutOff)
    }

    @Test("An impossible size in the last fragment counts as cut off", arguments: [1, 2])
    func impossibleSize(number: Int) {
        var builder = FragmentBuilder(MP4Builder.payloads(30))
        (builder.packetsPerFragment, builder.packetsPerRun) = (10, 10)
        var (bytes, _, fragments) = builder.build()
        let run = bytes[fragments[number]...].firstRange(of: "trun".utf8)?.upperBound ?? 0
        // The first byte of each size in the entries, which have a duration before it.
        for entry in 4..<10 { bytes[run + 16 + entry * 8 + 4] = 0x10 }
        var driver = MP4Driver(MP4Parser(), bytes) { 300 }
        driver.run()
        #expect(driver.outcome.garbage.count == 1 && driver.parser.isCutOff == (number == 2))
    }

    @Test("A wrong time of a fragment does not move the packets by hours")
    func wrongTime() {
        var builder = FragmentBuilder(MP4Builder.payloads(30))
        builder.packetsPerFragment = 10
        var (bytes, _, fragments) = builder.build()
        let place = bytes[fragments[1]...].firstRange(of: "tfdt".utf8)?.upperBound ?? 0
        // The first byte of the time, after the version and the flags.
        bytes[place + 4] = 0x70
        let outcome = MP4Driver.outcome(MP4Parser(), bytes)
        #expect(outcome.packets.map(\.frame) == (0..<30).map { Int64($0) * 1024 })
    }

    @Test("A packet that is too long is replaced by silence")
    func longPacket() throws {
        var payloads = MP4Builder.payloads(6)
        payloads[2] = [UInt8](repeating: 1, count: 20_000)
        let (bytes, offsets) = MP4Builder(payloads).build()
        let outcome = MP4Driver.outcome(MP4Parser(), bytes)
        #expect(outcome.packets.map(\.frame) == (0..<6).map { Int64($0) * 1024 })
        #expect(outcome.packets[2].length == 0)
        #expect(outcome.garbage == [Int64(offsets[2])..<Int64(offsets[3])])
    }
}
