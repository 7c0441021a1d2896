// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media
import Testing

@testable import CodecTestSupport
@testable import TrackReading

@Suite("The comparison that shows that a FLAC file is one stream")
struct OneStreamTests {
    @Test("The numbers of some packets of a complete FLAC file end the search for another stream")
    func comparedNumbers() throws {
        let file = JoinedFileTests.stating(try EpisodeVersions.flac().second)
        let reader = try #require(file.reader() as? ContainerTrackReader)
        _ = reader.read(enough: 1)
        reader.nextStream = StreamSearch(.flac, stepLength: 1)

        let isFinished = reader.findNextStream(for: [.fraction(0.5)])
        reader.seek(to: .fraction(0.5))
        let reading = reader.read(enough: 3000)

        #expect(isFinished && reader.nextStream.start == nil)
        #expect(reader.nextStream.end == Int64(file.bytes.count))
        #expect(JoinedFileTests.matches(reading, file, from: file.duration * 0.5), "\(reading.place)")
    }

    @Test("The numbers of packets distinguish one FLAC stream from several of equal length", arguments: [1, 2, 3, 4, 7])
    func equalStreams(count: Int) throws {
        let stream = JoinedFileTests.stating(try EpisodeVersions.flac().first)
        let file = TrackFile(joining: [TrackFile](repeating: stream, count: count))
        let reader = try #require(file.reader() as? ContainerTrackReader)
        _ = reader.read(enough: 1)

        let isOne = reader.hasOneStream(from: Int64(stream.bytes.count / 4), total: Int64(file.bytes.count))

        #expect(isOne == (count == 1))
    }

    @Test("A target in the second of two FLAC streams of equal length is found")
    func secondOfEqualStreams() throws {
        let stream = JoinedFileTests.stating(try EpisodeVersions.flac().first)
        let file = TrackFile(joining: [stream, stream])
        let reader = try #require(file.reader() as? ContainerTrackReader)
        reader.nextStream = StreamSearch(.flac, stepLength: 1)
        let target = stream.duration + .seconds(10)
        reader.seek(to: .time(target))

        let reading = reader.read(enough: 3000)

        #expect(JoinedFileTests.matches(reading, file, from: target), "\(reading.place)")
    }

    @Test("A FLAC file without its last packet is not shown to be one stream")
    func missingEnd() throws {
        let stream = JoinedFileTests.stating(try EpisodeVersions.flac().first)
        let file = TrackFile(.flac, Array(stream.bytes.dropLast(100)), stream.parts[0])
        let reader = try #require(file.reader() as? ContainerTrackReader)
        _ = reader.read(enough: 1)

        let isOne = reader.hasOneStream(from: Int64(stream.bytes.count / 4), total: Int64(file.bytes.count))

        #expect(!isOne)
    }
}
