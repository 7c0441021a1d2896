// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Media
import Testing

@Suite("MP3 files put one behind the other")
struct JoinedFileTests {
    private let mono = ScratchDirectory.bytes(of: TestFiles.mp3("mono-44100-cbr64"))
    private let stereo = ScratchDirectory.bytes(of: TestFiles.mp3("stereo-44100-cbr128"))
    private let slow = ScratchDirectory.bytes(of: TestFiles.mp3("stereo-22050-cbr64"))

    @Test("mono and stereo become what came first, and every frame is counted")
    func channels() throws {
        for bytes in [mono + stereo, stereo + mono] {
            let file = try AudioFileReader(source: MemoryByteSource(bytes))
            let first = try AudioFileReader(source: MemoryByteSource(bytes == mono + stereo ? mono : stereo))
            let whole = try file.rest()[0]
            let bytesPerFrame = file.format.bytesPerFrame
            #expect(file.format == first.format)
            #expect(file.length == .exact(Int64(whole.count / bytesPerFrame)))
            #expect(try whole.starts(with: first.rest()[0]))
            #expect(try SeekTests.wrongPlaces(in: file, against: whole, seeks: 30) == [])
        }
    }

    @Test("where another rate begins it ends, and everything in front of it is counted and read")
    func rates() throws {
        let alone = try AudioFileReader(source: MemoryByteSource(stereo)).rest()[0]
        let surveyed = try AudioFileReader(source: MemoryByteSource(stereo + slow))
        let length = surveyed.length
        let read = try AudioFileReader(source: MemoryByteSource(stereo + slow))
        let whole = try read.rest()[0]
        #expect(whole.starts(with: alone))
        #expect(length == .exact(Int64(whole.count / read.format.bytesPerFrame)))
        #expect(read.length == length)
        #expect(try surveyed.rest()[0] == whole)
        #expect(try SeekTests.wrongPlaces(in: read, against: whole, seeks: 10) == [])
    }
}
