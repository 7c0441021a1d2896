// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Files larger than 4 GiB", .enabled(if: LongTests.areEnabled))
struct LargeFileTests {
    private let directory: ScratchDirectory
    private let format = AudioFormat(sampleRate: 48000, channels: 8, sampleType: .float64)

    init() throws { directory = ScratchDirectory() }

    private func write(_ type: AudioFileType, blocks: Int) throws -> String {
        let path = directory.path("sound")
        let file = try AudioFileWriter(
            path: path, fileFormat: AudioFileFormat(type: type, sampleRate: 48000, channels: 8, encoding: .float64),
            format: format)
        let block = AudioBufferList(format: format, frameCapacity: 1 << 16)
        let samples = block.slice.plane(0).assumingMemoryBound(to: Double.self)
        for number in 0..<blocks {
            samples[0] = Double(number + 1)
            try file.write(block.slice)
        }
        try file.close()
        return path
    }

    @Test("WAV becomes RF64 and is read to its end", arguments: [AudioFileType.wav, .caf])
    func large(type: AudioFileType) throws {
        let blocks = 1025
        let path = try write(type, blocks: blocks)
        let file = try AudioFileReader(path: path, format: format)
        #expect(file.length == .exact(Int64(blocks) << 16))
        let last = AudioBufferList(format: format, frameCapacity: 1)
        for number in [blocks - 1, 0, 1024] {
            try file.seek(to: Int64(number) << 16)
            #expect(try file.read(into: last.slice) == .frames(1))
            #expect(last.slice.plane(0).load(as: Double.self) == Double(number + 1))
        }
    }

    @Test("AIFF, whose sizes have 32 bits, reports that it is full")
    func aiff() {
        let path = directory.path("sound")
        let full = AudioFileError.cannotWrite(path: path, reason: "an AIFF file cannot exceed 4 GiB")
        #expect(throws: full) { try write(.aiff, blocks: 1025) }
    }
}
