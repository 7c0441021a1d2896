// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@testable import CodecTestSupport

@Suite("Damage inside an item")
struct DamageTests {
    private static func damages(_ news: [PlayerEvent]) -> [MediaFailure] {
        news.compactMap { if case .damageSkipped(_, let failure) = $0 { failure } else { nil } }
    }

    private static let formats = [TrackFileCase.opus, .vorbis, .flac]

    @Test("A file with damage is played to its end, and the first damage is reported once", arguments: formats)
    func reported(format: TrackFileCase) async throws {
        var bytes = try format.file().bytes
        let places = [bytes.count / 2, bytes.count * 3 / 4]
        for place in places { bytes[place] ^= 0xFF }
        let stage = Stage(options: Player.Options(outputRate: .file))

        #expect(await stage.playOut([MemoryByteSource(bytes)]))
        #expect(await stage.stop())

        let reasons = Self.damages(stage.news).map(\.reason)
        #expect(reasons.count == 1 && reasons[0].hasPrefix("the file is damaged at byte "), "\(stage.news)")
        let offset = try #require(reasons[0].split(separator: " ").last.flatMap { Int($0) })
        #expect(abs(offset - places[0]) < 70_000)
        #expect(stage.news.contains { if case .itemEnded = $0 { true } else { false } })
    }

    @Test(
        "A start in the missing part of a truncated file fails as truncated, and a saved position there is kept",
        arguments: [TrackFileCase.aac, .flacTable, .wave, .opus, .vorbis], [false, true])
    func startBehindCut(format: TrackFileCase, isResumed: Bool) async throws {
        let file = try format.file()
        let stage = Stage()
        let item = stage.append(
            MemoryByteSource(Array(file.bytes[..<(file.bytes.count * 2 / 5)])), from: .time(file.duration * 0.7),
            isResumed: isResumed)
        #expect(await stage.playOut())
        #expect(await stage.stop())
        let failures = stage.news.compactMap { if case .itemFailed(_, let failure) = $0 { failure } else { nil } }
        #expect(failures.map(\.kind) == [.badData] && stage.refusals.isEmpty, "\(stage.news)")
        // Ogg does not state its length.
        let reason =
            [.opus, .vorbis].contains(format)
            ? "the file is truncated: its end is missing" : "the file is damaged or truncated: it has "
        #expect(failures.first?.reason.hasPrefix(reason) == true)
        // The start of an item saves its position.
        #expect(!stage.news.contains(.itemStarted(item)) && stage.sink.samples.isEmpty)
    }

    @Test("A file that lacks all pages after the start of a cut fails as truncated")
    func cutBeforeStart() async throws {
        let stage = Stage()
        let item = stage.append(MemoryByteSource(try VorbisEncoding.cutBeforeStart()))
        #expect(await stage.playOut())
        #expect(await stage.stop())
        let failure = MediaFailure(.badData, "the file is truncated: its end is missing")
        #expect(stage.news.contains(.itemFailed(item, failure)) && stage.sink.samples.isEmpty, "\(stage.news)")
    }

    @Test(
        "A start in the missing part of a truncated MP3 file fails as shorter than its tag, and the next item plays",
        arguments: [false, true])
    func startBehindCutOfMP3(isResumed: Bool) async {
        let fixture = Fixture.longTaggedCBR
        let stage = Stage()
        let item = stage.append(
            MemoryByteSource(Array(fixture.bytes[..<(fixture.bytes.count * 2 / 5)])),
            from: .time(fixture.duration * 0.7), isResumed: isResumed)
        #expect(await stage.playOut([MemoryByteSource(Fixture.cbr.bytes)]))
        #expect(await stage.stop())
        let reasons = stage.news.compactMap { news in
            if case .itemFailed(item, let failure) = news { failure.reason } else { nil }
        }
        #expect(reasons.count == 1 && stage.refusals.isEmpty, "\(stage.news)")
        #expect(reasons.first?.hasPrefix("the file is shorter than its tag declares: ") == true)
        #expect(identical(stage.sink.samples, Fixture.cbr.samples))
    }

    @Test(
        "A start after the end that a truncated file states is refused",
        arguments: [TrackFileCase.aac, .flacTable, .wave])
    func startAfterStatedEnd(format: TrackFileCase) async throws {
        let file = try format.file()
        let stage = Stage()
        stage.append(
            MemoryByteSource(Array(file.bytes[..<(file.bytes.count * 2 / 5)])),
            from: .time(file.duration + .seconds(60)))
        #expect(await stage.playOut())
        #expect(await stage.stop())
        let refusals = stage.news.filter { if case .beyondEnd(_, _, _, .refused) = $0 { true } else { false } }
        #expect(refusals.count == 1 && stage.news.count == 2, "\(stage.news)")
    }

    @Test(
        "A seek into the missing part of a truncated file fails as truncated, and playback continues",
        arguments: [TrackFileCase.aac, .flacTable])
    func seekBehindCut(format: TrackFileCase) async throws {
        let file = try format.file()
        let stage = Stage(sink: CapturingSink(allowance: 5000))
        let item = stage.append(MemoryByteSource(Array(file.bytes[..<(file.bytes.count * 2 / 5)])))
        #expect(await eventually { stage.sink.frames == 5000 })
        stage.player.send(.seek(.absolute(.time(file.duration * 0.7))))
        #expect(await eventually { stage.news.contains { if case .seekFailed = $0 { true } else { false } } })
        stage.sink.allow(nil)
        #expect(await stage.playOut())
        #expect(await stage.stop())
        let failures = stage.news.compactMap { if case .seekFailed(item, let failure) = $0 { failure } else { nil } }
        #expect(failures.map(\.kind) == [.badData] && stage.refusals.isEmpty, "\(stage.news)")
        #expect(failures.first?.reason.hasPrefix("the file is damaged or truncated: it has ") == true)
    }

    @Test("A packet of AAC that the decoder rejects is reported", arguments: [TrackFileCase.aac, .adts, .aacFragments])
    func rejected(format: TrackFileCase) async throws {
        var bytes = try format.file().bytes
        let place = bytes.count / 2
        bytes.replaceSubrange(place..<place + 300, with: repeatElement(0x55, count: 300))
        let stage = Stage(options: Player.Options(outputRate: .file))

        #expect(await stage.playOut([MemoryByteSource(bytes)]))
        #expect(await stage.stop())

        #expect(Self.damages(stage.news).count == 1)
        // ADTS has no table that states a packet whose header is damaged.
        let frames = try format.file().parts[0].samples.count
        #expect(format == .adts || stage.sink.samples.count == frames)
    }

    @Test(
        "MPEG audio whose packets are lost is silent until its bit reservoir is filled again",
        arguments: [Fixture.cbr, .vbr, .mono, .slow])
    func lostPackets(fixture: Fixture) async {
        // The phase of the synthesis filter repeats after eight packets.
        let (offsets, lost) = (fixture.offsets, 8)
        let first = offsets.count / 2
        var bytes = fixture.bytes
        // From the header of a packet to the middle of another.
        let range = offsets[first]..<offsets[first + lost - 1] + 20
        bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        let stage = Stage(options: Player.Options(outputRate: .firstItem))

        #expect(await stage.playOut([MemoryByteSource(bytes)]))
        #expect(await stage.stop())

        let (heard, all) = (stage.sink.samples, fixture.samples)
        let packet = fixture.packetFrames * fixture.format.channels
        // The silence is at most twelve packets long; the end of a file with a wrong number of packets is not trimmed.
        let (shift, start) = (lost * packet, (first + 12) * packet)
        let end = min(heard.count, all.count - shift) - 2 * packet
        #expect(difference(Array(heard[start..<end]), all[(start + shift)..<(end + shift)]) <= 1e-6)
        let intact = (first - 2) * packet
        #expect(identical(Array(heard[..<intact]), Array(all[..<intact])))
        let (peak, limit) = (heard.map { abs($0) }.max() ?? 0, all.map { abs($0) }.max() ?? 0)
        #expect(peak <= limit)
        #expect(Self.damages(stage.news).count == 1)
    }

    @Test("Bytes between two packets of MPEG audio change no sample", arguments: [Fixture.cbr, .vbr, .mono, .slow])
    func insertedBytes(fixture: Fixture) async {
        var bytes = fixture.bytes
        let place = fixture.offsets[fixture.packetCount / 2]
        bytes.insert(contentsOf: repeatElement(0, count: 100), at: place)
        let stage = Stage(options: Player.Options(outputRate: .firstItem))
        #expect(await stage.playOut([MemoryByteSource(bytes)]))
        #expect(await stage.stop())
        #expect(identical(stage.sink.samples, fixture.samples))
        #expect(Self.damages(stage.news) == [])
    }

    private static let intact: [TrackFileCase] =
        formats + [.aac, .adts, .aacFragments, .heAAC, .heADTS, .opusInMP4, .flacInMP4, .oggFLAC, .wave]

    @Test("A sound file reports no damage", arguments: intact)
    func sound(format: TrackFileCase) async throws {
        let stage = Stage(options: Player.Options(outputRate: .file))
        #expect(await stage.playOut([MemoryByteSource(try format.file().bytes)]))
        #expect(await stage.stop())
        #expect(Self.damages(stage.news) == [])
    }
}
