// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@testable import CodecTestSupport
@testable import TrackReading

@Suite("Comparing a version of which a part is missing with a later one")
struct VersionComparisonTests {
    /// Returns an MP3 file whose bit rate rises, after an advertisement of these packets.
    private static func file(after advertisement: Range<Int>) -> [UInt8] {
        var builder = MP3Builder()
        builder.addFrames(3000)
        builder.addFrames(3000, kilobits: [64])
        builder.addFrames(7000, kilobits: [256])
        let offsets = builder.frameOffsets.map { Int($0) }
        let first = builder.bytes[offsets[advertisement.lowerBound]..<offsets[advertisement.upperBound]]
        return Array(first + builder.bytes[offsets[3000]...])
    }

    @Test("In MP3, the first packet after a gap is found again, and times near it move about as far")
    func mp3() throws {
        let (old, new) = (Self.file(after: 0..<1000), Self.file(after: 1000..<3000))
        let source = MemoryByteSource(old, held: 100_000, bytesPerSecond: 1000)
        source.release(old.count / 2..<old.count * 3 / 4)
        let reader = TrackFormat.mpeg.makeReader(source, TrackSection(start: .fraction(0.6)))
        let later = TrackFormat.mpeg.makeReader(MemoryByteSource(new, held: new.count * 3 / 4))
        // The bytes of the advertisements have another bit rate than the others, so that the estimate is 7 s off.
        try check(reader, later, lengths: (old.count, new.count), shift: .milliseconds(26_122), within: 10)
    }

    @Test("A new version of MP3 of which too little has arrived keeps the time to continue at")
    func keepsTime() throws {
        let file = Self.file(after: 0..<1000)
        let old = MPEGTrackReader(MemoryByteSource(file), TrackSection(start: .time(.seconds(20))))
        _ = old.read(enough: 5000)
        let time = try #require(old.nextTime)
        let packets = PacketReader(source: MemoryByteSource(file, held: 10_000, bytesPerSecond: 1000))
        while packets.first == nil, packets.step() != .notYetAvailable {}

        let new = MPEGTrackReader(goingOnFrom: old, TrackSection(), at: nil, in: packets)
        let newest = MPEGTrackReader(goingOnFrom: new, TrackSection(), at: nil, in: packets)

        #expect(time > .seconds(20) && new.nextTime == nil)
        #expect(new.requestedTime == time && newest.requestedTime == time)
    }

    @Test("In ADTS, the first packet after a gap is found again, and times near it move about as far")
    func adts() throws {
        let versions = try EpisodeVersions.adts()
        let (old, new) = (versions.second, versions.first)
        let source = MemoryByteSource(old.bytes, held: old.bytes.count / 8, bytesPerSecond: 1000)
        source.release(old.bytes.count / 3..<old.bytes.count)
        let reader = old.reader(source, TrackSection(start: .time(old.duration * 0.6)))
        let later = new.reader(MemoryByteSource(new.bytes, held: new.bytes.count * 3 / 4), TrackSection())
        let lengths = (old.bytes.count, new.bytes.count)
        try check(reader, later, lengths: lengths, shift: .milliseconds(-6144), within: 2)
    }

    @Test("The places of packets after a gap are those of their mean length")
    func places() throws {
        #expect(try Self.strandedSpans().map { $0.bytes?.old.lowerBound } == [5000, 631_700])
    }

    @Test("The time between two spans after a gap is that of the packets between them")
    func spacing() throws {
        let starts = try Self.strandedSpans().map(\.old.lowerBound)
        let first = try #require(starts.first)
        #expect(starts == [first, first + .seconds(36)])
    }

    /// Returns the spans of packets after a gap: they have 24 milliseconds and a mean of 417.8 bytes, and the new
    /// version lacks 500 of them.
    private static func strandedSpans() throws -> [VersionTimes.Span] {
        var builder = MP3Builder()
        builder.addFrames(40)
        let reader = TrackFormat.mpeg.makeReader(MemoryByteSource(builder.bytes))
        _ = reader.read(enough: 1)
        while reader.indexMore() {}
        let stranded = StrandedPackets(
            hashes: hashes([0..<1000, 10_000..<10_500, 1000..<2000]), offset: 5000, audioStart: 0, earliest: .zero)
        let new = HashedPackets(
            hashes: hashes([20_000..<20_100, 0..<2000]), time: { .milliseconds(24 * $0) }, offset: { $0 * 2089 / 5 })
        return stranded.spans(in: new, try #require(reader.timeline))
    }

    /// Returns the hashes of a packet for each number.
    private static func hashes(_ numbers: [Range<UInt32>]) -> PacketHashes {
        numbers.joined().reduce(into: PacketHashes()) { hashes, number in
            withUnsafeBytes(of: number) { hashes.append(hashOf: $0) }
        }
    }

    /// Checks the places of the sound that was read after a gap.
    /// - Parameters:
    ///   - shift: the time by which the content begins later in the new version.
    ///   - tolerance: the largest error of a time of the old version, in seconds.
    private func check(
        _ reader: any TrackReader, _ later: any TrackReader, lengths: (old: Int, new: Int), shift: Duration,
        within tolerance: Double
    ) throws {
        _ = reader.read(enough: 100_000)
        _ = later.read(enough: 1)
        for reader in [reader, later] { while reader.indexMore() {} }
        #expect(reader.isOnIsland && reader.correction.isUnknown)
        let anchor = try #require(reader.anchor)
        let place = anchor.offset + Int64(lengths.new - lengths.old)
        let time = try #require(later.timeline?.time(atByte: place))
        let times = try #require(reader.times(in: later))

        let moved = times.moved(anchor.time - .seconds(3), from: anchor, newLength: Int64(lengths.new))
        let mark = try #require(moved)
        let packet = try #require(mark.anchor)
        #expect(abs(packet.offset - place) < 8000 && packet.totalLength == Int64(lengths.new))
        #expect(abs((mark.position + .seconds(3) - time) / .seconds(1)) < 0.3)
        for distance in [-3.0, 0, 60] {
            let moved = times.time(ofOld: time - shift + .seconds(distance))
            #expect(abs((moved.time - time) / .seconds(1) - distance) < tolerance && !moved.isExact)
        }
    }
}
