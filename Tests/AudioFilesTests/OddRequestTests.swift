// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Invalid requests and extreme numbers")
struct OddRequestTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = ScratchDirectory() }

    @Test("A NUL in a path is refused, and no other file is changed")
    func nul() throws {
        try scratch.write([1, 2, 3], to: "a")
        let path = scratch.path("a") + "\0b.wav"
        let format = AudioFileFormat(type: .wav, sampleRate: 48_000, channels: 1)
        let reason = "the path contains a NUL character"
        #expect(throws: AudioFileError.cannotWrite(path: path, reason: reason)) {
            try AudioFileWriter(path: path, fileFormat: format)
        }
        #expect(throws: AudioFileError.cannotOpen(path: path, reason: reason)) { try AudioFileReader(path: path) }
        #expect(scratch.read("a") == [1, 2, 3])
    }

    @Test("An 8-bit sample is rounded once", arguments: [AudioFileType.wav, .aiff, .caf])
    func int8(type: AudioFileType) throws {
        let file = AudioFileFormat(type: type, sampleRate: 48_000, channels: 1, encoding: .int8)
        guard file.refusal == nil else { return }
        let path = scratch.path("eight")
        let writer = try AudioFileWriter(path: path, fileFormat: file)
        var samples: [Float] = []
        for step in -127..<127 {
            samples.append((Float(step) + 0.4985) / 128)
            samples.append((Float(step) - 0.4985) / 128)
        }
        try writer.write(AudioBufferSlice(&samples, frames: samples.count, format: writer.format))
        try writer.close()
        let reader = try AudioFileReader(path: path)
        var list = AudioBufferList(format: reader.format, frameCapacity: samples.count)
        #expect(try reader.read(into: &list) == .frames(samples.count))
        let read: [Float] = list.withSlice { slice in
            let plane = slice.plane(0).assumingMemoryBound(to: Float.self)
            return (0..<slice.frames).map { plane[$0] * 128 }
        }
        let expected: [Float] = (-127..<127).flatMap { (step: Int) -> [Float] in [Float(step), Float(step)] }
        #expect(read == expected)
    }

    @Test("A negative memory limit is reported as 0")
    func limit() throws {
        let file = AudioFileFormat(type: .wav, sampleRate: 48_000, channels: 1)
        let writer = try AudioFileWriter(path: scratch.path("some"), fileFormat: file)
        try writer.write(AudioBufferList(format: writer.format, frameCapacity: 10))
        try writer.close()
        let error = #expect(throws: AudioFileError.self) {
            _ = try AudioFileLoader(path: scratch.path("some"), byteLimit: -1).load()
        }
        #expect("\(error as Any)".contains("limit of 0 KiB"))
    }
}
