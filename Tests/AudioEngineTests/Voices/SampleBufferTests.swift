// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import AudioFiles
import Media
import Testing

/// A reader of the Int16 samples 1, 2, 3 …, at most 1000 frames per read.
private final class CountingReader: AudioFrameReader {
    let format = AudioFormat(sampleRate: 1000, channels: 1, sampleType: .int16)
    let length: AudioFileLength
    private(set) var position: Int64 = 0
    private let last: AudioFileRead?
    private let frames: Int64

    /// - Parameter last: The result after the last frame; `nil` throws an error.
    init(frames: Int64, says length: AudioFileLength, last: AudioFileRead?) {
        (self.frames, self.length, self.last) = (frames, length, last)
    }

    func seek(to frame: Int64) throws(AudioFileError) { position = frame }

    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        let count = min(slice.frames, 1000, Int(frames - position))
        if count == 0 {
            guard let last else { throw .cannotRead(path: "counting", reason: "damaged") }
            return last
        }
        let samples = slice.plane(0).assumingMemoryBound(to: Int16.self)
        for index in 0..<count { samples[index] = Int16(position) + Int16(index) + 1 }
        position += Int64(count)
        return .frames(count)
    }
}

private func heard(_ buffer: SampleBuffer) throws -> [Float] {
    let desk = SamplerFixture(channels: buffer.format.channels)
    try desk.sampler.start(buffer)
    return desk.render(buffer.frames)
}

@Suite("SampleBuffer") struct SampleBufferTests {
    @Test(
        "A buffer has the valid frames of a list of any sample type, interleaved or planar",
        arguments: SampleType.allCases)
    func lists(type: SampleType) throws {
        for isInterleaved in [true, false] {
            let format = AudioFormat(
                sampleRate: 1000, channels: 2, sampleType: type, isInterleaved: isInterleaved)
            var source = AudioBufferList(format: format, frameCapacity: 3)
            let floats = list([0.5, -0.5, 0.25, -0.25, 0.125, 0], channels: 2)
            try SampleConverter(from: floats.format, to: format).convert(floats.slice, to: source.allFrames)
            source.frameLength = 2
            let buffer = try SampleBuffer(source)
            #expect(buffer.frames == 2 && buffer.format.isRenderable)
            #expect(try heard(buffer) == [0.5, -0.5, 0.25, -0.25])
        }
    }

    @Test("A buffer reads a file to its end, even if the reported length is wrong", arguments: [
        AudioFileLength.exact(10_000), .unknown, .estimate(3), .estimate(20_000), .exact(-5),
    ])
    func reading(length: AudioFileLength) throws {
        let buffer = try SampleBuffer(CountingReader(frames: 10_000, says: length, last: .end))
        #expect(try heard(buffer) == (1...10_000).map { Float($0) / 32_768 })
    }

    @Test("A reported length allocates no memory, and the actual length is limited")
    func limits() throws {
        let lying = CountingReader(frames: 5, says: .exact(.max), last: .end)
        #expect(try SampleBuffer(lying).frames == 5)
        // 10,000 frames of 4 bytes.
        #expect(try SampleBuffer(CountingReader(frames: 10_000, says: .unknown, last: .end), byteLimit: 40_000).frames
            == 10_000)
        #expect(throws: SamplerError.tooLarge(byteLimit: 39_999)) {
            try SampleBuffer(CountingReader(frames: 10_000, says: .unknown, last: .end), byteLimit: 39_999)
        }
    }

    @Test("A file that fails or is incomplete throws")
    func failing() {
        #expect(throws: SamplerError.incomplete) {
            try SampleBuffer(CountingReader(frames: 5, says: .unknown, last: .notYetAvailable))
        }
        #expect(throws: SamplerError.unreadable(.cannotRead(path: "counting", reason: "damaged"))) {
            try SampleBuffer(CountingReader(frames: 5, says: .exact(9), last: nil))
        }
    }
}
