// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Written files read back")
struct RoundTripTests {
    /// A file type, an encoding and the integer precision that it preserves, in bits.
    static let storages: [(AudioFileType, AudioFileEncoding, Int)] =
        [AudioFileType.wav, .aiff, .caf].flatMap { type in
            [(.int8, 8), (.int16, 16), (.int24, 24), (.int32, 32), (.float32, 24), (.float64, 32)]
                .map { (type, $0, $1) }
        } + [(.flac, .int8, 8), (.flac, .int16, 16), (.flac, .int24, 24)]

    private let directory: ScratchDirectory

    init() throws { directory = ScratchDirectory() }

    @Test("A lossless encoding preserves every bit for any channel count", arguments: storages, [1, 2, 6])
    func lossless(_ row: (type: AudioFileType, encoding: AudioFileEncoding, bits: Int), channels: Int) throws {
        let format = AudioFormat(sampleRate: 44100, channels: channels)
        let sound = TestSounds.integers(format, frames: 9000, bits: row.bits)
        let fileFormat = AudioFileFormat(
            type: row.type, sampleRate: 44100, channels: channels, encoding: row.encoding)
        let path = try TestFiles.write(sound, as: fileFormat, to: directory)

        let file = try AudioFileReader(path: path, format: sound.format)

        #expect(file.fileFormat.type == row.type)
        #expect(file.fileFormat.encoding == row.encoding)
        #expect(file.fileFormat.channels == channels)
        #expect(file.length == .exact(9000))
        #expect(file.duration == .exact(format.duration(ofFrames: 9000)))
        #expect(try file.rest(inBlocksOf: 1000) == sound.slice.planeBytes)
        #expect(file.position == 9000)
    }

    @Test("A WAV or AIFF file after ID3v2 tags has all its frames", arguments: [AudioFileType.wav, .aiff], [1, 2])
    func tagged(type: AudioFileType, tags: Int) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 9000, bits: 16)
        let fileFormat = AudioFileFormat(type: type, sampleRate: 44100, channels: 2, encoding: .int16)
        let path = try TestFiles.write(sound, as: fileFormat, to: directory)
        var builder = MP3Builder()
        for _ in 0..<tags { builder.addID3v2(padding: 20_000) }
        let bytes = builder.bytes + ScratchDirectory.bytes(of: path)

        let file = try AudioFileReader(path: directory.write(bytes, to: "tagged"), format: sound.format)

        let whole = sound.slice.planeBytes[0]
        let end = whole.frames(from: 8990, count: 10, bytesPerFrame: sound.format.bytesPerFrame)
        #expect(file.fileFormat.type == type)
        #expect(file.length == .exact(9000))
        #expect(try file.rest() == [whole])
        #expect(try file.frames(from: 8990, count: 20) == [end])
    }

    @Test("A non-finite sample in a floating-point file is read as silence", arguments: [SampleType.float32, .float64])
    func nonFinite(type: SampleType) throws {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let sound = AudioBufferList(format: format, frameCapacity: 5)
        let samples = sound.slice.plane(0).assumingMemoryBound(to: Float.self)
        let stored: [Float] = [0.5, .nan, .infinity, -.infinity, 1e30]
        for place in 0..<5 { samples[place] = stored[place] }
        let fileFormat = AudioFileFormat(
            type: .wav, sampleRate: 44100, channels: 1, encoding: type == .float32 ? .float32 : .float64)
        let path = try TestFiles.write(sound, as: fileFormat, to: directory)
        let wanted: [Float] = [0.5, 0, 0, 0, 1e30]
        #expect(try AudioFileReader(path: path).rest()[0].floats == wanted)
        let same = AudioFormat(sampleRate: 44100, channels: 1, sampleType: type)
        let converted = try AudioFileReader(path: path, format: same)
        let read = AudioBufferList(format: same, frameCapacity: 5)
        #expect(try converted.read(into: read.allFrames) == .frames(5))
        let plane = read.allFrames.plane(0)
        let isWanted =
            type == .float32
            ? (0..<5).allSatisfy { plane.assumingMemoryBound(to: Float.self)[$0] == wanted[$0] }
            : (0..<5).allSatisfy { plane.assumingMemoryBound(to: Double.self)[$0] == Double(wanted[$0]) }
        #expect(isWanted)
    }

    static let packings: [(AudioFileType, Int, Int)] = [
        (.oggVorbis, 44100, 2), (.oggVorbis, 48000, 1), (.opus, 48000, 2), (.opus, 24000, 1), (.opus, 8000, 2),
    ]

    @Test("Opus is decoded at 48,000 Hz, whatever rate it was written from")
    func opusRate() throws {
        let format = AudioFormat(sampleRate: 24000, channels: 1)
        let fileFormat = AudioFileFormat(type: .opus, sampleRate: 24000, channels: 1)
        let path = try TestFiles.write(
            TestSounds.integers(format, frames: 24000, bits: 16), as: fileFormat, to: directory)
        let file = try AudioFileReader(path: path)
        #expect(file.format.sampleRate == 48000 && file.fileFormat.sampleRate == 48000)
        #expect(file.length == .exact(48000))
    }

    @Test("A lossy encoding preserves the frame count and nearly the samples", arguments: packings)
    func lossy(type: AudioFileType, rate: Int, channels: Int) throws {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let tone = AudioBufferList(format: format, frameCapacity: 3 * rate)
        let samples = tone.slice.plane(0).assumingMemoryBound(to: Float.self)
        for place in 0..<3 * rate * channels { samples[place] = Self.sine(place / channels, rate) }
        let fileFormat = AudioFileFormat(
            type: type, sampleRate: rate, channels: channels, encoding: .lossy(quality: 0.8))
        let path = try TestFiles.write(tone, as: fileFormat, to: directory)

        let file = try AudioFileReader(path: path, format: format)
        let read = try file.rest()[0].floats

        #expect(file.fileFormat.type == type)
        #expect(file.fileFormat.encoding == .lossy())
        #expect(file.length == .exact(Int64(3 * rate)))
        #expect(read.count == 3 * rate * channels)
        let inner = rate * channels / 2..<5 * rate * channels / 2
        let difference = inner.reduce(0.0) { $0 + Double((samples[$1] - read[$1]) * (samples[$1] - read[$1])) }
        let power = inner.reduce(0.0) { $0 + Double(samples[$1] * samples[$1]) }
        // Opus is decoded at 48,000 Hz: half a frame at 8,000 Hz is -18 dB at this pitch.
        let limit = type == .opus && rate < 16000 ? power / 60 : power / 400
        #expect(difference < limit)
    }

    /// A 300 Hz tone at half of full scale, as a parabola that approximates a sine.
    private static func sine(_ frame: Int, _ rate: Int) -> Float {
        let phase = Double(frame * 300 % rate) / Double(rate) * 2
        return Float(phase < 1 ? phase * (1 - phase) * 2 : (phase - 1) * (phase - 2) * 2)
    }

    static let integers: [(AudioFileEncoding, Int)] = [(.int8, 8), (.int16, 16), (.int24, 24)]

    @Test("Floats are rounded to the nearest integer and clipped at full scale", arguments: integers)
    func rounding(encoding: AudioFileEncoding, bits: Int) throws {
        let step = Float(1) / Float(1 << (bits - 1))
        let rows: [(Float, Int32)] = [
            (0, 0), (step * 0.4, 0), (step * 0.6, 1), (-step * 0.6, -1), (0.5, 1 << (bits - 2)), (-1, -1 << (bits - 1)),
            (1, 1 << (bits - 1) - 1), (7, 1 << (bits - 1) - 1), (-.infinity, -1 << (bits - 1)), (.nan, 0),
        ]
        let format = AudioFormat(sampleRate: 8000, channels: 1)
        let sound = AudioBufferList(format: format, frameCapacity: rows.count)
        let samples = sound.slice.plane(0).assumingMemoryBound(to: Float.self)
        for (place, row) in rows.enumerated() { samples[place] = row.0 }
        let fileFormat = AudioFileFormat(type: .wav, sampleRate: 8000, channels: 1, encoding: encoding)
        let path = try TestFiles.write(sound, as: fileFormat, to: directory)

        let integers = AudioFormat(sampleRate: 8000, channels: 1, sampleType: .int32)
        let file = try AudioFileReader(path: path, format: integers)
        let block = AudioBufferList(format: integers, frameCapacity: rows.count)
        _ = try file.read(into: block.slice)

        let read = block.slice.plane(0).assumingMemoryBound(to: Int32.self)
        #expect(rows.indices.map { read[$0] >> (32 - bits) } == rows.map(\.1))
    }

    @Test("The client format may be any, for reading and writing", arguments: SampleType.allCases)
    func clientFormats(type: SampleType) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 3000, bits: 16)
        let fileFormat = AudioFileFormat(type: .flac, sampleRate: 44100, channels: 2, encoding: .int16)
        let first = try TestFiles.write(sound, as: fileFormat, to: directory, name: "first")
        let client = AudioFormat(
            sampleRate: 44100, channels: 2, sampleType: type, isInterleaved: false, byteOrder: .bigEndian)

        let reader = try AudioFileReader(path: first, format: client)
        let block = AudioBufferList(format: client, frameCapacity: 3000)
        #expect(try reader.read(into: block.slice) == .frames(3000))
        let second = try TestFiles.write(block, as: fileFormat, to: directory, name: "second")

        #expect(try AudioFileReader(path: second, format: sound.format).rest() == sound.slice.planeBytes)
    }

    @Test("Equal audio produces equal files", arguments: [AudioFileType.wav, .aiff, .caf, .flac])
    func deterministic(type: AudioFileType) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 3000, bits: 16)
        let format = AudioFileFormat(
            type: type, sampleRate: 44100, channels: 2, encoding: type == .flac ? .int24 : .float32)
        try TestFiles.write(sound, as: format, to: directory, name: "first")
        try TestFiles.write(sound, as: format, to: directory, name: "second")
        #expect(directory.read("first") == directory.read("second"))
    }

    @Test(
        "Title, artist and album are preserved as far as the format can store them",
        arguments: [AudioFileType.wav, .aiff, .caf, .flac, .oggVorbis, .opus])
    func metadata(type: AudioFileType) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 48000, channels: 2), frames: 3000, bits: 16)
        let said = AudioMetadata(title: "Tät \u{1F3B5}", artist: "Ada Holm", album: "Ålbum")
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: type, sampleRate: 48000, channels: 2), to: directory, metadata: said)
        let read = try AudioFileReader(path: path).metadata
        // AIFF has chunks for only two of them.
        #expect(read == (type == .aiff ? AudioMetadata(title: said.title, artist: said.artist) : said))
    }

    @Test("The loudspeaker layout of more than two channels is preserved", arguments: [AudioFileType.wav, .caf])
    func layout(type: AudioFileType) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 48000, channels: 6), frames: 300, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: type, sampleRate: 48000, channels: 6), to: directory)
        #expect(try AudioFileReader(path: path).fileFormat.layout == .surround51)
    }
}
