// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport

@Suite("ADTS parser")
struct ADTSParserTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let payloads: [[UInt8]]
        let offsets: [Int64]

        init(_ name: String, _ build: (inout ADTSBuilder) -> Void) {
            var builder = ADTSBuilder()
            build(&builder)
            testDescription = name
            bytes = builder.bytes
            payloads = builder.frames.map(\.payload)
            offsets = builder.frames.map { Int64($0.offset) }
        }
    }

    static let cases = [
        Case("frames") { $0.addFrames(20) },
        Case("MPEG-2") {
            $0.format.isMPEG2 = true
            $0.addFrames(20)
        },
        Case("frames with check words") {
            $0.format.hasCRC = true
            $0.addFrames(20)
        },
        Case("ID3v2 before, ID3v1 after") {
            $0.addID3v2(3000)
            $0.addFrames(20)
            $0.addID3v1()
        },
        Case("ID3v2 between") {
            $0.addFrames(6)
            $0.addID3v2(100)
            $0.addID3v2(0)
            $0.addFrames(6)
        },
        Case("one frame") { $0.addFrames(1) },
        Case("long frames") { $0.addFrames(5, sizes: 8100...8180) },
        Case("garbage before") {
            $0.addGarbage(700)
            $0.addFrames(5)
        },
        Case("garbage between") {
            $0.addFrames(5)
            $0.addGarbage(300)
            $0.addFrames(5)
        },
    ]

    @Test("All frames are returned with their payloads and offsets", arguments: cases)
    func frames(file: Case) {
        let outcome = ADTSDriver.outcome(ADTSParser(), file.bytes)
        #expect(outcome.payloads == file.payloads)
        #expect(outcome.packets.map(\.offset) == file.offsets)
        #expect(outcome.packets.map(\.frame) == file.offsets.indices.map { Int64($0) * 1024 })
        #expect(outcome.tracks.count == 1)
        #expect(outcome.tracks.first?.format == AudioFormat(sampleRate: 44100, channels: 2))
        #expect(outcome.failure == nil)
    }

    @Test("The events do not depend on the division into pieces", arguments: cases)
    func pieces(file: Case) {
        let whole = ADTSDriver.outcome(ADTSParser(), file.bytes)
        let bytewise = ADTSDriver.outcome(ADTSParser(), file.bytes, cutInto: 1)
        #expect(bytewise.events == whole.events)
        #expect(bytewise.payloads == whole.payloads)
        var generator = SeededGenerator(seed: 3)
        #expect(ADTSDriver.outcome(ADTSParser(), file.bytes, cutBy: &generator).events == whole.events)
    }

    @Test("A stream cut at any byte returns the intact frames", arguments: cases)
    func truncation(file: Case) {
        for length in stride(from: 0, to: file.bytes.count, by: max(1, file.bytes.count / 300)) {
            let bytes = Array(file.bytes[..<length])
            let outcome = ADTSDriver.outcome(ADTSParser(), bytes)
            let ends = zip(file.offsets, file.payloads).map { Int($0) + $1.count + 9 }
            let count = outcome.payloads.count
            #expect(outcome.payloads == Array(file.payloads.prefix(count)))
            #expect(count >= ends.filter { $0 <= length }.count)
            #expect(outcome.failure != nil || count > 0)
        }
    }

    @Test("Sync needs three headers, or the end of the file")
    func threeHeaders() {
        var builder = ADTSBuilder()
        builder.addFrames(2)
        builder.addGarbage(500)
        let outcome = ADTSDriver.outcome(ADTSParser(), builder.bytes)
        #expect(outcome.packets.isEmpty)
        #expect(outcome.failure == "no AAC audio found: no three consecutive ADTS headers")
    }

    @Test("Damage is reported as garbage, and the count continues")
    func damage() {
        var builder = ADTSBuilder()
        builder.addFrames(12)
        var bytes = builder.bytes
        let (start, end) = (builder.frames[4].offset, builder.frames[5].offset)
        bytes[start] = 0
        let outcome = ADTSDriver.outcome(ADTSParser(), bytes)
        #expect(outcome.garbage == [Int64(start)..<Int64(end)])
        #expect(outcome.packets.map(\.frame) == (0..<11).map { $0 * 1024 })
    }

    @Test("Another configuration begins a track of its own")
    func change() {
        let file = Case("") {
            $0.addFrames(5)
            ($0.format.rate, $0.format.channels) = (3, 1)
            $0.addFrames(5)
        }
        let outcome = ADTSDriver.outcome(ADTSParser(), file.bytes)
        #expect(outcome.tracks.map(\.ordinal) == [0, 1])
        #expect(outcome.tracks.map(\.format.sampleRate) == [44100, 48000])
        #expect(outcome.tracks.map(\.format.channels) == [2, 1])
        #expect(outcome.packets.map(\.frame) == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4].map { $0 * 1024 })
        #expect(outcome.payloads == file.payloads)
    }

    @Test("Blocks without check words form one packet; with check words each is a packet")
    func blocks() {
        var builder = ADTSBuilder()
        builder.format.blocks = 3
        builder.addFrames(4)
        let plain = ADTSDriver.outcome(ADTSParser(), builder.bytes)
        #expect(plain.packets.map(\.frame) == [0, 3072, 6144, 9216])
        #expect(plain.packets.allSatisfy { $0.frames == 3072 })
        builder = ADTSBuilder()
        builder.format.hasCRC = true
        let payloads: [[UInt8]] = [[1, 2, 3], [4, 5], [6, 7, 8, 9]]
        for _ in 0..<4 { builder.addProtectedFrame(payloads) }
        let outcome = ADTSDriver.outcome(ADTSParser(), builder.bytes)
        #expect(outcome.payloads == payloads + payloads + payloads + payloads)
        #expect(outcome.packets.map(\.frame) == (0..<12).map { $0 * 1024 })
        #expect(outcome.packets.allSatisfy { $0.frames == 1024 })
    }

    @Test("Channels that only the first block lists are found")
    func programConfig() throws {
        var builder = ADTSBuilder()
        builder.format.channels = 0
        let element = ConfigFields.bits([(5, 3)] + ConfigFields.surround + [(0, 3), (0, 8)])
        for _ in 0..<4 { builder.addFrame(element + [1, 2, 3]) }
        let track = try #require(ADTSDriver.outcome(ADTSParser(), builder.bytes).tracks.first)
        #expect(track.format.channels == 6)
        #expect(track.format.layout == .surround51)
    }

    @Test(
        "Other profiles are rejected by their name",
        arguments: [(0, "AAC Main"), (2, "AAC SSR"), (3, "AAC LTP")])
    func profile(profile: Int, name: String) {
        var builder = ADTSBuilder()
        builder.format.profile = profile
        builder.addFrames(4)
        let outcome = ADTSDriver.outcome(ADTSParser(), builder.bytes)
        #expect(outcome.failure == "this is \(name), which Earshot cannot play")
    }

    @Test("The length is an estimate from the mean bit rate, and exact at the end")
    func length() throws {
        let file = Case("") { $0.addFrames(1000, sizes: 200...290) }
        var driver = ADTSDriver(ADTSParser(), file.bytes)
        driver.run(packets: 100)
        #expect(driver.parser.length == .unknown)
        driver.parser.totalLength = Int64(file.bytes.count)
        guard case .estimated(let frames) = driver.parser.length else {
            Issue.record("no estimate")
            return
        }
        #expect((920_000...1_130_000).contains(frames))
        driver.run()
        #expect(driver.parser.length == .exact(1000 * 1024))
    }

    @Test("Seeks and points lead to the packets of a linear read")
    func seek() throws {
        let file = Case("") { $0.addFrames(1500) }
        let whole = ADTSDriver.outcome(ADTSParser(), file.bytes)
        var driver = ADTSDriver(ADTSParser(), file.bytes)
        driver.run(packets: 1200)
        for packet in [1100, 700, 3, 1199] {
            #expect(driver.parser.seek(to: Int64(packet) * 1024 + 5) == true)
            driver.run(packets: driver.outcome.payloads.count + 2)
            #expect(driver.outcome.packets.suffix(2) == whole.packets[packet - 1...packet])
            #expect(driver.outcome.payloads.suffix(2) == whole.payloads[packet - 1...packet])
        }
        #expect(driver.parser.seek(to: 1400 * 1024) == false)
        driver.parser.resume(at: try #require(whole.points[1300]))
        driver.run()
        #expect(driver.outcome.packets.suffix(200) == whole.packets.suffix(200))
        #expect(driver.parser.offset(ofFrame: 512 * 1024) == file.offsets[512])
    }

    @Test("A parser that enters the stream in the middle does not know its frames")
    func synchronize() {
        let file = Case("") { $0.addFrames(300) }
        var driver = ADTSDriver(ADTSParser(), file.bytes) { 100 }
        driver.run(packets: 1)
        driver.parser.synchronize(from: file.offsets[200] + 1)
        driver.run()
        #expect(driver.outcome.packets.dropFirst().map(\.offset) == Array(file.offsets[201...]))
        #expect(driver.outcome.packets.dropFirst().allSatisfy { $0.frame == nil })
        #expect(driver.outcome.tracks.count == 1)
    }

    @Test("A configuration that the decoder found doubles the frames")
    func implicitSBR() throws {
        let file = Case("") {
            $0.format.rate = 7
            $0.addFrames(5)
        }
        let found = try AACConfig(profile: 1, sampleRateIndex: 7, channelConfiguration: 2).withImplicitSBR
        let outcome = ADTSDriver.outcome(ADTSParser(assuming: found), file.bytes)
        #expect(outcome.tracks.first?.format.sampleRate == 44100)
        #expect(outcome.packets.map(\.frame) == (0..<5).map { $0 * 2048 })
    }

    @Test("Damaged streams end within bounds", arguments: 0..<40 as Range<UInt64>)
    func fuzz(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<15 {
            var bytes = try #require(Self.cases.randomElement(using: &generator)).bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) where bytes.count > 20 {
                let place = Int.random(in: 0..<bytes.count - 10, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
                case 1: bytes.removeSubrange(place..<place + 9)
                case 2: bytes.insert(contentsOf: [0xFF, 0xF1, 0x50, 0x80, 0x3F, 0xFF, 0xFC], at: place)
                default: bytes.insert(contentsOf: Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], at: place)
                }
            }
            let whole = ADTSDriver.outcome(ADTSParser(), bytes)
            #expect(whole.appended <= 2 * bytes.count + 4096)
            #expect(whole.tracks.isEmpty == (whole.failure != nil))
            let pieces = ADTSDriver.outcome(ADTSParser(), bytes, cutBy: &generator)
            #expect(pieces.events == whole.events)
            #expect(pieces.payloads == whole.payloads)
        }
    }
}
