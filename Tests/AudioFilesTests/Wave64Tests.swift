// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("RF64 and Wave64 files")
struct Wave64Tests {
    /// One channel of 16 bits at 44.1 kHz.
    private static func file(_ samples: [Int16]) -> [UInt8] {
        let guid: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
        func size(_ count: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(count).littleEndian, Array.init) }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + guid + size(24 + content.count) + content
        }
        let format: [UInt8] = [1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0]
        let sound = samples.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
        let body = Array("wave".utf8) + guid + chunk("fmt ", format) + chunk("data", sound)
        let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
        return Array("riff".utf8) + riff + size(24 + body.count) + body
    }

    @Test("RF64 without a stated length reaches to the end of the file", arguments: [UInt32.max, 0])
    func unknownLength(dataLength: UInt32) throws {
        let samples = (0..<5000).map { Int16(truncatingIfNeeded: $0 * 7919) }
        let directory = ScratchDirectory()
        func size(_ count: UInt32) -> [UInt8] { withUnsafeBytes(of: count.littleEndian, Array.init) }
        let format: [UInt8] = [1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0]
        let lengths = [UInt8](repeating: 0, count: 28)
        let head = Array("RF64".utf8) + size(.max) + Array("WAVEds64".utf8) + size(28) + lengths
        let sound = samples.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
        let bytes = head + Array("fmt ".utf8) + size(16) + format + Array("data".utf8) + size(dataLength) + sound

        let file = try AudioFileReader(path: directory.write(bytes, to: "a.wav"))

        #expect(file.length == .exact(5000))
        #expect(try file.rest()[0].floats == samples.map { Float($0) / 32768 })
    }

    @Test("A file is read with all its frames")
    func frames() throws {
        let samples = (0..<5000).map { Int16(truncatingIfNeeded: $0 * 7919) }
        let directory = ScratchDirectory()

        let file = try AudioFileReader(path: directory.write(Self.file(samples), to: "a.w64"))

        #expect(file.length == .exact(5000) && file.format.channels == 1)
        #expect(file.fileFormat.encoding == .int16)
        #expect(try file.rest()[0].floats == samples.map { Float($0) / 32768 })
    }
}
