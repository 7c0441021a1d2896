// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

/// A track of AAC without and with an edit list.
private struct EditedTrack {
    private static let rate = 48000
    private let stream: AACPackets

    init() throws { stream = try AACPackets(core: Self.rate, channels: 1, count: 94, seed: 9) }

    func reader(_ edits: [(duration: Int, time: Int)]?, from time: Duration = .zero) -> any TrackReader {
        var builder = MP4Builder(stream.packets.map(\.bytes))
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(Self.rate, 1, .none)))
        (builder.timescale, builder.movieTimescale, builder.edits) = (Self.rate, Self.rate, edits)
        return TrackFormat.container(.mp4).makeReader(
            MemoryByteSource(builder.build().bytes), TrackSection(start: .time(time)))
    }
}

@Suite("Edit lists with several parts")
struct EditListTests {
    private let edits = [(duration: 20_000, time: 1500), (duration: 30_001, time: 40_003)]

    @Test("The parts follow each other without the media between them, from any position")
    func parts() throws {
        let track = try EditedTrack()
        let all = track.reader(nil).read().samples
        let expected = Array(all[1500..<21_500] + all[40_003..<70_004])
        for frame in [0, 1, 19_999, 20_000, 20_001, 45_000] {
            let start = Duration.seconds(frame) / 48_000
            let reading = track.reader(edits, from: start).read()
            #expect(reading.end == .ended && reading.isUnbroken)
            #expect(reading.samples == Array(expected[frame...]))
        }
    }

    @Test("The duration is that of the parts")
    func duration() throws {
        let reader = try EditedTrack().reader(edits)
        _ = reader.read(enough: 1)
        let duration = try #require(reader.timeline?.duration.value)
        #expect(AudioFormat(sampleRate: 48_000, channels: 1).frames(in: duration) == 50_001)
    }
}
