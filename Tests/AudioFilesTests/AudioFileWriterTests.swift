// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("AudioFileWriter")
struct AudioFileWriterTests {
    private let directory: ScratchDirectory
    private let stereo = AudioFormat(sampleRate: 48000, channels: 2)

    init() throws { directory = ScratchDirectory() }

    static let unwritable: [AudioFileFormat] = [
        AudioFileFormat(type: .mp3, sampleRate: 44100, channels: 2),
        AudioFileFormat(type: .opus, sampleRate: 44100, channels: 2),
        AudioFileFormat(type: .oggVorbis, sampleRate: 200_001, channels: 2),
        AudioFileFormat(type: .oggVorbis, sampleRate: 44100, channels: 2, encoding: .int16),
        AudioFileFormat(type: .oggVorbis, sampleRate: 44100, channels: 2, encoding: .lossy(quality: .nan)),
        AudioFileFormat(type: .flac, sampleRate: 44100, channels: 2, encoding: .float32),
        AudioFileFormat(type: .flac, sampleRate: 44100, channels: 2, encoding: .int32),
        AudioFileFormat(type: .flac, sampleRate: 44100, channels: 9),
        AudioFileFormat(type: .flac, sampleRate: 700_000, channels: 2),
        AudioFileFormat(type: .wav, sampleRate: 44100, channels: 2, encoding: .lossy()),
        AudioFileFormat(type: .wav, sampleRate: 44100, channels: 2, encoding: .other("GSM")),
        AudioFileFormat(type: .wav, sampleRate: 0, channels: 2),
        AudioFileFormat(type: .wav, sampleRate: -44100, channels: 2),
        AudioFileFormat(type: .wav, sampleRate: 44100, channels: 0),
        AudioFileFormat(type: .wav, sampleRate: 44100, channels: -1),
        AudioFileFormat(type: .wav, sampleRate: .max, channels: 2),
        AudioFileFormat(type: .aiff, sampleRate: 44100, channels: .max),
    ]

    @Test(
        "A format that the file type cannot store is refused, and the existing file stays unchanged",
        arguments: unwritable)
    func refused(format: AudioFileFormat) throws {
        try directory.write([1, 2, 3], to: "sound")
        do throws(AudioFileError) {
            _ = try AudioFileWriter(path: directory.path("sound"), fileFormat: format, format: stereo)
            Issue.record("the format was accepted")
        } catch {
            guard case .unsupportedFormat(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!reason.isEmpty)
        }
        #expect(directory.read("sound") == [1, 2, 3])
    }

    @Test(
        "An unsupported format is refused with a readable reason",
        arguments: [
            (.wav, 44100, 2, .lossy(quality: 0.5), "WAV is lossless and has no quality setting"),
            (.oggVorbis, 768_000, 2, .lossy(), "Ogg Vorbis does not support 2 channels at 768000 Hz"),
            (.flac, 700_000, 1, .int16, "FLAC does not support 1 channel at 700000 Hz"),
            (.flac, 44100, 2, .int32, "FLAC does not support int32 samples"),
            (.oggVorbis, 44100, 2, .int16, "Ogg Vorbis does not support int16 samples"),
            (.opus, 44100, 2, .lossy(), "Opus supports 8000, 12000, 16000, 24000 and 48000 Hz, not 44100"),
        ] as [(AudioFileType, Int, Int, AudioFileEncoding, String)])
    func words(
        _ row: (type: AudioFileType, rate: Int, channels: Int, encoding: AudioFileEncoding, reason: String)
    ) throws {
        let format = AudioFileFormat(
            type: row.type, sampleRate: row.rate, channels: row.channels, encoding: row.encoding)
        #expect(throws: AudioFileError.unsupportedFormat(reason: row.reason)) {
            try AudioFileWriter(path: directory.path("sound"), fileFormat: format)
        }
    }

    @Test("A file that cannot be created is refused with the system's reason")
    func cannotMake() throws {
        let format = AudioFileFormat(type: .wav, sampleRate: 48000, channels: 2)
        for (name, reason) in [("none/sound", "no such file or directory"), ("", "is a directory")] {
            let path = directory.path(name)
            #expect(throws: AudioFileError.cannotWrite(path: path, reason: reason)) {
                try AudioFileWriter(path: path, fileFormat: format)
            }
        }
    }

    @Test(
        "A full disk is reported by a write, or at the latest by close", 
        arguments: [AudioFileType.wav, .aiff, .caf, .flac, .oggVorbis, .opus])
    func fullDisk(type: AudioFileType) throws {
        let full = AudioFileError.cannotWrite(path: "/dev/full", reason: "the disk is full")
        let sound = TestSounds.integers(stereo, frames: 200_000, bits: 16)
        let format = AudioFileFormat(type: type, sampleRate: 48000, channels: 2)
        #expect(throws: full) {
            let file = try AudioFileWriter(path: "/dev/full", fileFormat: format, format: sound.format)
            try file.write(sound.slice)
            try file.close()
        }
        #expect(throws: full) {
            let file = try AudioFileWriter(path: "/dev/full", fileFormat: format, format: sound.format)
            try file.write(sound.slice.dropFirst(0, count: 10))
            try file.close()
        }
    }

    @Test(
        "If the writer is killed, all but the last second can be read",
        arguments: [AudioFileType.wav, .aiff, .caf])
    func killed(type: AudioFileType) throws {
        let sound = TestSounds.integers(stereo, frames: 200_000, bits: 16)
        let format = AudioFileFormat(type: type, sampleRate: 48000, channels: 2)
        let file = try AudioFileWriter(path: directory.path("sound"), fileFormat: format, format: sound.format)
        for start in stride(from: 0, to: 200_000, by: 1000) {
            try file.write(sound.slice.dropFirst(start, count: 1000))
        }
        #expect(file.length == 200_000)

        // Copy the file as another process would find it if this one died now.
        let copy = try directory.write(directory.read("sound"), to: "copy")
        let read = try AudioFileReader(path: copy, format: sound.format).rest()[0]

        #expect(sound.slice.planeBytes[0].starts(with: read))
        #expect(read.count > (200_000 - 48_000 - 4096) * sound.format.bytesPerFrame)
        try file.close()
    }

    @Test("An unfinished FLAC file can be read up to its end")
    func killedFLAC() throws {
        let sound = TestSounds.integers(stereo, frames: 200_000, bits: 16)
        let format = AudioFileFormat(type: .flac, sampleRate: 48000, channels: 2)
        let file = try AudioFileWriter(path: directory.path("sound"), fileFormat: format, format: sound.format)
        try file.write(sound.slice)
        let copy = try AudioFileReader(
            path: directory.write(directory.read("sound"), to: "copy"), format: sound.format)
        let length = copy.length
        let read = try copy.rest()[0]
        #expect(sound.slice.planeBytes[0].starts(with: read))
        #expect(read.count > 190_000 * sound.format.bytesPerFrame)
        #expect(length == .exact(Int64(read.count / sound.format.bytesPerFrame)))
        try file.close()
    }

    @Test("A closed writer refuses writes, a second close is silent, and a released writer leaves a complete file")
    func closing() throws {
        let sound = TestSounds.integers(stereo, frames: 1000, bits: 16)
        let format = AudioFileFormat(type: .wav, sampleRate: 48000, channels: 2)
        let path = directory.path("sound")
        let file = try AudioFileWriter(path: path, fileFormat: format, format: sound.format)
        try file.write(sound.slice)
        try file.close()
        try file.close()
        let closed = AudioFileError.cannotWrite(path: path, reason: "the writer was closed")
        #expect(throws: closed) { try file.write(sound.slice) }
        #expect(throws: AudioFileError.self) {
            let other = AudioBufferList(format: AudioFormat(sampleRate: 8000, channels: 2), frameCapacity: 1)
            try file.write(other.slice)
        }
        do {
            let forgotten = try AudioFileWriter(
                path: directory.path("other"), fileFormat: format, format: sound.format)
            try forgotten.write(sound.slice)
        }
        #expect(directory.read("other") == directory.read("sound"))
    }

    @Test("Another rate and channel count are converted to the file's, including the converter's tail")
    func converted() throws {
        let mono = AudioFormat(sampleRate: 44100, channels: 1)
        let sound = TestSounds.integers(mono, frames: 44_100, bits: 16)
        let format = AudioFileFormat(type: .wav, sampleRate: 48000, channels: 2, encoding: .float32)
        let path = try TestFiles.write(sound, as: format, to: directory)
        let read = try AudioFileReader(path: path)
        let expected = try AudioFileReader(
            path: TestFiles.write(
                sound, as: AudioFileFormat(type: .wav, sampleRate: 44100, channels: 1, encoding: .int16),
                to: directory, name: "mono"), format: stereo)
        #expect(read.length == .exact(48000))
        #expect(try read.rest() == expected.rest())
    }

    @Test("A file without frames can be read", arguments: [AudioFileType.wav, .aiff, .caf])
    func empty(type: AudioFileType) throws {
        // libsndfile writes no empty FLAC file, and its empty Vorbis file cannot be read back.
        let sound = AudioBufferList(format: stereo, frameCapacity: 0)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: type, sampleRate: 48000, channels: 2), to: directory)
        let file = try AudioFileReader(path: path)
        #expect(file.length == .exact(0))
        #expect(try file.rest()[0].isEmpty)
    }

    @Test("A path extension selects the file type", arguments: [
        ("wav", .wav), ("WAV", .wav), ("rf64", .wav), ("aif", .aiff), ("AIFC", .aiff), ("caf", .caf), ("flac", .flac),
        ("ogg", .oggVorbis), ("oga", .oggVorbis), ("opus", .opus), ("mp3", .mp3), ("", nil), ("txt", nil),
        (".wav", nil),
    ] as [(String, AudioFileType?)])
    func endings(ending: String, type: AudioFileType?) { #expect(AudioFileType(pathExtension: ending) == type) }
}
