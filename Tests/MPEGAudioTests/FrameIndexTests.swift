// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Testing

@Suite("Frame index")
struct FrameIndexTests {
    /// Streams long enough for several seek points, with tags and garbage between packets.
    static let streams: [StreamCase] = [
        StreamCase("CBR 128") { $0.addFrames(200) },
        StreamCase("VBR") { $0.addFrames(200, kilobits: [32, 320, 64, 128, 32, 32, 32]) },
        StreamCase("LSF 8 kbit/s mono", .init(.mpeg2, sampleRate: 24000, kilobits: 8, isMono: true)) {
            $0.addFrames(300)
        },
        StreamCase("Layer II", .init(layer: 2, kilobits: 64)) { $0.addFrames(60) },
        StreamCase("Layer I", .init(layer: 1, kilobits: 64)) { $0.addFrames(60) },
        StreamCase("free format", .init(freeFormatLength: 500)) {
            $0.addFrames(50)
            $0.addGarbage(77)
            $0.format.freeFormatLength = 900
            $0.addFrames(50, padded: true)
        },
        StreamCase("tags and garbage between frames") {
            $0.addID3v2(padding: 1000)
            $0.addXing(frames: 90)
            $0.addFrames(45)
            $0.addGarbage(3000)
            $0.addFrames(21)
            $0.addID3v2(padding: 50_000)
            $0.addFrames(24)
            $0.addID3v1()
        },
        StreamCase("three concatenated formats") {
            $0.addFrames(43)
            $0.format = .init(sampleRate: 48000)
            $0.addFrames(43)
            $0.format = .init(.mpeg2, sampleRate: 22050, kilobits: 32, isMono: true)
            $0.addFrames(43)
        },
    ]

    private func index(of packets: [MPEGPacket]) -> FrameIndex {
        packets.reduce(into: FrameIndex()) { $0.append($1) }
    }

    @Test("A parse from any seek point yields the packets of the linear parse", arguments: streams)
    func resumes(row: StreamCase) throws {
        let bytes = row.stream.bytes
        let packets = StreamDriver.events(of: bytes).packets
        #expect(packets.count == row.stream.frameOffsets.count)
        let index = index(of: packets)
        var tried: Set<Int64> = []
        for number in 0...index.count {
            let point = try #require(index.seekPoint(for: number))
            guard tried.insert(point.packetNumber).inserted else { continue }
            let resumed = StreamDriver.events(of: bytes, from: MPEGStreamParser(resumingAt: point), cutInto: 1000)
            #expect(resumed.packets == Array(packets[Int(point.packetNumber)...]), "from \(point.packetNumber)")
        }
        #expect(tried.count > 1)
    }

    @Test("A parse from the frontier of any prefix continues like the linear parse", arguments: streams)
    func frontier(row: StreamCase) throws {
        let bytes = row.stream.bytes
        let packets = StreamDriver.events(of: bytes).packets
        var index = FrameIndex()
        #expect(index.frontier == nil)
        for (place, packet) in packets.enumerated() {
            index.append(packet)
            guard place % 7 == 0 else { continue }
            let point = try #require(index.frontier)
            #expect(point.packetNumber == Int64(place + 1))
            let resumed = StreamDriver.events(of: bytes, from: MPEGStreamParser(resumingAt: point))
            #expect(resumed.packets == Array(packets[(place + 1)...]))
        }
    }

    @Test("The pre-roll covers the overlap and the whole bit reservoir before it", arguments: streams)
    func preRoll(row: StreamCase) throws {
        let packets = StreamDriver.events(of: row.stream.bytes).packets
        let index = index(of: packets)
        for target in packets {
            let start = try #require(index.seekPoint(for: target.number)).packetNumber
            let isLow = target.header.version != .mpeg1
            let overlap: Int64 = target.header.layer == .i || target.header.layer == .iii && isLow ? 2 : 1
            let overlapStart = max(0, target.number - overlap)
            #expect(start <= overlapStart)
            #expect(start % 8 == 0)
            #expect(target.number - start <= 97)
            let held = packets[Int(start)..<Int(overlapStart)].reduce(0) { sum, packet in
                sum + packet.length - 4 - (packet.header.hasCRC ? 4 : 0) - packet.header.sideInfoLength
            }
            let reservoir = target.header.layer == .iii ? (isLow ? 255 : 511) : 0
            #expect(held >= reservoir || start == 0 || target.number - start > 89, "packet \(target.number)")
        }
    }

    @Test("The pre-roll is minimal: two runs of eight at 128 kbit/s")
    func shortPreRoll() throws {
        let index = index(of: StreamDriver.events(of: Self.streams[0].stream.bytes).packets)
        for number in 0..<index.count {
            let point = try #require(index.seekPoint(for: number))
            #expect(number - point.packetNumber <= 16)
        }
    }

    @Test("Packet and offset estimates are accurate to within 8 packets", arguments: streams)
    func estimates(row: StreamCase) throws {
        let packets = StreamDriver.events(of: row.stream.bytes).packets
        let index = index(of: packets)
        for packet in packets {
            let number = try #require(index.packetNumber(atOffset: packet.offset))
            #expect(abs(number - packet.number) < 8)
            let offset = try #require(index.offset(ofPacket: packet.number))
            #expect(offset >= packets[Int(packet.number) / 8 * 8].offset)
            #expect(packet.number % 8 != 0 || offset == packet.offset)
        }
        let last = try #require(packets.last)
        #expect(index.offset(ofPacket: index.count) == last.offset + Int64(last.length))
        #expect(index.packetNumber(atOffset: last.offset + Int64(last.length)) == nil)
    }

    @Test("A packet that is already indexed or follows a gap is ignored")
    func ignores() {
        let packets = StreamDriver.events(of: Self.streams[0].stream.bytes).packets
        var index = index(of: Array(packets[..<20]))
        let before = index
        index.append(packets[3])
        index.append(packets[19])
        index.append(packets[21])
        #expect(index == before)
        index.append(packets[20])
        #expect(index.count == 21)
    }

    @Test("Queries outside the indexed range have no answer")
    func outside() {
        let empty = FrameIndex()
        #expect(empty.seekPoint(for: 0) == nil)
        #expect(empty.offset(ofPacket: 0) == nil)
        #expect(empty.packetNumber(atOffset: 0) == nil)
        let index = index(of: StreamDriver.events(of: Self.streams[6].stream.bytes).packets)
        #expect(index.seekPoint(for: index.count + 1) == nil)
        #expect(index.seekPoint(for: -1) == nil)
        #expect(index.packetNumber(atOffset: 0) == nil)
        #expect(index.packetNumber(atOffset: .max) == nil)
    }

    @Test("Offsets beyond 4 GiB and very large gaps are exact")
    func farOffsets() throws {
        let header = try #require(MPEGFrameHeader(0xFFFB_9064))
        var generator = SeededGenerator(seed: 5)
        var offset: Int64 = 0
        var packets: [MPEGPacket] = []
        for number in 0..<400 as Range<Int64> {
            packets.append(MPEGPacket(header: header, offset: offset, length: 417, number: number))
            offset += Bool.random(using: &generator) ? 417 : Int64.random(in: 417..<1 << 34, using: &generator)
        }
        let index = index(of: packets)
        for packet in packets where packet.number % 8 == 0 {
            #expect(index.offset(ofPacket: packet.number) == packet.offset)
            #expect(index.packetNumber(atOffset: packet.offset) == packet.number)
        }
    }
}
