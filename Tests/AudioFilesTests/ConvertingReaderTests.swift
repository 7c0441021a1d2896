// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Sample rate conversion of files")
struct ConvertingReaderTests {
    private let directory: ScratchDirectory

    init() throws { directory = ScratchDirectory() }

    /// Two rates, and the tolerance for rounding in the converter's filters.
    static let rates: [(Int, Int, Float)] = [
        (44100, 48000, 1e-6), (48000, 44100, 1e-6), (8000, 48000, 1e-6), (22050, 96000, 1e-6), (11025, 11024, 1e-6),
        (44100, 8000, 2e-5), (96000, 22050, 2e-5), (192_000, 8000, 3e-5), (48000, 12000, 1e-4),
    ]

    @Test("A seek yields the frames of a conversion without seeks", arguments: rates)
    func seeks(from: Int, to: Int, tolerance: Float) throws {
        let frames = 200_000
        let sound = TestSounds.integers(AudioFormat(sampleRate: from, channels: 2), frames: frames, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .wav, sampleRate: from, channels: 2), to: directory)
        let format = AudioFormat(sampleRate: to, channels: 2)
        let linear = try AudioFileReader(path: path, format: format)
        let whole = try linear.rest(inBlocksOf: 777)[0].floats
        let expected = Int64((Double(frames) * Double(to) / Double(from)).rounded())

        #expect(linear.length == .exact(expected))
        #expect(whole.count == Int(expected) * 2)
        let block = AudioBufferList(format: format, frameCapacity: 1)
        #expect(try linear.read(into: block.slice) == .end)

        let file = try AudioFileReader(path: path, format: format)
        var random = SeededGenerator(seed: UInt64(to))
        var largest: Float = 0
        for number in 0..<25 {
            let place = number == 0 ? expected - 1 : Int64.random(in: 0..<expected, using: &random)
            let read = try file.frames(from: place, count: 500)[0].floats
            #expect(read.count == min(500, Int(expected - place)) * 2)
            #expect(file.position == place + Int64(read.count / 2))
            largest = zip(read, whole[(Int(place) * 2)...]).reduce(largest) { max($0, abs($1.0 - $1.1)) }
        }
        #expect(largest < tolerance)
    }

    @Test("At the file's own rate every bit is preserved after any seek")
    func sameRate() throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 50_000, bits: 24)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .flac, sampleRate: 44100, channels: 2, encoding: .int24), to: directory)
        let format = AudioFormat(sampleRate: 44100, channels: 2, sampleType: .float64, isInterleaved: false)
        let file = try AudioFileReader(path: path, format: format)
        let whole = try file.rest(inBlocksOf: 999)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<30 {
            let place = Int64.random(in: 0..<50_000, using: &random)
            let expected = whole.map { $0.frames(from: place, count: 300, bytesPerFrame: 8) }
            #expect(try file.frames(from: place, count: 300) == expected)
        }
    }

    @Test("Mono MP3 is converted to two channels of any type, with and without seeks")
    func mp3() throws {
        let format = AudioFormat(sampleRate: 44100, channels: 2, sampleType: .int32, isInterleaved: false)
        let file = try AudioFileReader(path: TestFiles.mp3("mono-44100-cbr64"), format: format)
        let whole = try file.rest()
        #expect(whole[0] == whole[1])
        let expected = whole[0].frames(from: 20_000, count: 500, bytesPerFrame: 4)
        #expect(try file.frames(from: 20_000, count: 500)[0] == expected)
    }

    @Test("An impossible target rate is refused", arguments: [0, -1, 100, 10_000_000])
    func refused(rate: Int) throws {
        let path = TestFiles.mp3("mono-44100-cbr64")
        let expected = AudioFileError.unsupportedFormat(reason: "cannot convert from 44100 Hz to \(rate) Hz")
        #expect(throws: expected) {
            try AudioFileReader(path: path, format: AudioFormat(sampleRate: rate, channels: 1))
        }
    }
}
