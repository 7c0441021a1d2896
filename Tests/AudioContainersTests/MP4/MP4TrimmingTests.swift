// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4 trimming")
struct MP4TrimmingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var config: [UInt8] = [0x12, 0x10]
        var timescale: Int64 = 44100
        var movieTimescale: Int64 = 1000
        var edits: [TrackBox.Edit]?
        var comment: String?
        /// In units of the timescale; `nil` selects that of all packets.
        var duration: Int64?
        var packets: Int64? = 100
        let start: Int64
        let end: Int64?
        var cuts: [Range<Int64>] = []
        /// The parts of the media that the sample durations omit.
        var omissions: [Range<Int64>] = []

        init(
            _ name: String, start: Int64, end: Int64?, edits: [(Int64, Int64)]? = nil,
            _ change: (inout Case) -> Void = { _ in }
        ) {
            (testDescription, self.start, self.end) = (name, start, end)
            self.edits = edits?.map { .init(duration: $0.0, mediaTime: $0.1) }
            change(&self)
        }
    }

    private static let he: [UInt8] = [0x2B, 0x92, 0x08, 0x00]
    private static func comment(_ delay: Int, _ frames: Int) -> String {
        " 00000000 \(String(delay, radix: 16)) 00000000 \(String(frames, radix: 16)) 00000000"
    }

    static let cases = [
        Case("no statement: everything", start: 0, end: nil),
        Case("no edit list, last sample shortened: FFmpeg", start: 0, end: 101_400) { $0.duration = 101_400 },
        Case("a media duration that ends before the last packet is ignored", start: 0, end: nil) {
            $0.duration = 50_000
        },
        Case(
            "edit list of FFmpeg, end rounded to 1 ms: the media duration is exact", start: 1024, end: 101_400,
            edits: [(2276, 1024)]
        ) {
            $0.duration = 101_400
        },
        Case("edit list without duration", start: 1024, end: nil, edits: [(0, 1024)]),
        Case("edit list without duration, last sample shortened", start: 1024, end: 101_400, edits: [(0, 1024)]) {
            $0.duration = 101_400
        },
        Case("edit list beyond the end, last sample shortened", start: 1024, end: 101_400, edits: [(16_000, 1024)]) {
            $0.duration = 101_400
        },
        Case("edit list to the end of the last packet", start: 1024, end: nil, edits: [(2299, 1024)]),
        Case("edit list of qaac", start: 2112, end: 100_000, edits: [(97_888, 2112)]) { $0.movieTimescale = 44100 },
        Case("edit list of Apple, in 1/600 s, with iTunSMPB", start: 2112, end: 100_002, edits: [(1332, 2112)]) {
            ($0.movieTimescale, $0.comment) = (600, comment(2112, 97_890))
        },
        Case("iTunSMPB alone", start: 2112, end: 100_002) { $0.comment = comment(2112, 97_890) },
        Case("iTunSMPB that contradicts the edit list", start: 1024, end: 99_940, edits: [(2243, 1024)]) {
            $0.comment = comment(2112, 97_890)
        },
        Case("an empty edit before the media", start: 1024, end: nil, edits: [(500, -1), (0, 1024)]),
        Case("only an empty edit", start: 0, end: nil, edits: [(500, -1)]),
        Case("an excerpt", start: 44_100, end: 66_150, edits: [(500, 44_100)]),
        Case("two adjacent edits", start: 1024, end: 89_224, edits: [(1000, 1024), (1000, 45_124)]),
        Case(
            "two edits with media between them, which is left out", start: 1024, end: 93_224,
            edits: [(1000, 1024), (1000, 49_124)]
        ) {
            $0.cuts = [45_124..<49_124]
        },
        Case(
            "an empty edit between two others", start: 1024, end: 93_224,
            edits: [(1000, 1024), (70, -1), (1000, 49_124)]
        ) {
            $0.cuts = [45_124..<49_124]
        },
        Case("edits that overlap present their media once", start: 0, end: 88_200, edits: [(1000, 0), (1500, 22_050)]),
        Case(
            "edits in another order than their media present it in its own", start: 1024, end: 93_224,
            edits: [(1000, 49_124), (1000, 1024)]
        ) {
            $0.cuts = [45_124..<49_124]
        },
        Case("edits whose distance is an error of rounding", start: 0, end: 88_205, edits: [(1000, 0), (1000, 44_105)]),
        Case("a last edit to the end", start: 0, end: nil, edits: [(500, 0), (0, 44_100)]) {
            $0.cuts = [22_050..<44_100]
        },
        Case("an edit beyond the end of the media", start: 0, end: nil, edits: [(500, 0), (10, 9_000_000)]) {
            $0.cuts = [22_050..<102_400]
        },
        Case("an excerpt with the iTunSMPB of the whole", start: 2112, end: 46_212, edits: [(1000, 2112)]) {
            $0.comment = comment(2112, 97_890)
        },
        Case(
            "two joined parts: the media duration counts what they leave", start: 1024, end: 101_400,
            edits: [(2248, 1024)]
        ) {
            ($0.duration, $0.omissions, $0.cuts) = (100_130, [50_954..<52_224], [50_954..<52_224])
        },
        Case(
            "two joined parts, and two edits with media between them", start: 1024, end: 102_044,
            edits: [(1000, 1024), (1200, 48_124)]
        ) {
            ($0.duration, $0.omissions) = (101_376, [50_200..<51_200])
            $0.cuts = [45_124..<48_124, 50_200..<51_200]
        },
        Case("HE, two joined parts", start: 5186, end: nil, edits: [(0, 2112)]) {
            ($0.config, $0.timescale, $0.duration) = (he, 22050, 101_376)
            ($0.omissions, $0.cuts) = ([50_176..<51_200], [101_314..<103_362])
        },
        Case("an edit that leaves nothing", start: 0, end: nil, edits: [(1, 10_000_000)]),
        Case("an edit beyond all numbers", start: 0, end: nil, edits: [(1 << 60, 1 << 60)]),
        Case("fragments: the end is unknown", start: 1024, end: nil, edits: [(0, 1024)]) {
            ($0.packets, $0.duration) = (nil, 0)
        },
        Case("HE, edit list in the core's rate: (2112 + 481) · 2", start: 5186, end: nil, edits: [(0, 2112)]) {
            ($0.config, $0.timescale) = (he, 22050)
        },
        Case("HE, iTunSMPB in the core's rate", start: 5186, end: 105_186) {
            ($0.config, $0.timescale, $0.comment) = (he, 22050, comment(2112, 50_000))
        },
        Case("HE, edit list in the decoded rate", start: 5186, end: nil, edits: [(0, 5186)]) { $0.config = he },
        Case("HE without a statement", start: 0, end: nil) { ($0.config, $0.timescale) = (he, 22050) },
        Case("a timescale of 1/1000 s", start: 1014, end: nil, edits: [(0, 23)]) { $0.timescale = 1000 },
        Case("no movie timescale", start: 0, end: nil, edits: [(10, 1024)]) { $0.movieTimescale = 0 },
    ]

    @Test("The edit list, iTunSMPB and the media duration determine the frames to play", arguments: cases)
    func trimming(file: Case) throws {
        let codec = AudioCodec.aac(try AACConfig(audioSpecificConfig: file.config))
        let clock = TrackClock(codec, timescale: file.timescale)
        let total = try #require(clock.packetFrames) * 100
        var track = TrackBox()
        track.timescale = file.timescale
        track.edits = file.edits
        track.duration = file.duration ?? clock.time(ofFrame: total)
        let trimming = MP4Trimming(
            track, movieTimescale: file.movieTimescale, gapless: file.comment.flatMap { MP4Gapless($0) }, clock: clock,
            codec: codec, total: file.packets.map { _ in total }, omissions: file.omissions)
        #expect(trimming.start == file.start)
        #expect(trimming.end == file.end)
        #expect(trimming.cuts == file.cuts)
    }

    @Test(
        "Opus without an edit list, or with one that begins at 0, starts after its pre-skip",
        arguments: [nil, 0, 912] as [Int64?])
    func preSkip(mediaTime: Int64?) throws {
        let codec = AudioCodec.opus(try OpusHead(CodecHeaderTests.opus))
        var track = TrackBox()
        track.timescale = 48000
        track.edits = mediaTime.map { [TrackBox.Edit(duration: 0, mediaTime: $0)] }
        let trimming = MP4Trimming(
            track, movieTimescale: 1000, gapless: nil, clock: TrackClock(codec, timescale: 48000), codec: codec,
            total: nil)
        #expect(trimming.start == max(312, mediaTime ?? 0))
        #expect(trimming.end == nil)
    }

    @Test("Opus whose media duration is unknown starts after its pre-skip")
    func preSkipWithoutDuration() {
        let stream = OpusStream()
        var builder = MP4Builder(stream.packets.indices.map { stream.packet($0) })
        (builder.entry, builder.timescale, builder.edits) = (CopiedTimes.opusEntry, 48000, nil)
        (builder.times, builder.mediaDuration) = ([(count: 60, duration: 960)], 0)
        let tracks = MP4Driver.outcome(MP4Parser(), builder.build().bytes).tracks
        #expect(tracks.map(\.start) == [312])
    }

    @Test(
        "A damaged iTunSMPB is ignored",
        arguments: [
            "", "00000000", " 0 840 1C0", " 0 xyz 1C0 1000", " 0 -5 1C0 1000", " 0 FFFFFFFF 0 1000", " 0 840 0 0",
        ])
    func damagedComment(text: String) {
        #expect(MP4Gapless(text) == nil)
    }
}
