// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Durations, tags and contents of tracks")
struct DurationTests {
    /// The formats that state their length in the bytes before the sound.
    private static let declaring: Set<TrackFileCase> = [
        .aac, .heAAC, .opusInMP4, .flacTable, .flacInMP4, .wave, .rf64, .wave64, .aiff,
    ]

    @Test("A recording of ADTS that begins inside a packet is not damaged, also if its packets are counted first")
    func beginsInside() throws {
        let file = try TrackFileCase.adts.file()
        let reader = file.reader(MemoryByteSource(Array(file.bytes.dropFirst(100))))
        for _ in 0..<10_000 where reader.timeline == nil { _ = reader.step() }
        while reader.indexMore() {}
        reader.seek(to: .time(.zero))
        let reading = reader.read()
        #expect(reading.end == .ended && reading.frames > 0 && reader.damage == nil)
    }

    @Test(
        "A file that states its length has a duration immediately, any other one an estimate",
        arguments: TrackFileCase.allCases)
    func stages(format: TrackFileCase) throws {
        let file = try format.file()
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 3)
        let reader = file.reader(source)
        let reading = reader.read()
        guard format != .aacLast else {
            // The tables stand behind the sound.
            #expect(reading.frames == 0 && reader.timeline == nil)
            source.release()
            _ = reader.read()
            return try checkMap(#require(reader.timeline), of: file, hasTableBehind: true)
        }
        let duration = try #require(reader.timeline?.duration)
        let value = try #require(duration.value)
        if Self.declaring.contains(format) {
            #expect(duration == .declared(file.duration))
        } else {
            guard case .estimated = duration else { throw TestFailure("\(duration)") }
            // The bit rate varies; the second part of a chained file is unknown.
            #expect(value > file.duration * 0.4 && value < file.duration * 1.6, "\(value)")
        }
        #expect(!reader.isWholeIndexed && reader.timeline?.shortfall == nil)
        source.release()
        _ = reader.read()
        #expect(reader.timeline?.duration == .exact(file.duration))
        try checkMap(#require(reader.timeline), of: file, hasTableBehind: false)
    }

    @Test(
        "The end of a complete file shows its length before all packets are indexed, as an estimate",
        arguments: [TrackFileCase.opus, .shortOpus, .longOpus, .vorbis, .flac, .aacFragments])
    func readEnd(format: TrackFileCase) throws {
        let file = try format.file()
        let reader = file.reader()
        _ = reader.read(enough: file.parts[0].format.sampleRate * 6)
        _ = reader.survey(isSoundDue: true)
        #expect(!reader.isWholeIndexed)
        #expect(reader.timeline?.duration == .estimated(file.duration))
        _ = reader.read()
        #expect(reader.timeline?.duration == .exact(file.duration))
    }

    @Test("The end of another stream does not show the length", arguments: [[8, 2, 1, 5], [4, 4, 4, 4]])
    func endOfChain(parts: [Int]) throws {
        let file = try TrackEncoder(seconds: 32).encodeLongChain(parts)
        let reader = file.reader()
        _ = reader.read(enough: file.parts[0].format.sampleRate * 6)
        _ = reader.survey(isSoundDue: true)
        let (duration, last) = (try #require(reader.timeline?.duration.value), try #require(file.parts.last))
        #expect(abs((duration - last.duration) / .seconds(1)) > 1, "\(duration)")
    }

    /// Times and bytes map to each other.
    private func checkMap(_ map: any TrackTimeline, of file: TrackFile, hasTableBehind: Bool) throws {
        var last = Duration.zero
        for part in 1...15 {
            let offset = map.audioStart + (Int64(file.bytes.count) - map.audioStart) * Int64(part) / 16
            guard !hasTableBehind || offset < file.bytes.count - 9000 else { continue }
            let time = try #require(map.time(atByte: offset))
            #expect(time >= last && time <= file.duration)
            last = time
            let back = try #require(map.byte(atTime: time))
            // Tables and indexes have an entry for a packet, or for two seconds.
            #expect(abs(back - offset) < 12000 + Int64(file.bytes.count) / 16, "\(back), \(offset)")
        }
        #expect(last > file.duration * 0.6)
        let rate = try #require(map.byteRate(total: Int64(file.bytes.count), expected: nil))
        #expect(abs(rate * (file.duration / .seconds(1)) / Double(file.bytes.count) - 1) < 0.01)
        #expect(map.buffered(ByteRangeSet([0..<Int64(file.bytes.count)])).count == 1)
    }

    @Test("The content of a file is its format", arguments: TrackFileCase.allCases)
    func content(format: TrackFileCase) throws {
        let file = try format.file()
        #expect(TrackContent(of: MemoryByteSource(file.bytes)) == .audio(file.parts[0].format))
        #expect(TrackContent(of: MemoryByteSource(file.bytes, held: 30)) == .undecided)
        var search = TrackFormatSearch()
        #expect(search.step(MemoryByteSource(file.bytes)) == .found(.container(file.kind)))
    }

    @Test("The format of a complete chain is the highest one of its streams, unless sound is due")
    func contentOfChain() throws {
        let file = try TrackEncoder(seconds: 32).encodeLongChain([8, 2, 1, 5])
        let source = MemoryByteSource(file.bytes)
        let arriving = MemoryByteSource(file.bytes, held: file.bytes.count / 4)
        let first = AudioFormat(sampleRate: 44100, channels: 1)
        let highest = AudioFormat(sampleRate: 48000, channels: 1)
        #expect(TrackContent(of: source) == .audio(first))
        #expect(TrackContent(of: source, isSoundDue: false) == .audio(highest))
        #expect(TrackContent(of: arriving, isSoundDue: false) == .audio(first))
    }

    @Test("The title is read from the tags of the container", arguments: TrackFileCase.allCases)
    func title(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let hasTags = [.aac, .aacLast, .opus, .shortOpus, .longOpus, .flac, .flacTable, .oggFLAC, .chain]
            .contains(format)
        #expect(TrackMetadata.read(MemoryByteSource(file.bytes)).title == (hasTags ? TrackEncoder.title : nil))
    }

    @Test("A file that ends after a few packets of audio that cannot be played is not truncated")
    func shortUnplayable() {
        var adts = ADTSBuilder()
        adts.format.profile = 0
        adts.addFrames(2)
        var ogg = OggWriter(serial: 1)
        ogg.add(Array("Speex   ".utf8), granule: 0)
        ogg.flush()
        for (bytes, name) in [(adts.bytes, "AAC Main"), (ogg.bytes, "Speex in Ogg")] {
            let failure = MediaFailure(.badData, "this is \(name), which Earshot cannot play")
            #expect(TrackContent(of: MemoryByteSource(bytes)) == .unplayable(failure))
            #expect(TrackFormat.shortfall(of: MemoryByteSource(bytes)) == nil, "\(name)")
        }
    }

    @Test("A file that continues in a format that cannot be played has the stated duration, and ends with the reason")
    func unplayableContinuation() throws {
        let stream = try AACPackets(core: 48000, channels: 1, count: 94, seed: 9)
        var builder = MP4Builder(stream.packets.map(\.bytes))
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(48000, 1, .none)))
        builder.moreEntries = [BoxWriter.soundEntry("enca", [])]
        (builder.timescale, builder.edits, builder.descriptions) = (48000, nil, [10: 2])
        let reader = TrackFormat.container(.mp4).makeReader(MemoryByteSource(builder.build().bytes), TrackSection())
        _ = reader.read(enough: 1)
        for _ in 0..<2 { while reader.indexMore() {} }
        let stated = AudioFormat(sampleRate: 48_000, channels: 1).duration(ofFrames: 94 * 1024)
        #expect(reader.timeline?.duration == .declared(stated))
        reader.seek(to: .time(.zero))
        let reading = reader.read()
        let reason = "from 0:01 on, this is encrypted audio in MP4, which Earshot cannot play"
        #expect(reading.end == .failed(MediaFailure(.badData, reason)) && reading.frames == 70 * 1024)
        let again = reader.step()
        #expect(again == reading.end)
        reader.seek(to: .time(.seconds(1)))
        let rest = reader.read()
        #expect(rest.end == reading.end && rest.frames == 70 * 1024 - 48_000)
    }

    @Test("A complete file with a damaged index fails, unlike one of a format that cannot be played")
    func damagedIndex() {
        var builder = MP4Builder(MP4Builder.payloads(10))
        builder.tables.removeAll { $0 == "stco" }
        let source = MemoryByteSource(builder.build().bytes)
        let failure = MediaFailure(.badData, "the index of this MP4 file (moov) is incomplete or damaged")
        #expect(TrackContent(of: source) == .unplayable(failure))
        #expect(TrackFormat.shortfall(of: source) == failure)
    }

    @Test("A whole file without sound that Earshot plays is not damaged")
    func wholeUnplayable() {
        var video = MP4Builder(MP4Builder.payloads(10)).build().bytes
        video.replace(Array("soun".utf8), with: Array("vide".utf8))
        let writer = FLACWriter()
        var info = writer.streamInfo
        info.replaceSubrange(10..<13, with: [0, 0, 0x12])
        let cases: [(bytes: [UInt8], reason: String)] = [
            (video, "this MP4 file contains no audio"),
            (Self.ogg("\u{1}video", serial: 1), "the Ogg file contains no Opus, Vorbis or FLAC"),
            (writer.head(info) + writer.packets.joined(), "FLAC with a sample rate of 1 Hz is not supported"),
        ]
        for (bytes, reason) in cases {
            let content = TrackContent(of: MemoryByteSource(bytes))
            #expect(content == .unplayable(MediaFailure(.badData, reason)))
            #expect(TrackFormat.shortfall(of: MemoryByteSource(bytes)) == nil, "\(reason)")
        }
    }

    @Test("A damaged header of a codec is damage, also beside audio that cannot be played")
    func damagedHeader() {
        var mp4 = MP4Builder(MP4Builder.payloads(10))
        mp4.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds([0x12]))
        var speex = OggWriter(serial: 2)
        speex.add(Array("Speex   ".utf8), granule: 0)
        speex.flush()
        let cases: [(bytes: [UInt8], reason: String)] = [
            (mp4.build().bytes, "the AAC configuration is truncated"),
            (speex.bytes + Self.ogg("OpusHead", serial: 1), "the Opus header is damaged"),
        ]
        for (bytes, reason) in cases {
            let failure = MediaFailure(.badData, reason)
            #expect(TrackContent(of: MemoryByteSource(bytes)) == .unplayable(failure))
            #expect(TrackFormat.shortfall(of: MemoryByteSource(bytes)) == failure)
        }
    }

    /// Returns a stream of a first page with this packet and another page.
    private static func ogg(_ first: String, serial: UInt32) -> [UInt8] {
        var writer = OggWriter(serial: serial)
        for packet in [first, "sound"] {
            writer.add(Array(packet.utf8), granule: 0)
            writer.flush()
        }
        return writer.bytes
    }

    @Test("The lengths of a truncated file are rounded alike, with as many decimal places as they need to differ",
        arguments: [(1000, "32.00 of 32.02"), (10, "32.0000 of 32.0002"), (96_000, "32.0 of 34.0")]
            as [(Int64, String)])
    func lengths(missing: Int64, text: String) throws {
        let file = try TrackFileCase.flacTable.file()
        var bytes = file.bytes
        // The number of frames in STREAMINFO.
        bytes.replaceSubrange(22..<26, with: UInt32(file.parts[0].frames + missing).bigEndianBytes)
        let reason = "the file is damaged or truncated: it has \(text) seconds"
        #expect(TrackFormat.shortfall(of: MemoryByteSource(bytes)) == MediaFailure(.badData, reason))
    }

    @Test("A format that cannot be played is named", arguments: [("alac", "Apple Lossless"), ("ac-3", "AC-3")])
    func unplayable(type: String, name: String) {
        var builder = MP4Builder(MP4Builder.payloads(10))
        builder.entry = BoxWriter.soundEntry(type, [])
        let failure = MediaFailure(.badData, "this is \(name) in MP4, which Earshot cannot play")
        let source = MemoryByteSource(builder.build().bytes)
        #expect(TrackContent(of: source) == .unplayable(failure))
        #expect(TrackFormat.shortfall(of: source) == nil)
        #expect(TrackFormat.container(.mp4).makeReader(source).read().end == .failed(failure))
    }
}
