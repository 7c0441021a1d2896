// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Damaged and truncated tracks")
struct DamageTests {
    /// Reads a file and checks what holds for any file: the reading ends, and the length is that of the frames.
    private func read(_ file: TrackFile, _ bytes: [UInt8]) throws -> (reading: Reading, reader: any TrackReader) {
        let reader = file.reader(MemoryByteSource(bytes))
        let reading = reader.read(steps: 20_000)
        let end = try #require(reading.end, "the reader does not come to an end")
        #expect(end != .progressed && end != .notYetAvailable)
        if end == .ended, let map = reader.timeline, reading.frames > 0 {
            let format = map.maximumFormat
            let played = reading.runs.reduce(Duration.zero) { $0 + $1.format.duration(ofFrames: Int64($1.frames)) }
            let length = try #require(map.duration.value)
            #expect(length >= played - format.duration(ofFrames: 1) || reading.runs.count > 1, "\(length), \(played)")
            #expect(length <= file.duration * 3)
        }
        return (reading, reader)
    }

    /// Returns true if frames that equal those of the intact file stand at their place.
    private func isInPlace(_ reading: Reading, of file: TrackFile) -> Bool {
        file.matches(reading, from: .zero, .bits)
    }

    @Test("A fragmented file that ends inside a fragment is truncated")
    func cutFragment() throws {
        let file = try TrackFileCase.aacFragments.shortFile()
        for count in [file.bytes.count - 1, file.bytes.count * 9 / 10] {
            let (reading, reader) = try read(file, Array(file.bytes[..<count]))
            #expect(reading.end == .ended && reading.frames > 0)
            #expect(reader.timeline?.shortfall != nil)
        }
        #expect(try read(file, file.bytes).reader.timeline?.shortfall == nil)
    }

    @Test("A file that ends before its first packet, perhaps inside its index, is truncated",
        arguments: [(TrackFileCase.aac, "mvhd"), (.aacLast, "mvhd"), (.aacFragments, "moof"), (.opus, "OpusTags")])
    func cutBeforeSound(format: TrackFileCase, mark: String) throws {
        let bytes = try format.shortFile().bytes
        let cut = try #require(bytes.indices.first { bytes[$0...].starts(with: mark.utf8) })
        #expect(TrackFormat.shortfall(of: MemoryByteSource(Array(bytes[..<cut]))) != nil)
        #expect(TrackFormat.shortfall(of: MemoryByteSource(bytes)) == nil)
    }

    @Test("PCM that is shorter than its header declares is truncated, also after a start near its end",
        arguments: [TrackFileCase.wave, .rf64, .wave64, .aiff], [0, 0.45])
    func cutPCM(format: TrackFileCase, start: Double) throws {
        let file = try format.file()
        let cut = MemoryByteSource(Array(file.bytes[..<(file.bytes.count / 2)]))
        for source in [cut, MemoryByteSource(file.bytes)] {
            let reader = file.reader(source, TrackSection(start: .time(file.duration * start)))
            #expect(reader.read().end == .ended)
            #expect((reader.timeline?.shortfall != nil) == (source === cut))
        }
    }

    @Test("A file that is cut off is truncated also after a start behind its middle",
        arguments: [TrackFileCase.aac, .aacFragments, .heAAC, .opus, .vorbis, .flacTable, .oggFLAC, .opusInMP4],
        [0, 0.4])
    func cutBehindStart(format: TrackFileCase, start: Double) throws {
        let file = try format.file()
        let cut = MemoryByteSource(Array(file.bytes[..<(file.bytes.count * 3 / 5 + 1)]))
        for source in [cut, MemoryByteSource(file.bytes)] {
            let reader = file.reader(source, TrackSection(start: .time(file.duration * start)))
            #expect(reader.read().end == .ended)
            #expect((reader.timeline?.shortfall != nil) == (source === cut))
        }
    }

    @Test("A target whose bytes a truncated file lacks leads to its last packet, so that both lengths are known",
        arguments: [TrackFileCase.aac, .opusInMP4, .flacTable, .wave])
    func targetBehindCut(format: TrackFileCase) throws {
        let file = try format.file()
        let cut = MemoryByteSource(Array(file.bytes[..<(file.bytes.count * 2 / 5)]))
        let reader = file.reader(cut, TrackSection(start: .time(file.duration * 0.7)))
        let reading = reader.read()
        #expect(reading.end == .ended && reading.frames == 0 && reader.isBeyondEnd)
        let reason = reader.timeline?.shortfall?.reason ?? ""
        #expect(reason.hasPrefix("the file is damaged or truncated: it has "), "\(reason)")
        reader.seek(to: .time(file.duration * 0.2))
        #expect(file.matches(reader.read(enough: 3000), from: file.duration * 0.2))
    }

    @Test("A seek table whose offsets lie beyond the end of the file is ignored")
    func tableBeyondEnd() throws {
        let file = try TrackFileCase.flacTable.file()
        var (bytes, block) = (file.bytes, 4)
        func length() -> Int { bytes[block + 1..<block + 4].reduce(0) { $0 << 8 | Int($1) } }
        while bytes[block] & 0x7F != 3 { block += 4 + length() }
        // Each point has a frame, an offset and a number of frames.
        for point in stride(from: block + 4, to: block + 4 + length(), by: 18) { bytes[point + 10] = 1 }
        let reader = file.reader(MemoryByteSource(bytes))
        reader.seek(to: .time(.seconds(20)))
        let reading = reader.read(enough: 3000)
        #expect(file.matches(reading, from: .seconds(20)), "\(reading.place)")
    }

    @Test("After a fragment that states an impossible size, the next fragment plays", arguments: [0, 3])
    func impossibleSize(number: Int) throws {
        let file = try TrackFileCase.aacFragments.file()
        var bytes = file.bytes
        let runs = bytes.indices.dropLast(4).filter { Array(bytes[$0..<$0 + 4]) == Array("trun".utf8) }
        // The second byte of the size in the sixth entry, each of which has a duration and a size.
        bytes[runs[number] + 20 + 5 * 8 + 5] = 0x20
        let (reading, reader) = try read(file, bytes)
        #expect(reading.end == .ended && reader.damage != nil)
        let frames = Int(file.parts[0].frames)
        #expect(frames - 94 * 1024..<frames ~= reading.frames, "\(reading.frames) of \(frames)")
        let end = 2 * 1024 * 1000
        #expect(identical(reading.samples.suffix(end), file.parts[0].samples.suffix(end)))
        #expect(reader.timeline?.duration == .exact(file.duration))
    }

    @Test(
        "An MP4 file of one or more parts whose times were copied from Matroska, in milliseconds, is intact",
        arguments: [1, 10])
    func copiedTimes(parts: Int) throws {
        let stream = try OpusEncoding(TestProgramme(sampleRate: 48000, channels: 1, seconds: 2))
        let fields = [0, 1, 1, 56] + BoxWriter.u32(48000) + [0, 0, 0]
        var builder = MP4Builder(stream.packets.map(\.bytes))
        (builder.entry, builder.timescale) = (BoxWriter.soundEntry("Opus", BoxWriter.box("dOps", fields)), 48000)
        // The first time of each part is −6.5 ms, rounded to −7.
        let (length, rest) = stream.packets.count.quotientAndRemainder(dividingBy: parts)
        builder.times = (0..<parts).flatMap { part -> [(count: Int, duration: Int)] in
            [(1, 1008), (length - 1 + (part == 0 ? rest : 0), 960)]
        }
        builder.edits = nil
        let part = try TrackFile.Part(.opus(stream.head), stream.head.format, stream.packets, start: 312)
        let file = TrackFile(.mp4, builder.build().bytes, part)
        let (reading, reader) = try read(file, file.bytes)
        #expect(file.isWhole(reading))
        #expect(reader.damage == nil && reader.timeline?.shortfall == nil)
        #expect(TrackFormat.statedEnd(of: MemoryByteSource(file.bytes)) == .reached)
    }

    @Test("Fragments of Opus that state a lost packet are not truncated")
    func lossInFragments() throws {
        let stream = try OpusEncoding(TestProgramme(sampleRate: 48000, channels: 1, seconds: 2))
        let fields = [0, 1, 1, 56] + BoxWriter.u32(48000) + [0, 0, 0]
        var builder = FragmentBuilder(stream.packets.map(\.bytes))
        (builder.entry, builder.timescale) = (BoxWriter.soundEntry("Opus", BoxWriter.box("dOps", fields)), 48000)
        for packet in stream.packets.indices { builder.durations[packet] = packet == 30 ? 1920 : 960 }
        // The index states the sum of the durations.
        (builder.hasSegmentIndex, builder.edits) = (true, nil)
        #expect(TrackFormat.shortfall(of: MemoryByteSource(builder.build().bytes)) == nil)
    }

    @Test("Damage in the first packets is reported, too")
    func damagedStart() throws {
        let file = try TrackFileCase.opus.shortFile()
        var bytes = file.bytes
        // The third page is the first one with sound.
        let pages = bytes.indices.dropLast(4).filter { Array(bytes[$0..<$0 + 4]) == Array("OggS".utf8) }
        bytes[pages[2] + 40] ^= 1
        #expect(try read(file, bytes).reader.damage != nil)
        #expect(try read(file, file.bytes).reader.damage == nil)
    }

    @Test("The complete packets of a truncated file play, and its length is honest", arguments: TrackFileCase.allCases)
    func truncations(format: TrackFileCase) throws {
        let file = try format.shortFile()
        var random = SeededGenerator(seed: 17)
        for number in 0..<LongTests.size(20, inFull: 40) {
            let count = number == 0 ? 0 : Int.random(in: 0..<file.bytes.count, using: &random)
            let (reading, reader) = try read(file, Array(file.bytes[..<count]))
            guard reading.frames > 0 else {
                #expect(reading.end != .progressed)
                continue
            }
            // Behind the sound, iTunSMPB states the frames to drop.
            guard format != .aacLast || count > file.bytes.count - 9 else { continue }
            #expect(isInPlace(reading, of: file), "\(count) of \(file.bytes.count): \(reading.place)")
            #expect(reading.frames <= file.parts.reduce(0) { $0 + Int($1.frames) })
            let isShort = reading.frames < file.parts.reduce(0) { $0 + Int($1.frames) }
            let map = try #require(reader.timeline)
            // Fragments and ADTS do not state where they end, nor does FLAC without a length.
            let statesEnd = ![.aacFragments, .adts, .heADTS, .flac].contains(format)
            // A header may count its own bytes.
            let isWithinError = file.kind == .wave && count + 2048 > file.bytes.count
            let isNoticed = map.shortfall != nil || reader.damage != nil || isWithinError
            if isShort, statesEnd { #expect(isNoticed, "\(count) of \(file.bytes.count)") }
            guard reading.end == .ended, file.parts.count == 1 else { continue }
            #expect(map.duration == .exact(file.parts[0].format.duration(ofFrames: Int64(reading.frames))))
        }
    }

    @Test("A damaged byte is heard at most around its place", arguments: TrackFileCase.allCases)
    func damages(format: TrackFileCase) throws {
        let file = try format.shortFile()
        var random = SeededGenerator(seed: 23)
        var (intact, near) = (0, 0)
        // A short run of damages has a wider spread.
        let (count, least) = LongTests.size((50, 20), inFull: (200, 100))
        for _ in 0..<count {
            var bytes = file.bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            let (reading, _) = try read(file, bytes)
            let (found, wanted) = (reading.runs.first?.samples ?? [], file.parts[0].samples)
            guard reading.isUnbroken, found.count == wanted.count else { continue }
            intact += 1
            if damagedFrames(found, wanted) < file.parts[0].format.sampleRate * 7 / 10 { near += 1 }
        }
        // SBR never returns to the same noise.
        let isBounded = file.accuracy != .spectrum(1)
        #expect(intact > least && (near > least || !isBounded), "\(intact), \(near)")
    }

    @Test(
        "Behind a damaged page or frame, the sound goes on at its exact place and time",
        arguments: [TrackFileCase.opus, .shortOpus, .vorbis, .flac, .flacTable, .oggFLAC, .aac, .opusInMP4, .wave])
    func place(format: TrackFileCase) throws {
        let file = try format.file()
        var bytes = file.bytes
        let middle = bytes.count / 2
        for offset in 0..<40 { bytes[middle + offset] ^= 0x55 }
        let reader = file.reader(MemoryByteSource(bytes))

        let reading = reader.read()

        let part = file.parts[0]
        let run = try #require(reading.runs.first)
        #expect(reading.end == .ended && reading.isUnbroken && run.start == 0)
        #expect(reading.frames == Int(part.frames))
        let extent = damagedFrames(run.samples, part.samples)
        #expect(extent > 0 && extent < 4 * part.format.sampleRate, "\(extent)")
        // The bytes of these packets have no checksum.
        let isCertain = ![.aac, .opusInMP4, .wave].contains(format)
        #expect((reader.damage != nil) == isCertain)
        #expect(reader.timeline?.duration == .exact(file.duration) && reader.timeline?.shortfall == nil)
    }

    /// Returns the number of frames from the first different sample to the last one, of mono sounds of one length.
    private func damagedFrames(_ found: [Float], _ wanted: [Float]) -> Int {
        let range = 0..<found.count
        let front = range.partitioningIndex { !identical(found[..<($0 + 1)], wanted[..<($0 + 1)]) }
        let back = range.partitioningIndex { identical(found[$0...], wanted[$0...]) }
        return max(0, back - front)
    }
}
