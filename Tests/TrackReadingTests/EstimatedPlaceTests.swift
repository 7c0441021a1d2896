// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import TrackReading

@Suite("Estimated places in files without frame numbers")
struct EstimatedPlaceTests {
    /// Returns the reader of a file of which the part from an eighth to a third is missing.
    private static func reader(_ file: TrackFile, _ section: TrackSection = TrackSection()) -> (
        any TrackReader, MemoryByteSource
    ) {
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 8, bytesPerSecond: 1000)
        source.release(file.bytes.count / 3..<file.bytes.count)
        return (file.reader(source, section), source)
    }

    /// Returns the map of a file of which one packet is known.
    private static func map(time: Duration, offset: Int64) -> ContainerTimeline {
        let codec = AudioCodec.vorbis(identification: [], setup: [])
        let track = AudioTrack(codec: codec, format: AudioFormat(sampleRate: 44_100, channels: 1))
        return ContainerTimeline(
            segments: [TrackSegment(track: track, start: .zero)], parser: ADTSParser(), index: PacketIndex(),
            island: .init(time: time, offset: offset), isWhole: false, isEndKnown: false, finalFrame: nil,
            endFrame: nil, declaredFrames: nil, isCutOff: false, isJoined: false, totalLength: 1 << 60)
    }

    @Test("Estimates from an impossible bit rate are limited")
    func impossibleRate() {
        let slow = Self.map(time: .seconds(1 << 40), offset: 1)
        #expect(slow.duration == .estimated(.seconds(1_000_000_000_000)))
        #expect(slow.time(atByte: 1 << 60) == .seconds(2_099_511_627_776))
        let fast = Self.map(time: .seconds(1), offset: 1 << 60)
        #expect(fast.byte(atTime: .seconds(1 << 40)) == 2_152_921_504_606_846_976)
    }

    @Test(
        "A target beyond a gap plays immediately, and its time becomes exact when the gap is filled",
        arguments: [TrackFileCase.adts, .heADTS], [0.45, 0.6, 0.8])
    func gap(format: TrackFileCase, part: Double) throws {
        let file = try format.file()
        let target = file.duration * part
        let (reader, source) = Self.reader(file, TrackSection(start: .time(target)))

        let reading = reader.read(enough: 20_000)

        #expect(reading.isUnbroken && reading.runs.count == 1)
        #expect(reader.isOnIsland && reader.correction.isUnknown)
        #expect(reading.time == file.place(at: target).time)
        source.release(0..<file.bytes.count)
        while reader.survey(isSoundDue: false) {}
        #expect(!reader.correction.isUnknown)
        #expect(Self.equals(file, reading, at: file.place(at: target).time + reader.correction.time))
        #expect(abs(reader.correction.time / .seconds(1)) < file.duration / .seconds(4))
    }

    @Test(
        "The duration after estimated packets up to the end is an estimate until the gap is filled",
        arguments: [TrackFileCase.adts, .heADTS])
    func duration(format: TrackFileCase) throws {
        let file = try format.file()
        let (reader, source) = Self.reader(file, TrackSection(start: .time(file.duration * 0.6)))

        let reading = reader.read()

        #expect(reading.end == .ended && reader.correction.isUnknown)
        let estimate = try #require(reader.timeline?.duration)
        #expect(estimate == .estimated(estimate.value ?? .zero))
        source.release(0..<file.bytes.count)
        while reader.survey(isSoundDue: false) {}
        #expect(!reader.correction.isUnknown)
        #expect(reader.timeline?.duration == .exact(file.duration))
    }

    @Test(
        "An estimated position names the same sound when the file is complete",
        arguments: [TrackFileCase.adts, .heADTS], [0.45, 0.8])
    func saved(format: TrackFileCase, part: Double) throws {
        let file = try format.file()
        let (reader, source) = Self.reader(file, TrackSection(start: .time(file.duration * part)))
        let position = try #require(reader.read(enough: 20_000).time)
        let anchor = try #require(reader.anchor)
        source.release(0..<file.bytes.count)
        while reader.survey(isSoundDue: false) {}
        let exact = position + reader.correction.time

        let later = file.reader(source, TrackSection(start: .estimated(position, from: anchor)))

        let start = try #require(later.read(enough: 8192).time)
        // The index knows the times of packets two seconds apart.
        let error = (start - exact) / .seconds(1)
        #expect(abs(error) < 0.1)
        #expect(reader.anchor == nil && later.anchor == nil)
    }

    @Test(
        "An estimated position names the same sound if the server sends only from the beginning",
        arguments: [TrackFileCase.adts, .heADTS], [0.45, 0.8])
    func savedAndInOrder(format: TrackFileCase, part: Double) throws {
        let file = try format.file()
        let (reader, source) = Self.reader(file, TrackSection(start: .time(file.duration * part)))
        let position = try #require(reader.read(enough: 20_000).time)
        let anchor = try #require(reader.anchor)
        source.release(0..<file.bytes.count)
        while reader.survey(isSoundDue: false) {}
        let exact = position + reader.correction.time
        let slow = MemoryByteSource(file.bytes, held: file.bytes.count / 8, bytesPerSecond: 1000)
        slow.skipAhead(false)

        let later = file.reader(slow, TrackSection(start: .estimated(position, from: anchor)))
        let before = later.read(enough: 1)
        slow.release(0..<file.bytes.count)

        let start = try #require(later.read(enough: 8192).time)
        let error = (start - exact) / .seconds(1)
        #expect(before.frames == 0 && abs(error) < 0.1 && later.anchor == nil)
    }

    @Test("The duration is not less than an estimated position and the rest, also if more packets are indexed since")
    func positionBeforeEnd() throws {
        // Given: a position far ahead in a file whose rate rises, by the rate of the first packets.
        var builder = MP3Builder()
        builder.addFrames(200, kilobits: [32])
        builder.addFrames(2000)
        let source = MemoryByteSource(builder.bytes, held: 15_000, bytesPerSecond: 1000)
        source.release(700_000..<builder.bytes.count)
        let reader = TrackFormat.mpeg.makeReader(source, TrackSection(start: .fraction(0.85)))
        _ = reader.read(enough: 5000)
        let position = try #require(reader.nextTime)
        #expect(reader.isOnIsland)
        // When: the rate of the others lowers the estimate.
        source.release(0..<300_000)
        _ = reader.survey(isSoundDue: false)
        let estimate = try #require(reader.timeline?.duration.value)
        let duration = try #require(reader.duration.value)
        #expect(estimate < position && duration > position)
    }

    @Test("A seek back from an estimated place is exact", arguments: [TrackFileCase.adts, .heADTS])
    func back(format: TrackFileCase) throws {
        let file = try format.file()
        let (reader, _) = Self.reader(file, TrackSection(start: .fraction(0.7)))
        _ = reader.read(enough: 20_000)
        let target = file.duration / 16

        reader.seek(to: .time(target))

        let reading = reader.read(enough: 8192)
        #expect(!reader.isOnIsland && !reader.correction.isUnknown)
        #expect(file.matches(reading, from: target))
    }

    @Test("A target at the end, and an exact section, wait for the missing bytes", arguments: [true, false])
    func waits(isAtEnd: Bool) throws {
        let file = try TrackFileCase.adts.file()
        let target = file.duration * (isAtEnd ? 1.5 : 0.7)
        let (reader, source) = Self.reader(file, TrackSection(start: .time(target), isExact: !isAtEnd))

        let before = reader.read(enough: 1)
        let wait = reader.landingWait
        source.release(0..<file.bytes.count)
        let after = reader.read(enough: 8192)

        #expect(before.end == .notYetAvailable && before.frames == 0)
        #expect(wait == .fileHasNoIndex && !reader.isOnIsland)
        #expect(isAtEnd ? after.end == .ended && reader.isBeyondEnd : file.matches(after, from: target))
    }

    @Test("A start waits until the throughput is known, and is exact on a fast link", arguments: [1000, 1e9])
    func unmeasured(bytesPerSecond: Double) throws {
        let file = try TrackFileCase.adts.file()
        let count = (2 << 20) / file.bytes.count
        let bytes = Array([[UInt8]](repeating: file.bytes, count: count).joined())
        let source = MemoryByteSource(bytes, held: file.bytes.count)
        let reader = file.reader(source, TrackSection(start: .time(file.duration * (count - 1))))

        let first = reader.read(enough: 1)
        let wait = reader.landingWait
        source.measure(bytesPerSecond: bytesPerSecond)
        let second = reader.read(enough: 1)

        #expect(first.end == .notYetAvailable && first.frames == 0 && wait == .fileHasNoIndex)
        #expect(second.end == .notYetAvailable && second.frames == 0)
        #expect(reader.isOnIsland == (bytesPerSecond == 1000))
    }

    /// Returns true if the frames equal those of the file at a time.
    private static func equals(_ file: TrackFile, _ reading: Reading, at time: Duration) -> Bool {
        guard let run = reading.runs.first else { return false }
        let part = file.parts[0]
        let start = Int((time / .seconds(1) * Double(part.format.sampleRate)).rounded()) * part.format.channels
        guard start >= 0, start + run.samples.count <= part.samples.count else { return false }
        return file.accuracy.accepts(run.samples, part.samples[start..<start + run.samples.count])
    }
}
