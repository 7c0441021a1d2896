// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import Playback

extension IslandTests {
    @Test("An estimated position names the same sound when the file is complete", arguments: Fixture.allLong)
    func saved(fixture: Fixture) throws {
        let (reader, _, frame) = stranded(fixture, at: 0.6)
        let first = reader.readOn(enough: 5000)
        let found = try #require(place(of: first.samples, in: fixture, near: frame))
        let anchor = try #require(reader.anchor)
        let position = fixture.format.duration(ofFrames: try #require(first.start))

        let later = ItemReader.make(MemoryByteSource(fixture.bytes), from: .estimated(position, from: anchor))

        // The index knows the time of every eighth packet; playback never begins later.
        let start = try #require(later.readOn(enough: 5000).start)
        #expect((0...8 * 1152).contains(found - start))
        #expect(!later.correction.isUnknown && later.anchor == nil)
    }

    @Test("An estimated position names the same sound while the bytes before it are still missing",
        arguments: Fixture.allLong)
    func savedAndMissing(fixture: Fixture) throws {
        let (reader, source, frame) = stranded(fixture, at: 0.6)
        let first = reader.readOn(enough: 5000)
        let found = try #require(place(of: first.samples, in: fixture, near: frame))
        let position = fixture.format.duration(ofFrames: try #require(first.start))

        let later = ItemReader.make(source, from: TimeTarget(position, from: reader.anchor))

        _ = later.readOn(enough: 5000)
        source.release(Int(later.readOffset)..<Int(later.readOffset) + 100_000)
        let again = later.readOn(enough: 5000)
        let resumed = try #require(place(of: again.samples, in: fixture, near: frame))
        #expect(abs(resumed - found) <= 8 * 1152 && later.correction.isUnknown)
    }

    @Test("An estimated position names the same sound if the server sends only from the beginning",
        arguments: Fixture.allLong)
    func savedAndInOrder(fixture: Fixture) throws {
        let (reader, _, frame) = stranded(fixture, at: 0.6)
        let first = reader.readOn(enough: 5000)
        let found = try #require(place(of: first.samples, in: fixture, near: frame))
        let position = fixture.format.duration(ofFrames: try #require(first.start))
        let source = MemoryByteSource(fixture.bytes, held: 60_000)
        source.skipAhead(false)

        let later = ItemReader.make(source, from: TimeTarget(position, from: reader.anchor))
        let reading = later.readOn(source) { 300_000 }

        let start = try #require(reading.start)
        #expect((0...8 * 1152).contains(found - start) && later.anchor == nil)
    }

    @Test("A seek from an estimated position back to the bytes before the gap does not wait for the gap",
        arguments: Fixture.allLong)
    func back(fixture: Fixture) throws {
        let (reader, source, _) = stranded(fixture, at: 0.6)
        let first = reader.readOn(enough: 5000)
        let anchor = try #require(reader.anchor)
        let start = fixture.format.duration(ofFrames: try #require(first.start))
        // The bytes of the first 60 kB have arrived; a little more arrives soon.
        reader.seek(to: .estimated(.seconds(4), from: anchor))
        source.release(60_000..<150_000)

        let reading = reader.readOn(enough: 5000)

        #expect(start > .seconds(40))
        #expect(reading.start != nil && !reader.correction.isUnknown)
    }

    @Test("The correction of estimated times is reported once, when the bytes before them have arrived")
    func correction() throws {
        let (reader, source, _) = stranded(.longVBR, at: 0.6)
        _ = reader.readOn(enough: 5000)
        let anchor = reader.anchor
        let before = reader.removeCorrection()
        source.release()
        while reader.survey(isSoundDue: false) {}
        let after = try #require(reader.removeCorrection())
        #expect(anchor != nil && before == nil)
        #expect(after.anchor == anchor && after.time == reader.correction.time && after.time != .zero)
        #expect(reader.removeCorrection() == nil)
    }

    @Test("In another version of the file, an estimated position counts from the same part of the bytes")
    func savedInOtherVersion() throws {
        let fixture = Fixture.longVBR
        let length = Int64(fixture.bytes.count)
        let anchor = TimeAnchor(offset: length, time: .seconds(3), totalLength: length * 2)

        let reader = ItemReader.make(MemoryByteSource(fixture.bytes), from: .estimated(.seconds(4), from: anchor))

        let start = try #require(reader.readOn(enough: 5000).start)
        let half = try #require(reader.timeline?.time(atByte: length / 2))
        #expect(abs(fixture.format.duration(ofFrames: start) - half - .seconds(1)) < .milliseconds(1))
    }
}

private func abs(_ time: Duration) -> Duration { max(time, .zero - time) }
