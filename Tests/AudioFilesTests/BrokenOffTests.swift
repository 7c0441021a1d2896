// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport

@Suite("A damaged or truncated file is read up to its end, and its damage is reported")
struct BrokenOffTests {
    private static let frames = 40_000
    private let directory: ScratchDirectory

    init() throws { directory = ScratchDirectory() }

    /// Returns the bytes of a file of the given type and the samples that a reader decodes from them.
    private func sound(_ type: AudioFileType) throws -> (bytes: [UInt8], samples: [UInt8]) {
        let sound = TestSounds.integers(
            AudioFormat(sampleRate: 48000, channels: 2), frames: Self.frames, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: type, sampleRate: 48000, channels: 2), to: directory)
        return (ScratchDirectory.bytes(of: path), try AudioFileReader(path: path).rest()[0])
    }

    /// Returns the samples up to the end or the error, and the error.
    private func read(_ file: AudioFileReader, inBlocksOf frames: Int = 1000) -> (samples: [UInt8], AudioFileError?) {
        var samples: [UInt8] = []
        let block = AudioBufferList(format: file.format, frameCapacity: frames)
        do throws(AudioFileError) {
            while case .frames(let count) = try file.read(into: block.allFrames) {
                samples += block.allFrames.dropFirst(0, count: count).planeBytes[0]
            }
            return (samples, nil)
        } catch {
            return (samples, error)
        }
    }

    private func isDamaged(_ error: AudioFileError?) -> Bool {
        if case .damaged? = error { true } else { false }
    }

    /// Returns the bytes of a file with a damaged part in its middle.
    private func damaged(_ type: AudioFileType) throws -> (bytes: [UInt8], samples: [UInt8]) {
        var (bytes, samples) = try sound(type)
        let middle = bytes.count / 2
        bytes.replaceSubrange(middle..<middle + 300, with: [UInt8](repeating: 0x37, count: 300))
        return (bytes, samples)
    }

    @Test("The damaged frames of a FLAC file are read as silence, and all others are in place; a seek reads the same")
    func damagedFLAC() throws {
        let (bytes, whole) = try damaged(.flac)
        let file = try AudioFileReader(source: MemoryByteSource(bytes))
        let (samples, error) = read(file)
        let block = 4096 * file.format.bytesPerFrame
        let differing = stride(from: 0, to: whole.count, by: block).filter { start in
            samples[start..<min(start + block, samples.count)] != whole[start..<min(start + block, whole.count)]
        }
        #expect(error == nil && isDamaged(file.damage.first) && samples.count == whole.count)
        #expect((1...2).contains(differing.count), "\(differing)")
        for start in differing { #expect(samples[start..<start + block].allSatisfy { $0 == 0 }) }
        let gap = (differing.first ?? 0) / file.format.bytesPerFrame
        for frame in [Self.frames - 1000, 500, gap - 10, gap + 10] {
            let found = try file.frames(from: Int64(frame), count: 1000)[0]
            #expect(found == samples.frames(from: Int64(frame), count: 1000, bytesPerFrame: file.format.bytesPerFrame))
        }
    }

    @Test("The measurement of a FLAC file of unknown length does not report damage; reading the damaged part does")
    func measuredFLAC() throws {
        var bytes = try damaged(.flac).bytes
        // The total number of frames in STREAMINFO.
        bytes[21] &= 0xF0
        bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let file = try AudioFileReader(source: MemoryByteSource(bytes))
        try file.measure()
        #expect(file.damage.first == nil)
        let (_, error) = read(file)
        #expect(error == nil && isDamaged(file.damage.first))
    }

    @Test("A file with a damaged part is not loaded into memory")
    func damagedLoad() throws {
        let path = try directory.write(damaged(.flac).bytes, to: "d.flac")
        do throws(AudioFileError) {
            _ = try AudioFileLoader(path: path).load()
            Issue.record("a damaged file was loaded")
        } catch {
            #expect(isDamaged(error))
        }
    }

    @Test("A truncated file is read to its last frame and then fails", arguments: [AudioFileType.flac, .oggVorbis])
    func cut(type: AudioFileType) throws {
        let (bytes, whole) = try sound(type)
        let part = Array(bytes[..<(bytes.count * 3 / 4)])
        let (samples, error) = read(try AudioFileReader(source: MemoryByteSource(part)))
        #expect(isDamaged(error), "\(String(describing: error))")
        #expect(samples.count > 0 && samples.count < whole.count)
        if type == .flac { #expect(whole.starts(with: samples)) }
    }

    @Test("A file that continues in another format is read up to the change and then fails", arguments: [1000, 1024])
    func otherFormat(blockFrames: Int) throws {
        let stream = try AACPackets(core: 48000, channels: 1, count: 94, seed: 9)
        var builder = MP4Builder(stream.packets.map(\.bytes))
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(48000, 1, .none)))
        builder.moreEntries = [BoxWriter.soundEntry("enca", [])]
        (builder.timescale, builder.edits, builder.descriptions) = (48000, nil, [10: 2])
        let file = try AudioFileReader(source: MemoryByteSource(builder.build().bytes), path: "a.m4a")
        let reason = "from 0:01 on, this is encrypted audio in MP4, which Earshot cannot play"
        for start in [0, 60_000] {
            try file.seek(to: Int64(start))
            let (samples, error) = read(file, inBlocksOf: blockFrames)
            #expect(samples.count == (70 * 1024 - start) * 4)
            #expect(error == .damaged(path: "a.m4a", reason: reason))
        }
    }

    @Test("The frames of a lost page of a Vorbis file are read as silence")
    func lostPage() throws {
        let (bytes, whole) = try damaged(.oggVorbis)
        let file = try AudioFileReader(source: MemoryByteSource(bytes))
        let (samples, error) = read(file)
        #expect(error == nil && isDamaged(file.damage.first))
        #expect(samples.count == whole.count)
    }

    @Test("MP3 shorter than its tag declares is reported after its last frame, and once its length is known")
    func cutMP3() throws {
        let bytes = ScratchDirectory.bytes(of: TestFiles.mp3("stereo-44100-vbr4"))
        let whole = try AudioFileReader(source: MemoryByteSource(bytes))
        #expect(whole.length.frames ?? 0 > 0 && whole.shortfall == nil && read(whole).1 == nil)
        let file = try AudioFileReader(source: MemoryByteSource(Array(bytes[..<(bytes.count / 2)])))
        let (samples, error) = read(file)
        #expect(isDamaged(error) && file.shortfall == error)
        #expect(file.length == .exact(Int64(samples.count / file.format.bytesPerFrame)))
    }

    @Test("WAV and AIFF shorter than their headers declare are reported after their last frame",
        arguments: [AudioFileType.wav, .aiff], [false, true])
    func cutPCM(type: AudioFileType, hasStart: Bool) throws {
        let (bytes, whole) = try sound(type)
        let file = try AudioFileReader(source: MemoryByteSource(Array(bytes[..<(bytes.count / 2)])))
        #expect(file.shortfall.map(isDamaged) == true)
        if hasStart { try file.seek(to: 100) }
        let (samples, error) = read(file)
        #expect(isDamaged(error) && file.shortfall == error)
        let start = hasStart ? 100 * file.format.bytesPerFrame : 0
        #expect(samples.count > whole.count / 3 - start && whole.dropFirst(start).starts(with: samples))
    }

    @Test("The frames of a FLAC file without a length are counted, and it can be read from any position")
    func unknownLength() throws {
        var (bytes, whole) = try sound(.flac)
        // The low half of this byte and the next four bytes. Source: RFC 9639 §8.2.
        bytes[21] &= 0xF0
        bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let file = try AudioFileReader(source: MemoryByteSource(bytes))
        #expect(file.length == .exact(Int64(Self.frames)) && file.position == 0)
        let found = try file.frames(from: 39_000, count: 2000)[0]
        #expect(found == Array(whole.suffix(1000 * file.format.bytesPerFrame)))
        #expect(try file.frames(from: 0, count: Self.frames)[0] == whole)
    }

    @Test("Data after the audio does not count as damage", arguments: [AudioFileType.flac, .oggVorbis, .wav])
    func trailingTag(type: AudioFileType) throws {
        let (bytes, whole) = try sound(type)
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x37, count: 125)
        let (samples, error) = read(try AudioFileReader(source: MemoryByteSource(bytes + tag)))
        #expect(error == nil && samples == whole)
    }
}
