// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import AudioOutput
import EarshotTestSupport
import Media
import Testing

@Suite("Playing a file to its end")
struct PlayToEndTests {
    private let scratch: ScratchDirectory
    private let format = AudioFormat(sampleRate: 48_000, channels: 1)
    private static let frames = 30_001

    init() throws { scratch = ScratchDirectory() }

    /// Returns a source for a file whose samples are proportional to their frame numbers.
    private func source(_ options: StreamingSource.Options = .exact) throws -> StreamingSource {
        let writer = try AudioFileWriter(
            path: scratch.path("in.wav"), fileFormat: AudioFileFormat(
                type: .wav, sampleRate: 48_000, channels: 1, encoding: .float32))
        var samples = (1...Self.frames).map { Float($0) / 65_536 }
        try writer.write(AudioBufferSlice(&samples, frames: samples.count, format: format))
        try writer.close()
        return try StreamingSource(AudioFileReader(path: scratch.path("in.wav")), options: options)
    }

    @Test("The output file gets every frame and no silence after the last", arguments: [false, true])
    func file(isInside: Bool) async throws {
        let source = try source()
        let graph = RenderGraph(format: format)
        graph.output = isInside ? VolumeControl(source, format: format) : source
        let sink = FileSink(path: scratch.path("out.raw"), container: .raw)
        try await GraphPlayback(of: graph, on: sink).play(toEndOf: source)
        let bytes = scratch.read("out.raw")
        #expect(bytes.count == Self.frames * 4)
        let last = bytes.suffix(4).enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (8 * $1.offset) }
        #expect(Float(bitPattern: last) == Float(Self.frames) / 65_536)
    }

    @Test("A full disk is an error")
    func fullDisk() async throws {
        let source = try source()
        let graph = RenderGraph(format: format)
        graph.output = source
        let sink = FileSink(path: "/dev/full", container: .raw)
        await #expect(throws: AudioOutputError.self) {
            try await GraphPlayback(of: graph, on: sink).play(toEndOf: source)
        }
    }
}
