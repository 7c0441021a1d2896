// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("Errors for unreadable files")
struct DamagedFileTests {
    private let directory: ScratchDirectory

    init() throws { directory = ScratchDirectory() }

    private func reason(of path: String) -> AudioFileError? {
        do throws(AudioFileError) {
            _ = try AudioFileReader(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("A missing, inaccessible or empty file or a directory cannot be opened")
    func cannotOpen() throws {
        try directory.write([], to: "empty")
        let rows = [
            ("none.wav", "no such file"), ("empty", "the file is empty"), ("", "is a directory"),
            ("empty/below", "no such file"),
        ]
        for (name, reason) in rows {
            let path = directory.path(name)
            #expect(self.reason(of: path) == .cannotOpen(path: path, reason: reason))
        }
        try directory.write([1, 2, 3], to: "closed")
        chmod(directory.path("closed"), 0)
        // Root can read every file.
        if geteuid() != 0 {
            let path = directory.path("closed")
            #expect(self.reason(of: path) == .cannotOpen(path: path, reason: "permission denied"))
        }
    }

    @Test("A file name may have any characters")
    func names() throws {
        let bytes = ScratchDirectory.bytes(of: TestFiles.mp3("mono-44100-cbr64"))
        for name in ["with blanks", "-", "%s%n", "new\nline", "ä🎵'\"", ".mp3", "sound.wav"] {
            #expect(try AudioFileReader(path: directory.write(bytes, to: name)).fileFormat.type == .mp3)
        }
    }

    @Test("A file without audio is unsupported")
    func noSound() throws {
        var random = SeededGenerator(seed: 7)
        let noise = (0..<400_000).map { _ in UInt8.random(in: 0...254, using: &random) }
        let rows: [[UInt8]] = [
            [0], Array("RIFF".utf8), Array("<html>no such episode</html>".utf8), noise,
            Array("RIFF____WAVE".utf8), Array("fLaC".utf8) + noise, Array("OggS".utf8) + noise,
            Array("caff".utf8) + noise, Array("FORM____AIFF".utf8) + noise, Array("RIFF____AVI LIST".utf8),
            Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0, count: 200_000),
        ]
        for (number, bytes) in rows.enumerated() {
            let path = try directory.write(bytes, to: "\(number)")
            guard case .unsupported(path, let reason)? = reason(of: path) else {
                Issue.record("\(number): \(String(describing: reason(of: path)))")
                continue
            }
            #expect(!reason.isEmpty && !reason.hasSuffix("."))
        }
    }

    @Test(
        "A header with an unplayable rate or channel count is refused before memory is allocated",
        arguments: [
            (1, 2, "a sample rate of 1 Hz is not supported"), (999, 2, "a sample rate of 999 Hz is not supported"),
            (768_001, 2, "a sample rate of 768001 Hz is not supported"),
            (0x7FFF_FFFF, 2, "a sample rate of 2147483647 Hz"),
            (44100, 257, "257 channels are not supported"), (44100, 1024, "1024 channels"), (44100, 65535, ""),
        ] as [(UInt32, UInt16, String)])
    func absurdHeader(rate: UInt32, channels: UInt16, reason: String) throws {
        let path = try directory.write(Self.wave(rate: rate, channels: channels), to: "sound.wav")
        guard case .unsupported(path, let said)? = self.reason(of: path) else {
            Issue.record("\(String(describing: self.reason(of: path)))")
            return
        }
        #expect(said.hasPrefix(reason))
    }

    @Test(
        "The lowest and the highest rate and channel count are accepted",
        arguments: [(1000, 1), (768_000, 256)] as [(UInt32, UInt16)])
    func extremeHeader(rate: UInt32, channels: UInt16) throws {
        let path = try directory.write(Self.wave(rate: rate, channels: channels), to: "sound.wav")
        #expect(try AudioFileReader(path: path).length == .exact(1))
    }

    /// Returns a WAV file of one silent frame with 16-bit samples.
    private static func wave(rate: UInt32, channels: UInt16) -> [UInt8] {
        let frame = 2 * UInt32(channels)
        let form = low(UInt16(1)) + low(channels) + low(rate) + low(rate &* frame) + low(UInt16(frame & 0xFFFF))
        let chunks = Array("WAVEfmt ".utf8) + low(UInt32(16)) + form + low(UInt16(16)) + Array("data".utf8) + low(frame)
        let sound = [UInt8](repeating: 0, count: Int(frame))
        return Array("RIFF".utf8) + low(UInt32(chunks.count) + frame) + chunks + sound
    }

    /// Returns the bytes of a number, low byte first.
    private static func low(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    static let kinds: [(AudioFileType, AudioFileEncoding?)] = [
        (.wav, .int16), (.wav, .float64), (.aiff, .int24), (.caf, .int16), (.flac, .int16), (.oggVorbis, nil),
        (.opus, nil),
    ]

    @Test("A file cut at any byte yields its available frames or a reason", arguments: kinds)
    func cut(type: AudioFileType, encoding: AudioFileEncoding?) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 48000, channels: 2), frames: 12_000, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: type, sampleRate: 48000, channels: 2, encoding: encoding), to: directory)
        let bytes = ScratchDirectory.bytes(of: path)
        let whole = try AudioFileReader(path: path).rest()[0]
        let cuts = Array(0..<min(200, bytes.count)) + stride(from: 200, to: bytes.count, by: max(1, bytes.count / 80))
        var most = 0
        for cut in cuts {
            let source = MemoryByteSource(Array(bytes[..<cut]))
            guard let file = opened(source) else { continue }
            let read = restOrNothing(of: file)
            most = max(most, read.count)
            // The decode of a cut packet may differ; stored samples may not.
            if type != .oggVorbis, type != .opus { #expect(whole.starts(with: read), "truncated at \(cut)") }
            #expect(read.count <= whole.count)
            for place in [0, 5000, 11_999, .max] as [Int64] { _ = try? file.frames(from: place, count: 100) }
        }
        #expect(most > whole.count / 2 || type == .caf || type == .opus)
    }

    @Test("An MP3 file cut at any byte yields its available frames", arguments: TestFiles.mp3s.prefix(3))
    func cutMP3(name: String) throws {
        let bytes = ScratchDirectory.bytes(of: TestFiles.mp3(name))
        for cut in stride(from: 2000, to: bytes.count, by: 997) {
            guard let file = opened(MemoryByteSource(Array(bytes[..<cut]))) else { continue }
            let read = restOrNothing(of: file)
            #expect(file.length == .exact(Int64(read.count / file.format.bytesPerFrame)))
        }
    }

    @Test("Random changes of bytes cause no trap and no hang", arguments: kinds)
    func changed(type: AudioFileType, encoding: AudioFileEncoding?) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 48000, channels: 2), frames: 4000, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: type, sampleRate: 48000, channels: 2, encoding: encoding), to: directory)
        let bytes = ScratchDirectory.bytes(of: path)
        var random = SeededGenerator(seed: 13)
        for _ in 0..<120 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                changed[Int.random(in: 12..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let file = opened(MemoryByteSource(changed)), file.format.channels <= 8 else { continue }
            _ = try? file.frames(from: 2000, count: 100)
            _ = try? file.frames(from: 0, count: 4000)
        }
    }

    private func opened(_ source: MemoryByteSource) -> AudioFileReader? {
        do throws(AudioFileError) {
            return try AudioFileReader(source: source)
        } catch {
            return nil
        }
    }

    /// Returns the frames before the first error.
    private func restOrNothing(of file: AudioFileReader) -> [UInt8] {
        var read: [UInt8] = []
        let block = AudioBufferList(format: file.format, frameCapacity: 1000)
        do {
            while case .frames(let count) = try file.read(into: block.allFrames) {
                read += block.allFrames.dropFirst(0, count: count).planeBytes[0]
            }
        } catch {
            // The frames read so far are the result.
        }
        return read
    }

    @Test("A file that is truncated while open ends or fails", arguments: kinds + [(.mp3, nil)])
    func shrinking(type: AudioFileType, encoding: AudioFileEncoding?) throws {
        let path =
            if type == .mp3 {
                try directory.write(ScratchDirectory.bytes(of: TestFiles.mp3("stereo-44100-cbr320")), to: "e")
            } else {
                try TestFiles.write(
                    TestSounds.integers(AudioFormat(sampleRate: 48000, channels: 2), frames: 90_000, bits: 16),
                    as: AudioFileFormat(type: type, sampleRate: 48000, channels: 2, encoding: encoding), to: directory)
            }
        let whole = try AudioFileReader(path: path).rest()[0]
        let file = try AudioFileReader(path: path)
        let first = try file.frames(from: 0, count: 1000)[0]
        truncate(path, off_t(ScratchDirectory.bytes(of: path).count / 2))
        let rest = restOrNothing(of: file)
        #expect(first + rest == Array(whole.prefix(first.count + rest.count)))
        #expect(rest.count < whole.count)
        let far = Int64(whole.count / file.format.bytesPerFrame) - 1000
        let read = (try? file.frames(from: far, count: 500)[0]) ?? []
        // A small file may have been read completely before.
        #expect(read.isEmpty || read == whole.frames(from: far, count: 500, bytesPerFrame: file.format.bytesPerFrame))
    }

    @Test("A file that is removed while open can be read to the end")
    func removed() throws {
        let path = try directory.write(ScratchDirectory.bytes(of: TestFiles.mp3("stereo-44100-cbr128")), to: "e")
        let file = try AudioFileReader(path: path)
        unlink(path)
        #expect(try file.rest() == AudioFileReader(path: TestFiles.mp3("stereo-44100-cbr128")).rest())
    }

    @Test("A buffer of another format or without space is refused")
    func memory() throws {
        let file = try AudioFileReader(path: TestFiles.mp3("mono-44100-cbr64"))
        let other = AudioBufferList(format: AudioFormat(sampleRate: 44100, channels: 2), frameCapacity: 10)
        let empty = AudioBufferList(format: file.format, frameCapacity: 0)
        #expect(throws: AudioFileError.self) { try file.read(into: other.slice) }
        #expect(throws: AudioFileError.self) { try file.read(into: empty.slice) }
        #expect(file.position == 0)
    }
}
