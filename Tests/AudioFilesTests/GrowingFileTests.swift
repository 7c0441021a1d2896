// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("A file that is being downloaded")
struct GrowingFileTests {
    private let directory: ScratchDirectory
    private let content: [UInt8]
    private let whole: [UInt8]

    init() throws {
        directory = ScratchDirectory()
        content = ScratchDirectory.bytes(of: TestFiles.mp3("stereo-44100-vbr4"))
        whole = try AudioFileReader(path: TestFiles.mp3("stereo-44100-vbr4")).rest()[0]
    }

    @Test("A growing file is read as it arrives, with every frame once", arguments: [1000, 4096, 30_000])
    func arriving(step: Int) throws {
        let source = MemoryByteSource(content, held: 8000)
        let file = try AudioFileReader(source: source)
        let block = AudioBufferList(format: file.format, frameCapacity: 3000)
        var read: [UInt8] = []
        var edges = 0
        reading: while true {
            switch try file.read(into: block.allFrames) {
            case .frames(let count): read += block.allFrames.dropFirst(0, count: count).planeBytes[0]
            case .notYetAvailable:
                edges += 1
                source.release(more: step)
            case .end: break reading
            }
        }
        #expect(read == whole)
        #expect(edges >= 50_000 / step / 2)
        #expect(source.needs.allSatisfy { $0 > 0 })
    }

    @Test("The length is an estimate until all bytes have arrived")
    func length() throws {
        let source = MemoryByteSource(content, held: 20_000)
        let file = try AudioFileReader(source: source)
        let frames = Int64(whole.count / file.format.bytesPerFrame)
        guard case .estimate(let estimate) = file.length else {
            Issue.record("\(file.length)")
            return
        }
        #expect(abs(estimate - frames) < frames / 20)
        source.release()
        #expect(file.length == .exact(frames))
    }

    @Test("Repeated queries of the length request no bytes")
    func polledLength() throws {
        let source = MemoryByteSource(content, held: 20_000)
        let file = try AudioFileReader(source: source)
        let length = file.length
        let edges = source.unavailableReads
        for _ in 0..<10 { #expect(file.length == length) }
        #expect(source.unavailableReads == edges + 10)
        #expect(source.needs.isEmpty)
    }

    @Test("A seek beyond the available bytes waits until they have arrived")
    func seek() throws {
        let source = MemoryByteSource(content, held: 10_000)
        let file = try AudioFileReader(source: source)
        let place = Int64(whole.count / file.format.bytesPerFrame) - 5000
        let block = AudioBufferList(format: file.format, frameCapacity: 100)
        try file.seek(to: place)
        #expect(try file.read(into: block.slice) == .notYetAvailable)
        #expect(file.position == place)
        source.release(upTo: 20_000)
        #expect(try file.read(into: block.slice) == .notYetAvailable)
        source.release()
        let expected = whole.frames(from: place, count: 100, bytesPerFrame: file.format.bytesPerFrame)
        #expect(try file.frames(from: place, count: 100)[0] == expected)
        #expect(try file.frames(from: 0, count: 100)[0] == Array(whole.prefix(expected.count)))
    }

    @Test("A converting reader waits for bytes too")
    func converted() throws {
        let format = AudioFormat(sampleRate: 48000, channels: 1, sampleType: .int16)
        let source = MemoryByteSource(content, held: 10_000)
        let file = try AudioFileReader(source: source, format: format)
        let block = AudioBufferList(format: format, frameCapacity: 1000)
        var read: [UInt8] = []
        reading: while true {
            switch try file.read(into: block.allFrames) {
            case .frames(let count): read += block.allFrames.dropFirst(0, count: count).planeBytes[0]
            case .notYetAvailable: source.release(more: 7000)
            case .end: break reading
            }
        }
        #expect(try read == AudioFileReader(path: TestFiles.mp3("stereo-44100-vbr4"), format: format).rest()[0])
    }

    @Test("Too few bytes to detect the format are reported as not arrived", arguments: [0, 5, 100])
    func tooLittle(held: Int) {
        let source = MemoryByteSource(content, held: held)
        #expect(throws: AudioFileError.notArrived(path: "e")) { try AudioFileReader(source: source, path: "e") }
    }

    @Test("A Core Audio file must be complete")
    func others() throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 3000, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .caf, sampleRate: 44100, channels: 2), to: directory)
        let source = MemoryByteSource(ScratchDirectory.bytes(of: path), held: 5000)
        #expect(throws: AudioFileError.notArrived(path: "e")) { try AudioFileReader(source: source, path: "e") }
        source.release()
        #expect(try AudioFileReader(source: source, format: sound.format).rest() == sound.slice.planeBytes)
    }

    @Test(
        "A WAV file that still arrives has the encoding of its samples",
        arguments: [AudioFileEncoding.int8, .int16, .int24, .int32, .float32, .float64])
    func storedEncoding(encoding: AudioFileEncoding) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 5000, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .wav, sampleRate: 44100, channels: 2, encoding: encoding), to: directory)
        let source = MemoryByteSource(ScratchDirectory.bytes(of: path), held: 5000)
        #expect(try AudioFileReader(source: source).fileFormat.encoding == encoding)
    }

    @Test("An AIFF file that still arrives is of that type", arguments: [AudioFileEncoding.int16, .float32])
    func aiff(encoding: AudioFileEncoding) throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 5000, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .aiff, sampleRate: 44100, channels: 2, encoding: encoding), to: directory)
        let source = MemoryByteSource(ScratchDirectory.bytes(of: path), held: 5000)
        let format = try AudioFileReader(source: source).fileFormat
        #expect(format.type == .aiff && format.encoding == encoding)
    }

    @Test("An AIFF file behind an ID3 tag that still arrives is of that type")
    func taggedAIFF() throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 5000, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .aiff, sampleRate: 44100, channels: 2), to: directory)
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 100] + [UInt8](repeating: 0, count: 100)
        let source = MemoryByteSource(tag + ScratchDirectory.bytes(of: path), held: 5000)
        #expect(try AudioFileReader(source: source).fileFormat.type == .aiff)
    }

    @Test("A failed download is reported, and reading continues if the bytes arrive after all")
    func failure() throws {
        let source = MemoryByteSource(content, held: 30_000)
        let file = try AudioFileReader(source: source, path: "e")
        source.fail(MediaFailure(.unavailable, "the server went away"))
        let block = AudioBufferList(format: file.format, frameCapacity: 1000)
        var read: [UInt8] = []
        let expected = AudioFileError.cannotRead(path: "e", reason: "the server went away")
        #expect(throws: expected) {
            while case .frames(let count) = try file.read(into: block.allFrames) {
                read += block.allFrames.dropFirst(0, count: count).planeBytes[0]
            }
        }
        source.recover()
        source.release()
        #expect(try read + file.rest()[0] == whole)
    }

    @Test("A converting reader returns the converted frames before a failure and loses none")
    func convertedFailure() throws {
        let format = AudioFormat(sampleRate: 48000, channels: 2)
        let source = MemoryByteSource(content, held: 30_000)
        let file = try AudioFileReader(source: source, path: "e", format: format)
        source.fail(MediaFailure(.unavailable, "the server went away"))
        let block = AudioBufferList(format: format, frameCapacity: 1000)
        var read: [UInt8] = []
        #expect(throws: AudioFileError.cannotRead(path: "e", reason: "the server went away")) {
            while case .frames(let count) = try file.read(into: block.allFrames) {
                read += block.allFrames.dropFirst(0, count: count).planeBytes[0]
            }
        }
        #expect(file.position == Int64(read.count / format.bytesPerFrame))
        source.recover()
        source.release()
        let joined = try (read + file.rest()[0]).floats
        let linear = try AudioFileReader(source: MemoryByteSource(content), format: format).rest()[0].floats
        #expect(joined.count == linear.count)
        #expect(zip(joined, linear).allSatisfy { abs($0 - $1) < 1e-5 })
    }
}
