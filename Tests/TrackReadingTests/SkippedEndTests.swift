// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Skipped ends")
struct SkippedEndTests {
    private static func reading(
        _ file: TrackFile, _ length: Duration, besides beginning: Duration = .zero, from start: Duration = .zero
    ) -> Reading {
        let section = TrackSection(start: .time(start), skippedEnd: SkippedEnd(length, besides: beginning))
        return file.reader(section).read()
    }

    /// Indexes the whole file, so that its duration is exact.
    private static func index(_ reader: any TrackReader) {
        for _ in 0..<10_000 where reader.timeline == nil { _ = reader.step() }
        while reader.indexMore() {}
    }

    @Test("The end of a complete file is skipped to the frame", arguments: TrackFileCase.allCases)
    func skipped(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let end = Duration.milliseconds(150)
        let reading = Self.reading(file, end)
        let probe = file.reader()
        Self.index(probe)
        guard case .exact(let duration)? = probe.timeline?.duration else {
            Issue.record("the duration is not exact")
            return
        }
        #expect(reading.end == .ended)
        let place = file.place(at: duration - end)
        let expected = file.parts.prefix(place.part).reduce(place.frame) { $0 + $1.frames }
        #expect(abs(Int64(reading.frames) - expected) <= 1)
        #expect(file.matches(reading, from: .zero, TrackFile.Accuracy.samples(1)))
    }

    @Test("Packets are counted while the second quarter plays, a part at each packet")
    func portions() {
        var builder = MP3Builder()
        builder.addFrames(20_000)
        let quarter = Int64(builder.bytes.count / 4)
        let section = TrackSection(skippedEnd: SkippedEnd(.seconds(30), besides: .zero))
        let reader = TrackFormat.mpeg.makeReader(MemoryByteSource(builder.bytes), section)
        var isWhole: [Bool] = []
        for part in [1, 2] as [Int64] {
            while reader.readOffset <= quarter * part, reader.step() == .progressed { reader.block.removeAll() }
            isWhole.append(reader.isWholeIndexed)
        }
        #expect(isWhole == [false, true])
    }

    @Test("Nothing is skipped of a short item, or if playback begins in that part")
    func kept() throws {
        let file = try TrackFileCase.wave.shortFile()
        let whole = file.reader().read().frames
        #expect(Self.reading(file, file.duration * 0.3).frames < whole)
        #expect(Self.reading(file, file.duration * 0.4).frames == whole)
        #expect(Self.reading(file, file.duration * 0.2, besides: file.duration * 0.2).frames == whole)
        let late = file.duration - .milliseconds(50)
        let rest = whole - Int(file.place(at: late).frame)
        #expect(Self.reading(file, .milliseconds(100), from: late).frames == rest)
    }

    @Test("Playback that has passed the skipped end before the packets are counted ends then")
    func late() {
        var builder = MP3Builder()
        builder.addFrames(20_000)
        let duration = Duration.seconds(20_000.0 * 1152 / 44_100)
        let start = duration - .seconds(30.5)
        let reader = TrackFormat.mpeg.makeReader(
            MemoryByteSource(builder.bytes),
            TrackSection(start: .time(start), skippedEnd: SkippedEnd(.seconds(30), besides: .zero)))
        let reading = reader.read()
        #expect(reading.end == .ended && reading.frames < 44_100 * 10)
    }

    @Test("A track that is too short for its start plays from its beginning", arguments: TrackFileCase.allCases)
    func beginning(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let start = Duration.milliseconds(200)
        for (margin, place) in [(Duration.milliseconds(50), Duration.zero), (.milliseconds(-50), start)] {
            let section = TrackSection(start: .time(start), leastDuration: file.duration + margin)
            let reading = file.reader(section).read()
            let time = try #require(reading.time)
            #expect(reading.end == .ended, "\(margin)")
            #expect(abs((time - file.place(at: place).time) / .nanoseconds(1)) < 100, "\(margin)")
        }
    }

    @Test(
        "The packets of a track that is too short for its start are not counted if its header states the duration",
        arguments: [TrackFileCase.aac, .wave])
    func notCounted(format: TrackFileCase) throws {
        let file = try format.file()
        let section = TrackSection(start: .time(.seconds(10)), leastDuration: file.duration + .seconds(1))
        let reader = file.reader(section)
        while reader.block.frames == 0, reader.step() == .progressed {}
        #expect(reader.block.frames > 0 && reader.block.time < .milliseconds(1))
        #expect(!reader.isWholeIndexed)
    }

    @Test("A seek to the start of a track that is too short for it lands there", arguments: [false, true])
    func chosen(isEarly: Bool) {
        var builder = MP3Builder()
        builder.addFrames(100)
        let start = Duration.seconds(1)
        let section = TrackSection(start: .time(start), leastDuration: .seconds(5))
        let reader = TrackFormat.mpeg.makeReader(MemoryByteSource(builder.bytes), section)
        if !isEarly { while reader.block.frames == 0, reader.step() == .progressed {} }
        #expect(isEarly || reader.block.time == .zero)
        reader.seek(to: .time(start))
        while reader.block.frames == 0, reader.step() == .progressed {}
        #expect(abs((reader.block.time - start) / .seconds(1)) < 0.001)
    }

    @Test("Only an exact duration counts")
    func exact() {
        let end = SkippedEnd(.seconds(10), besides: .zero)
        #expect(end?.stop(in: .exact(.seconds(100)), from: .seconds(5)) == .seconds(90))
        #expect(end?.stop(in: .exact(.seconds(100)), from: .seconds(90)) == nil)
        #expect(end?.stop(in: .declared(.seconds(100)), from: .zero) == nil)
        #expect(end?.stop(in: .estimated(.seconds(100)), from: .zero) == nil)
        #expect(end?.stop(in: .unknown, from: .zero) == nil)
        #expect(SkippedEnd(.zero, besides: .seconds(1)) == nil)
    }
}
