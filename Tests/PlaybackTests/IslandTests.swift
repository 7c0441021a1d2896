// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing
import TrackReading

@testable import Playback

@Suite("ItemReader after a seek beyond the downloaded bytes (island)")
struct IslandTests {
    private func time(_ fixture: Fixture, _ frame: Int64) -> TimeTarget {
        .time(fixture.format.duration(ofFrames: frame))
    }

    /// Returns a reader with the file's first 60,000 bytes and 100 kB from the seek target on.
    func stranded(_ fixture: Fixture, at part: Double) -> (ItemReader, MemoryByteSource, Int64) {
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        let frame = Int64(Double(fixture.frames) * part)
        let reader = ItemReader.make(source, from: time(fixture, frame))
        _ = reader.readOn()
        source.release(Int(reader.readOffset)..<Int(reader.readOffset) + 100_000)
        return (reader, source, frame)
    }

    /// Returns the frame of the file, nearest to `frame`, at which `samples` occur. Samples may differ by 1e-6.
    func place(of samples: [Float], in fixture: Fixture, near frame: Int64) -> Int64? {
        let channels = fixture.format.channels
        let probe = Array(samples.prefix(400 * channels))
        guard probe.count == 400 * channels else { return nil }
        return (0..<400_000 as Range<Int64>).lazy.flatMap { [frame + $0, frame - $0] }.first { candidate in
            guard candidate >= 0, candidate + 400 <= fixture.frames else { return false }
            let start = Int(candidate) * channels
            return probe.indices.allSatisfy { abs(fixture.samples[start + $0] - probe[$0]) < 1e-6 }
        }
    }

    @Test(
        "The reader requests only the target position and starts there as soon as its bytes arrive",
        arguments: Fixture.allLong)
    func starts(fixture: Fixture) throws {
        let (reader, source, frame) = stranded(fixture, at: 0.7)
        let reading = reader.readOn(enough: 20_000)
        let start = try #require(reading.start)
        #expect(source.held == 60_000 && reading.isUnbroken)
        #expect(reader.correction == (.zero, true))
        // The samples belong to the named frame, within the error of the estimate.
        let found = try #require(place(of: reading.samples, in: fixture, near: frame))
        #expect(abs(Double(start - frame)) <= 8 * 1152)
        #expect(abs(Double(found - start)) / Double(fixture.frames) < 0.02)
    }

    @Test("At a constant bit rate the reader starts at exactly the requested frame", arguments: [0.3, 0.5, 0.9, 0.99])
    func constant(part: Double) throws {
        for fixture in [Fixture.longCBR, .longTaggedCBR] {
            let (reader, _, frame) = stranded(fixture, at: part)
            let reading = reader.readOn(enough: 5000)
            #expect(reading.start == frame)
            #expect(place(of: reading.samples, in: fixture, near: frame) == frame)
        }
    }

    @Test("Filling the hole makes the correction known and exact, and reading continues without a gap",
        arguments: Fixture.allLong)
    func rebased(fixture: Fixture) throws {
        let (reader, source, frame) = stranded(fixture, at: 0.6)
        let first = reader.readOn(enough: 5000)
        let start = try #require(first.start)
        let found = try #require(place(of: first.samples, in: fixture, near: frame))
        source.release()
        while reader.survey(isSoundDue: false) {}
        #expect(fixture.frames(reader.correction.time) == found - start && !reader.correction.isUnknown)
        let next = reader.readOn(enough: 5000)
        #expect(next.start == start + Int64(first.samples.count / fixture.format.channels))
    }

    @Test("The padding that the tag declares is not played at the end of the file")
    func padding() throws {
        let fixture = Fixture.longTaggedCBR
        let (reader, source, frame) = stranded(fixture, at: 0.97)
        source.release(Int(reader.readOffset)..<fixture.bytes.count)
        let reading = reader.readOn()
        #expect(reading.end == .ended && reading.start == frame)
        #expect(reading.samples.count == fixture.samples(from: frame).count)
        let worst = zip(reading.samples, fixture.samples(from: frame)).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 1e-6)
    }

    @Test("The end position of an item is exact once it is known")
    func until() throws {
        let fixture = Fixture.longCBR
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        let (from, to) = (fixture.frames / 2, fixture.frames / 2 + 30_000)
        let reader = ItemReader.make(source, from: time(fixture, from), until: time(fixture, to))
        _ = reader.readOn()
        source.release(Int(reader.readOffset)..<Int(reader.readOffset) + 100_000)
        let reading = reader.readOn()
        #expect(reading.end == .ended)
        #expect(Int64(reading.samples.count / fixture.format.channels) == to - from)
    }

    @Test(
        "A position beyond the end is refused; only just beyond an estimated end the last packets play",
        arguments: Fixture.allLong, [3000, 40_000_000])
    func beyond(fixture: Fixture, distance: Int64) {
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        let reader = ItemReader.make(source, from: time(fixture, fixture.frames + distance))
        _ = reader.readOn()
        source.release()
        let reading = reader.readOn()
        #expect(reading.end == .ended)
        let played = reading.samples.count / fixture.format.channels
        #expect(played == 0 ? reader.isBeyondEnd : distance == 3000 && played < 48_000)
    }

    @Test("A position far beyond the estimated end is refused if no more bytes come or the expected duration agrees",
        arguments: [false, true])
    func farBeyond(isExpected: Bool) {
        let fixture = Fixture.longVBR
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        let item = PlaybackItem(
            id: 0, title: "", podcast: nil, location: "", claimedDuration: isExpected ? fixture.duration * 100 : nil,
            expectedDuration: isExpected ? fixture.duration : nil,
            start: time(fixture, fixture.frames * 10 + 10_000_000))
        if !isExpected { source.fail(MediaFailure(.unavailable, "no connection")) }
        let reader = ItemReader(item: item, source: source)
        let reading = reader.readOn()
        #expect(reading.end == .ended && reading.samples.isEmpty && reader.isBeyondEnd)
    }

    @Test("If the server sends only from the beginning, the reader waits for the bytes in between and lands exactly")
    func turnsBack() {
        let fixture = Fixture.longVBR
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        let frame = fixture.frames * 3 / 4
        let reader = ItemReader.make(source, from: time(fixture, frame))
        _ = reader.readOn()
        source.skipAhead(false)
        #expect(reader.readOn().end == .notYetAvailable && reader.landingWait == .serverSendsInOrder)
        let reading = reader.readOn(source) { 300_000 }
        #expect(reading.start == frame)
        #expect(identical(reading.samples, fixture.samples(from: frame)))
    }

    @Test("While another process downloads the file, the reader waits for that process, not for the server",
        arguments: Fixture.allLong)
    func followsAnother(fixture: Fixture) {
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        source.arriveInOrder(.otherProcess)
        let reader = ItemReader.make(source, from: time(fixture, fixture.frames * 3 / 4))
        #expect(reader.readOn().end == .notYetAvailable && reader.landingWait == .followsAnother)
    }

    @Test("If the server turns out to send ranges, the reader no longer waits for the bytes in between",
        arguments: Fixture.allLong)
    func jumpsLater(fixture: Fixture) throws {
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        let frame = fixture.frames * 3 / 4
        source.skipAhead(false)
        let reader = ItemReader.make(source, from: time(fixture, frame))
        #expect(reader.readOn().end == .notYetAvailable && reader.landingWait == .serverSendsInOrder)
        source.skipAhead(true)
        #expect(reader.readOn().end == .notYetAvailable && reader.landingWait == nil)
        let target = Int(reader.wantedOffset)
        #expect(target > fixture.bytes.count / 2)
        source.release(target..<target + 100_000)
        #expect(try abs(#require(reader.readOn(enough: 5000).start) - frame) <= 8 * 1152)
        #expect(source.held == 60_000)
    }

    @Test("With the frame index kept from an earlier run the reader lands exactly, even with a gap before the target",
        arguments: Fixture.allLong)
    func kept(fixture: Fixture) throws {
        // Given: the index of the whole file; of the file, its first 60,000 bytes and its second half.
        let index = try #require(Self.index(of: fixture))
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        source.release(fixture.bytes.count / 2..<fixture.bytes.count)
        let item = PlaybackItem(id: 0, title: "", podcast: nil, location: "")
        let reader = ItemReader(item: item, source: source) { index }
        _ = reader.readOn(enough: 1)
        // When, then.
        let frame = fixture.frames * 2 / 3
        reader.seek(to: time(fixture, frame))
        let reading = reader.readOn()
        #expect(reading.start == frame && reading.end == .ended && !reader.correction.isUnknown)
        #expect(identical(reading.samples, fixture.samples(from: frame)))
        #expect(reader.removeIndexToStore() == nil)
    }

    /// Returns the index that a reader of the whole file keeps.
    private static func index(of fixture: Fixture) -> KeptFrameIndex? {
        let reader = ItemReader.make(MemoryByteSource(fixture.bytes))
        _ = reader.readOn()
        return reader.removeIndexToStore()
    }

    @Test(
        "A seek to a position just after the downloaded data waits instead of skipping ahead",
        arguments: Fixture.allLong)
    func near(fixture: Fixture) {
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        let reader = ItemReader.make(source)
        _ = reader.readOn(enough: 1)
        reader.seek(to: time(fixture, fixture.frames / 10))
        _ = reader.readOn()
        #expect(reader.readOffset <= 60_000)
    }

    @Test("Seeks from an island back to the indexed part and forward again land exactly",
        arguments: Fixture.allLong)
    func backAndForth(fixture: Fixture) {
        let (reader, source, frame) = stranded(fixture, at: 0.6)
        _ = reader.readOn(enough: 5000)
        reader.seek(to: .time(.zero))
        let head = reader.readOn(enough: 5000)
        #expect(identical(Array(head.samples.prefix(5000)), Array(fixture.samples.prefix(5000))))
        source.release()
        while reader.survey(isSoundDue: false) {}
        reader.seek(to: time(fixture, frame))
        let reading = reader.readOn(source) { 1_000_000 }
        #expect(reading.start == frame)
        #expect(identical(reading.samples, fixture.samples(from: frame)))
    }

    @Test("For any order of arrival the samples read match the file at their reported frames",
        arguments: 0..<12)
    func anyOrder(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = Fixture.allLong[seed % Fixture.allLong.count]
        let source = MemoryByteSource(fixture.bytes, held: Int.random(in: 0...200_000, using: &random))
        let reader = ItemReader.make(source)
        for _ in 0..<12 {
            let target = Int64.random(in: 0..<fixture.frames, using: &random)
            reader.seek(to: time(fixture, target))
            let reading = arrive(reader, source, &random)
            // Then: the samples are either exact, or of an island whose frame numbers are right once corrected.
            guard let start = reading.start else { continue }
            while reader.survey(isSoundDue: false) {}
            if reader.correction.isUnknown { continue }
            let from = start + fixture.frames(reader.correction.time)
            let wanted = fixture.samples(from: from, to: from + Int64(reading.samples.count / fixture.format.channels))
            #expect(reading.samples.count == wanted.count)
            let worst = zip(reading.samples, wanted).map { abs($0 - $1) }.max() ?? 0
            #expect(worst < 1e-6, "seed \(seed), frame \(target)")
        }
    }

    /// Reads for a while; whenever the reader runs out of bytes, some arrive, mostly those it waits for.
    private func arrive(
        _ reader: ItemReader, _ source: MemoryByteSource, _ random: inout SeededGenerator
    ) -> Reading {
        var all = reader.readOn(enough: 20_000)
        for _ in 0..<40 where all.end == .notYetAvailable {
            let isWanted = Int.random(in: 0..<4, using: &random) > 0
            let place = isWanted ? Int(reader.readOffset) : Int.random(in: 0..<source.content.count, using: &random)
            source.release(place..<place + Int.random(in: 1...90_000, using: &random))
            _ = reader.survey(isSoundDue: false)
            let more = reader.readOn(enough: 20_000)
            all.start = all.start ?? more.start
            all.samples += more.samples
            all.end = more.end
        }
        return all
    }
}
