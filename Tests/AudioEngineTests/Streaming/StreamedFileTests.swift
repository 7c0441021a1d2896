// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Streamed and recorded files")
struct StreamedFileTests {
    /// Returns every sample of a file, read from start to end.
    private func linear(_ path: String) throws -> [Float] {
        let reader = try AudioFileReader(path: path)
        let block = AudioBufferList(format: reader.format, frameCapacity: 4096)
        var samples: [Float] = []
        while case .frames(let count) = try reader.read(into: block.slice) {
            let start = block.slice.plane(0).assumingMemoryBound(to: Float.self)
            samples += UnsafeBufferPointer(start: start, count: count * reader.format.channels)
        }
        return samples
    }

    private func turned(_ samples: [Float], channels: Int) -> [Float] {
        stride(from: samples.count - channels, through: 0, by: -channels).flatMap { samples[$0..<$0 + channels] }
    }

    @Test("An MP3 file streamed forward, backward and in a loop equals a linear decode, bit for bit",
        arguments: [["-V4"], ["-b", "320"]])
    func mp3(options: [String]) throws {
        let scratch = ScratchDirectory()
        let sound = TestSound(frames: 150_000)
        let path = try scratch.write(sound.encoded(endingAt: [sound.frames], [options])[0], to: "sound.mp3")
        let samples = try linear(path)
        #expect(samples.count == sound.frames * 2)
        let stream = try OfflineStream(AudioFileReader(path: path))
        #expect(stream.pull(200_000, slice: 1000) == samples)
        stream.source.setDirection(.backward)
        #expect(stream.pull(200_000, slice: 1000) == turned(samples, channels: 2))
        stream.source.setDirection(.forward)
        try stream.source.seek(to: 50_000)
        try stream.source.setLoop(StreamLoop(from: 50_000, to: 90_001, times: 3, afterwards: .stop))
        let pass = Array(samples[100_000..<180_002])
        #expect(stream.pull(200_000, slice: 1000) == pass + pass + pass)
        // From the end of the section its last pass is played backward.
        stream.source.setDirection(.backward)
        #expect(stream.pull(200_000, slice: 1000) == turned(pass, channels: 2))
    }

    @Test("A recording during rendering contains the rendered samples", arguments: [1, 2])
    func recorded(channels: Int) async throws {
        let scratch = ScratchDirectory()
        let stream = try OfflineStream(NumberReader(frames: 20_000, channels: channels) { frame, channel in
            Float(frame % 1000) / 1000 - Float(channel) / 2
        })
        let path = scratch.path("recorded.wav")
        let format = AudioFileFormat(type: .wav, sampleRate: 8000, channels: channels, encoding: .float32)
        let recorder = try RealtimeRecorder(AudioFileWriter(path: path, fileFormat: format))
        let tap = RecordingTap(stream.source, into: recorder)
        var (heard, slice) = ([Float](), [Float](repeating: 0, count: 512 * channels))
        while stream.source.prime(frames: 512), !stream.source.status.hasFinished {
            let count = slice.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return tap.pull(into: start, frames: 512, at: 0)
            }
            heard += slice[..<(count * channels)]
        }
        let recording = await recorder.finish()
        #expect(recording.framesWritten == 20_000)
        #expect(recording.error == nil)
        #expect(try linear(path) == heard)
    }

    @Test("A recording that is never finished is a readable file")
    func letGo() async throws {
        let scratch = ScratchDirectory()
        let path = scratch.path("recorded.flac")
        do {
            let format = AudioFileFormat(type: .flac, sampleRate: 8000, channels: 1)
            let recorder = try RealtimeRecorder(AudioFileWriter(path: path, fileFormat: format))
            let samples = [Float](repeating: 0.5, count: 4000)
            samples.withUnsafeBufferPointer { buffer in
                if let start = buffer.baseAddress { recorder.push(start, frames: 4000) }
            }
        }
        #expect(await eventually { (try? linear(path).count) == 4000 })
    }
}
