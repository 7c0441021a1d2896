// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import TrackReading

/// Searches in FLAC while bytes are missing.
extension JoinedFileTests {
    @Test(
        "A search in FLAC stays in the first stream also if that begins much louder than it continues",
        arguments: [1, 1.2, 1.25, 1.3])
    func loudBeginning(length: Double) throws {
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<96_000).map { _ in Float.random(in: -0.9...0.9, using: &generator) }
        let rest = TestProgramme(sampleRate: 48000, channels: 1, seconds: 30)
        let first = Self.stating(try EpisodeVersions.flac(noise + rest.samples))
        let second = TestProgramme(sampleRate: 48000, channels: 1, seconds: 32 * length, seed: 2)
        let file = TrackFile(joining: [first, try EpisodeVersions.flac(second.samples)])
        let source = MemoryByteSource(file.bytes, held: 2000, bytesPerSecond: 1000)
        let target = first.duration * 0.95
        let reader = file.reader(source, TrackSection(start: .time(target)))

        let reading = reader.read(enough: 9000) { source.serve(reader) }

        #expect(Self.matches(reading, file, from: target), "\(reading.place)")
    }

    /// Returns the offsets of the bytes that a start needs.
    private static func requests(for target: Duration, in file: TrackFile) -> [Int64] {
        let source = MemoryByteSource(file.bytes, held: 2000, bytesPerSecond: 1000)
        let reader = file.reader(source, TrackSection(start: .time(target)))
        var offsets: [Int64] = []

        let reading = reader.read(enough: 3000) {
            offsets.append(reader.readOffset)
            return source.serve(reader)
        }

        #expect(matches(reading, file, from: target), "\(reading.place)")
        return offsets
    }

    @Test("A start far inside a FLAC file needs a second of sound, then only bytes near the target")
    func singleStream() throws {
        let file = Self.stating(try EpisodeVersions.flac().second)
        let offsets = Self.requests(for: .seconds(30), in: file)
        #expect(offsets.allSatisfy { $0 < 60_000 || $0 > 800_000 }, "\(offsets)")
    }

    @Test("A start far inside FLAC of a high bit rate reads little more than 128 KiB before the search begins")
    func highRate() throws {
        var generator = SeededGenerator(seed: 3)
        let noise = (0..<4 * 192_000).map { _ in Float.random(in: -0.9...0.9, using: &generator) }
        // A second has 576,000 bytes.
        let file = Self.stating(try EpisodeVersions.flac(noise, sampleRate: 192_000, bits: 24))
        let offsets = Self.requests(for: .milliseconds(3500), in: file)
        #expect(offsets.allSatisfy { $0 < 200_000 || $0 > 500_000 }, "\(offsets)")
    }

    @Test("A search whose landing was indexed meanwhile, with the start of another stream, follows the index")
    func indexedLanding() throws {
        let file = try Format.statedFLAC.file()
        let source = MemoryByteSource(file.bytes, held: file.bytes.count * 7 / 8, bytesPerSecond: 1000)
        let reader = try #require(file.reader(source) as? ContainerTrackReader)
        _ = reader.read(enough: 1)
        while reader.indexMore() {}
        let landing = ContainerTrackReader.Landing(segment: 0, frame: 30 * 48_000)
        let search = FrameSearch(
            for: landing.frame, from: .init(offset: 0, frame: 0),
            to: (Int64(file.bytes.count), file.parts[0].frames), nearFrames: 48_000)
        let packet = AudioPacket(
            frame: 48_000, frames: 4096, offset: try #require(search.nextOffset), length: 2000)

        // Most bytes of the file lie before the packet, but few frames.
        _ = reader.check(packet, landing, search, best: nil)

        let isFollowing = if case .play(landing) = reader.goal { true } else { false }
        #expect(isFollowing && reader.index.last?.segment == 1)
    }
}
