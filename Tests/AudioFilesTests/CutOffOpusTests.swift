// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Truncated Opus files", .timeLimit(.minutes(TimeLimit.factor)))
struct CutOffOpusTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = ScratchDirectory() }

    /// Returns a reader for the given percentage of the bytes of an eight-second file.
    private func reader(_ percent: Int) throws -> AudioFileReader {
        let path = scratch.path("whole.opus")
        let writer = try AudioFileWriter(
            path: path, fileFormat: AudioFileFormat(type: .opus, sampleRate: 48_000, channels: 1))
        let list = TestSounds.integers(writer.format, frames: 384_000, bits: 16)
        try list.withSlice { try writer.write($0.converted(to: writer.format)) }
        try writer.close()
        let bytes = scratch.read("whole.opus")
        return try AudioFileReader(path: scratch.write(bytes.prefix(bytes.count * percent / 100), to: "cut.opus"))
    }

    @Test("A seek beyond the available data fails, however far, and the next one succeeds", arguments: [40, 61, 90])
    func beyond(percent: Int) throws {
        let reader = try reader(percent)
        _ = try? reader.rest()
        let end = reader.position
        #expect(end > 100_000)
        for frame in [700_000, 1_000_000_000_000, 1 << 60, Int64.max / 2] {
            try reader.seek(to: frame)
            #expect(throws: AudioFileError.self) { try reader.frames(from: frame, count: 1) }
            #expect(try reader.frames(from: 0, count: 1000)[0].count == 4000)
            #expect(try reader.frames(from: end - 1000, count: 100)[0].count == 400)
        }
    }
}
