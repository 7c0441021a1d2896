// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import Media
import Testing

@Suite("Extreme numbers")
struct OddNumberTests {
    private final class Writer: AudioFrameWriter {
        let format: AudioFormat
        init(_ format: AudioFormat) { self.format = format }
        func write(_ slice: AudioBufferSlice) throws(AudioFileError) {}
        func close() throws(AudioFileError) {}
    }

    @Test("A recorder refuses an impossible format", arguments: [
        AudioFormat(sampleRate: .max, channels: 1), AudioFormat(sampleRate: 0, channels: 1),
        AudioFormat(sampleRate: 48_000, channels: .max), AudioFormat(sampleRate: 48_000, channels: 0),
    ])
    func recorder(format: AudioFormat) {
        #expect(throws: StreamingError.self) { try RealtimeRecorder(Writer(format)) }
    }

    @Test("A render beyond the end of the timeline yields no frames", arguments: [Int64.max - 10, .max, 1 << 62, .min])
    func offline(position: Int64) {
        let graph = RenderGraph(
            format: AudioFormat(sampleRate: 48_000, channels: 1), events: EventThread(every: nil))
        graph.output = Sampler(format: graph.format, events: graph.events)
        var renderer = OfflineRenderer(graph, from: position)
        #expect(renderer.render(frames: 100).frameLength == 0)
    }

    /// A reader whose first frame has not arrived.
    private final class LateReader: AudioFrameReader {
        let format = AudioFormat(sampleRate: 48_000, channels: 1)
        let length = AudioFileLength.unknown
        private(set) var position: Int64 = 0

        func seek(to frame: Int64) { position = frame }
        func read(into slice: AudioBufferSlice) -> AudioFileRead { .notYetAvailable }
    }

    @Test("A stream whose first frame has not arrived is not starved")
    func unprimed() throws {
        let source = try StreamingSource(LateReader())
        source.play()
        var samples = [Float](repeating: 0, count: 512)
        #expect(source.render(into: &samples, frames: 512, at: 0) == 0)
        #expect(source.status.starvedFrames == 0)
    }
}
