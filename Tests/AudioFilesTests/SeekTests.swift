// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Exact seeks")
struct SeekTests {
    private let directory: ScratchDirectory

    init() throws { directory = ScratchDirectory() }

    /// Seeks to near and far positions in both directions and reads 200 or 9000 frames.
    /// - Returns: The positions at which the frames differ from `whole`.
    static func wrongPlaces(in file: some AudioFrameReader, against whole: [UInt8], seeks: Int) throws -> [Int64] {
        let bytesPerFrame = file.format.bytesPerFrame
        let frames = Int64(whole.count / bytesPerFrame)
        var random = SeededGenerator(seed: UInt64(frames))
        return try (0..<seeks).compactMap { number in
            let near = file.position + Int64.random(in: -9000...90_000, using: &random)
            let far = Int64.random(in: -10...frames + 10, using: &random)
            let place = number % 3 == 0 ? near : number == 1 ? frames - 1 : far
            let count = number % 4 == 0 ? 9000 : 200
            let read = try file.frames(from: place, count: count)[0]
            return read == whole.frames(from: max(0, place), count: count, bytesPerFrame: bytesPerFrame) ? nil : place
        }
    }

    @Test(
        "MP3 equals another program's decode of the whole file, and a seek yields the same frames",
        arguments: TestFiles.mp3s)
    func mp3(name: String) throws {
        let path = TestFiles.mp3(name)
        let whole = try AudioFileReader(path: path).rest()[0]

        let file = try AudioFileReader(path: path)

        #expect(file.length == .exact(Int64(whole.count / file.format.bytesPerFrame)))
        #expect(try Self.wrongPlaces(in: file, against: whole, seeks: 60) == [])
        // This version of the reference decoder cannot decode free format.
        if !name.contains("free") { #expect(try ReferenceDecoder.samples(path: path) == whole) }
    }

    static let stored: [(AudioFileType, AudioFileEncoding?)] = [
        (.wav, .int16), (.wav, .float64), (.aiff, .int24), (.caf, .float32), (.flac, .int16), (.flac, .int24),
    ]

    @Test("A seek in a lossless file is exact to the bit", arguments: stored)
    func lossless(type: AudioFileType, encoding: AudioFileEncoding?) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 150_000, bits: 16)
        let format = AudioFileFormat(type: type, sampleRate: 44100, channels: 2, encoding: encoding)
        let path = try TestFiles.write(sound, as: format, to: directory)
        let file = try AudioFileReader(path: path, format: sound.format)
        #expect(try Self.wrongPlaces(in: file, against: sound.slice.planeBytes[0], seeks: 100) == [])
    }

    @Test(
        "A seek in a Vorbis file is exact to the bit",
        arguments: [(44100, 2, 0.1), (44100, 1, 0.4), (8000, 2, 0.9), (48000, 6, 0.9)])
    func vorbis(rate: Int, channels: Int, quality: Double) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: rate, channels: channels), frames: 300_000, bits: 16)
        let format = AudioFileFormat(
            type: .oggVorbis, sampleRate: rate, channels: channels, encoding: .lossy(quality: quality))
        let path = try TestFiles.write(sound, as: format, to: directory)
        let whole = try AudioFileReader(path: path).rest()[0]

        let file = try AudioFileReader(path: path)

        #expect(whole.count == 300_000 * file.format.bytesPerFrame)
        #expect(try Self.wrongPlaces(in: file, against: whole, seeks: 60) == [])
    }

    @Test(
        "A seek in an Opus file is within the decoder's tolerance",
        arguments: [(48000, 2, 0.5), (24000, 1, 0.5), (16000, 2, 0.9)])
    func opus(rate: Int, channels: Int, quality: Double) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: rate, channels: channels), frames: 200_000, bits: 16)
        let format = AudioFileFormat(
            type: .opus, sampleRate: rate, channels: channels, encoding: .lossy(quality: quality))
        let path = try TestFiles.write(sound, as: format, to: directory)
        let whole = try AudioFileReader(path: path).rest()[0].floats
        let file = try AudioFileReader(path: path)
        var random = SeededGenerator(seed: 5)
        var largest: Float = 0
        for _ in 0..<30 {
            let place = Int64.random(in: 0..<199_000, using: &random)
            let read = try file.frames(from: place, count: 1000)[0].floats
            let start = Int(place) * channels
            #expect(read.count == 1000 * channels)
            largest = zip(read, whole[start..<start + read.count]).reduce(largest) { max($0, abs($1.0 - $1.1)) }
        }
        #expect(largest < 1e-5)
    }

    @Test(
        "A seek after the end reaches the end, and one before the first frame reaches the first",
        arguments: TestFiles.mp3s.prefix(2))
    func ends(name: String) throws {
        let file = try AudioFileReader(path: TestFiles.mp3(name))
        let length = try #require(file.length.frames)
        let block = AudioBufferList(format: file.format, frameCapacity: 10)
        for place in [length, length + 1, .max] {
            try file.seek(to: place)
            #expect(try file.read(into: block.slice) == .end)
        }
        let first = try file.frames(from: 0, count: 10)
        #expect(try file.frames(from: .min, count: 10) == first)
        #expect(try file.frames(from: length - 3, count: 10)[0].count == 3 * file.format.bytesPerFrame)
    }
}
