// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("Concatenated MP3 files")
struct JoinedFileTests {
    private let mono = ScratchDirectory.bytes(of: TestFiles.mp3("mono-44100-cbr64"))
    private let stereo = ScratchDirectory.bytes(of: TestFiles.mp3("stereo-44100-cbr128"))
    private let slow = ScratchDirectory.bytes(of: TestFiles.mp3("stereo-22050-cbr64"))

    @Test("Mono and stereo become stereo, and every frame is counted")
    func channels() throws {
        for bytes in [mono + stereo, stereo + mono] {
            let file = try AudioFileReader(source: MemoryByteSource(bytes))
            let first = try AudioFileReader(
                source: MemoryByteSource(bytes == mono + stereo ? mono : stereo), format: file.format)
            let whole = try file.rest()[0]
            let bytesPerFrame = file.format.bytesPerFrame
            #expect(file.format.channels == 2)
            #expect(file.length == .exact(Int64(whole.count / bytesPerFrame)))
            #expect(try whole.starts(with: first.rest()[0]))
            #expect(try SeekTests.wrongPlaces(in: file, against: whole, seeks: 30) == [])
        }
    }

    @Test("Files of several rates are read at the highest rate, each with its full duration", arguments: [false, true])
    func rates(isSlowFirst: Bool) throws {
        let bytes = isSlowFirst ? slow + stereo + slow : stereo + slow + stereo
        let source = { MemoryByteSource(bytes) }
        let surveyed = try AudioFileReader(source: source())
        let length = surveyed.length
        let read = try AudioFileReader(source: source())
        let whole = try read.rest()[0]
        #expect(read.format == AudioFormat(sampleRate: 44_100, channels: 2))
        #expect(length == .exact(Int64(whole.count / read.format.bytesPerFrame)))
        #expect(read.length == length)
        #expect(try surveyed.rest()[0] == whole)
        if !isSlowFirst {
            #expect(try whole.starts(with: AudioFileReader(source: MemoryByteSource(stereo)).rest()[0]))
        }
        // A converter that was primed elsewhere rounds differently.
        let frames = try #require(length.frames)
        let all = whole.floats
        for part in 0..<60 {
            let place = frames * Int64(part) / 60
            try read.seek(to: place)
            let found = try read.frames(from: place, count: 700)[0].floats
            let wanted = all[Int(place) * 2..<min(all.count, Int(place + 700) * 2)]
            #expect(found.count == wanted.count)
            #expect((zip(found, wanted).map { abs($0 - $1) }.max() ?? 0) < 1e-4, "at \(place)")
        }
    }

    @Test("While it is downloaded, the file is read at its first rate, with exactly its frames")
    func growing() throws {
        let source = MemoryByteSource(stereo + slow, held: stereo.count / 2)
        let read = try AudioFileReader(source: source)
        source.release()
        let whole = try read.rest()[0]
        #expect(read.format.sampleRate == 44_100)
        #expect(read.length == .exact(Int64(whole.count / read.format.bytesPerFrame)))
    }
}
