// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Parts of the container parsers")
struct ByteWindowTests {
    private func append(_ bytes: [UInt8], to window: inout ByteWindow) {
        bytes.withUnsafeBytes { window.append($0) }
    }

    @Test("A window extends, keeps the bytes of the step and jumps")
    func jumps() throws {
        var window = ByteWindow()
        append([1, 2, 3, 4], to: &window)
        #expect(try window.bytes(2, at: 2) == [3, 4])
        #expect(throws: Interruption.missing(2..<6)) { try window.bytes(4, at: 2) }
        window.want(2..<6, usefulUpTo: 100, keepingFrom: 1)
        #expect(window.readOffset == 4)
        #expect(window.readLimit == 96)
        append([5, 6], to: &window)
        #expect(try window.bytes(4, at: 2) == [3, 4, 5, 6])
        window.want(50..<52, usefulUpTo: 0, keepingFrom: 50)
        #expect(window.readOffset == 50)
        append([7, 8], to: &window)
        #expect(try window.bytes(2, at: 50) == [7, 8])
        #expect(throws: Interruption.missing(4..<6)) { try window.bytes(2, at: 4) }
    }

    @Test("Beyond the end of the file no bytes are missing")
    func end() throws {
        var window = ByteWindow()
        append([1, 2, 3], to: &window)
        window.want(0..<9, usefulUpTo: 9, keepingFrom: 0)
        window.finish()
        #expect(window.fileEnd == 3)
        #expect(throws: Interruption.beyondEnd) { try window.bytes(4, at: 0) }
        #expect(try window.available(1..<9) == [2, 3])
        #expect(throws: Interruption.beyondEnd) { try window.available(3..<9) }
        #expect(window.withBytes(of: 0..<4) { $0.count } == 0)
    }

    @Test("Checkpoints answer between two entries and not outside")
    func checkpoints() {
        var checkpoints = SeekCheckpoints()
        for index in [0, 3, 1, 2, 1] as [Int64] {
            checkpoints.insert(.init(frame: index * 1000, offset: index * 500 + 40, index: index))
        }
        #expect(checkpoints.entries.map(\.index) == [0, 1, 2, 3])
        #expect(checkpoints.offset(ofFrame: 1500) == 790)
        #expect(checkpoints.frame(atOffset: 790) == 1500)
        #expect(checkpoints.offset(ofFrame: 3000) == 1540)
        #expect(checkpoints.offset(ofFrame: 3001) == nil)
        #expect(checkpoints.frame(atOffset: 39) == nil)
        #expect(checkpoints.last(atOrBefore: 1999)?.index == 1)
        #expect(checkpoints.last(atOrBefore: -1) == nil)
        #expect(checkpoints.last(atOrBeforeOffset: 541)?.index == 1)
    }

    @Test("Scaling rounds to the nearest and never overflows")
    func scaling() {
        #expect(Int64(1001).scaled(by: 44100, over: 1000) == 44144)
        #expect(Int64(-3).scaled(by: 1, over: 2) == -2)
        #expect(Int64.max.scaled(by: .max, over: 1) == ByteWindow.farthest)
        #expect(Int64.max.scaled(by: .max, over: .max) == ByteWindow.farthest)
        #expect(Int64(5).scaled(by: 7, over: 0) == 0)
    }

    @Test(
        "The duration of an Opus packet follows from its first bytes",
        arguments: [
            ([0x00], 480), ([0x18], 2880), ([0x60], 480), ([0x80], 120), ([0xF8], 960), ([0xF9], 1920),
            ([0xFB, 0x03], 2880), ([0xFB, 0x07], nil), ([0xFB], nil), ([], nil), ([0xFB, 0x00], nil),
        ] as [([UInt8], Int?)])
    func opusDuration(packet: [UInt8], frames: Int?) {
        #expect(packet.withUnsafeBytes { OpusPacketDuration.frames(of: $0) } == frames)
    }
}
