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

    /// Returns two FLAC files, joined without the header of the second one.
    private static func withoutSecondHeader(isLongFirst: Bool) throws -> TrackFile {
        let versions = try EpisodeVersions.flac()
        let files = isLongFirst ? [versions.second, versions.first] : [versions.first, versions.second]
        let bytes = JoinedFileTests.stating(files[0]).bytes + files[1].bytes.dropFirst(FLACWriter().head.count)
        return TrackFile(.flac, bytes, files[0].parts[0], files[1].parts[0])
    }

    @Test("A target in FLAC that was joined without the header of the second file is found", arguments: [true, false])
    func restartingNumbers(isLongFirst: Bool) throws {
        let file = try Self.withoutSecondHeader(isLongFirst: isLongFirst)
        let border = file.parts[0].duration
        for target in [Duration.seconds(5), border - .seconds(1), border + .seconds(10)] {
            let reader = file.reader()
            reader.seek(to: .time(target))
            let reading = reader.read(enough: 3000)
            let ends = reader.ends(before: .time(border + .seconds(10)))
            #expect(JoinedFileTests.matches(reading, file, from: target), "\(target): \(reading.place)")
            #expect(ends == false)
        }
    }

    @Test("A seek back and forth over the border of such a file lands at the right sound", arguments: [true, false])
    func backOverBorder(isLongFirst: Bool) throws {
        let file = try Self.withoutSecondHeader(isLongFirst: isLongFirst)
        let border = file.parts[0].duration
        let reader = file.reader()
        for target in [border + .seconds(10), .seconds(5), border + .seconds(10), border - .seconds(1)] {
            reader.seek(to: .time(target))
            let reading = reader.read(enough: 3000)
            #expect(JoinedFileTests.matches(reading, file, from: target), "\(target): \(reading.place)")
        }
    }

    @Test("The numbers of one FLAC stream do not begin again, also without its last packet", arguments: [0, 100])
    func continuousNumbers(missing: Int) throws {
        let stream = JoinedFileTests.stating(try EpisodeVersions.flac().first)
        let file = TrackFile(.flac, Array(stream.bytes.dropLast(missing)), stream.parts[0])
        let reader = try #require(file.reader() as? ContainerTrackReader)
        _ = reader.read(enough: 1)

        let isJoined = reader.restartsNumbers(total: Int64(file.bytes.count))

        #expect(!isJoined)
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
