// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("File metadata")
struct FileMetadataTests {
    private let directory: ScratchDirectory

    init() throws { directory = ScratchDirectory() }

    private func mp3(tag: (inout MP3Builder) -> Void, atEnd: [UInt8] = []) throws -> AudioFileReader {
        var builder = MP3Builder()
        tag(&builder)
        return try AudioFileReader(
            path: directory.write(
                builder.bytes + ScratchDirectory.bytes(of: TestFiles.mp3("mono-44100-cbr64")) + atEnd, to: "e"))
    }

    @Test("An MP3 file's leading tag takes precedence over the one at its end")
    func mp3() throws {
        let frames = MP3Builder.id3Frame("TIT2", [3] + Array("In front".utf8))
        let picture = MP3Builder.id3Frame("APIC", [0, 0, 3, 0, 0x89, 0x50, 0x4E, 0x47, 1])
        let end = Array("TAG".utf8) + Array("At the end".utf8) + [UInt8](repeating: 0, count: 20)
            + Array("Artist".utf8) + [UInt8](repeating: 0, count: 89)
        let file = try mp3(tag: { $0.addID3v2(frames + picture) }, atEnd: end)
        #expect(
            file.metadata == AudioMetadata(
                title: "In front", artist: "Artist",
                artwork: AudioMetadata.Artwork(bytes: [0x89, 0x50, 0x4E, 0x47, 1], mimeType: "image/png")))
        #expect(try mp3(tag: { _ in }).metadata.isEmpty)
    }

    @Test("A FLAC file's front cover is found among its blocks")
    func flac() throws {
        let sound = TestSounds.integers(AudioFormat(sampleRate: 44100, channels: 2), frames: 3000, bits: 16)
        let path = try TestFiles.write(
            sound, as: AudioFileFormat(type: .flac, sampleRate: 44100, channels: 2), to: directory)
        func counted(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
        func picture(use: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            let block = [0, 0, 0, use] + counted(Array("image/jpeg".utf8)) + counted([])
                + [UInt8](repeating: 0, count: 16) + counted(bytes)
            return [6, 0, 0, UInt8(block.count)] + block
        }
        let bytes = ScratchDirectory.bytes(of: path)
        // After the stream marker and the first block, which has 34 bytes.
        let withPictures = bytes[..<42] + picture(use: 4, [1]) + picture(use: 3, [2, 3]) + bytes[42...]

        let file = try AudioFileReader(path: directory.write(withPictures, to: "pictures"), format: sound.format)

        #expect(file.metadata.artwork == AudioMetadata.Artwork(bytes: [2, 3], mimeType: "image/jpeg"))
        #expect(try file.rest() == sound.slice.planeBytes)
        #expect(try AudioFileReader(path: path).metadata.isEmpty)

        var tag = MP3Builder()
        tag.addID3v2(MP3Builder.id3Frame("TIT2", [3] + Array("Title".utf8)))
        let tagged = try AudioFileReader(
            path: directory.write(tag.bytes + withPictures, to: "tagged"), format: sound.format)
        #expect(tagged.metadata.artwork == file.metadata.artwork)
        #expect(try tagged.rest() == sound.slice.planeBytes)
    }

    @Test("A partly downloaded file has the metadata of the available part of its tag")
    func arriving() throws {
        var builder = MP3Builder()
        builder.addID3v2(MP3Builder.id3Frame("TIT2", [3] + Array("Title".utf8)))
        let source = MemoryByteSource(
            builder.bytes + ScratchDirectory.bytes(of: TestFiles.mp3("mono-44100-cbr64")), held: 6000)
        #expect(try AudioFileReader(source: source).metadata == AudioMetadata(title: "Title"))
    }
}
