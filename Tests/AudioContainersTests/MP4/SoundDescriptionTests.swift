// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4 sound descriptions")
struct SoundDescriptionTests {
    typealias Writer = BoxWriter
    private static let esds = Writer.esds([0x12, 0x10])
    private static let wave = Writer.box(
        "wave",
        Writer.box("frma", Writer.type("mp4a")) + Writer.box("mp4a", Writer.u32(0)) + esds + Writer.u32(8)
            + Writer.u32(0))

    private func description(_ entry: [UInt8], version: Int = 0) -> SoundDescription {
        SoundDescription.list(Writer.stsd(entry, version: version).dropFirst(8))[0]
    }

    @Test(
        "AAC is found in the descriptions of MP4 and of QuickTime versions 0 to 2",
        arguments: [
            (0, 0, esds), (1, 0, esds), (1, 0, wave), (2, 0, esds), (2, 0, wave), (0, 0, wave),
            (0, 1, Writer.box("srat", Writer.u32(0)) + esds), (0, 0, Writer.box("btrt", Writer.u32(0)) + esds),
        ])
    func aac(entryVersion: Int, version: Int, boxes: [UInt8]) throws {
        let expected = SoundDescription.audio(.aac(try AACConfig(audioSpecificConfig: [0x12, 0x10])))
        #expect(description(Writer.soundEntry("mp4a", version: entryVersion, boxes), version: version) == expected)
    }

    @Test("MP4's version 1 of an entry has no more fields than version 0")
    func version1() throws {
        var entry = Writer.soundEntry("mp4a", Self.esds)
        entry[17] = 1
        #expect(description(entry, version: 1) == .audio(.aac(try AACConfig(audioSpecificConfig: [0x12, 0x10]))))
    }

    @Test("Descriptors with short lengths and optional fields are read")
    func descriptors() throws {
        let decoder: [UInt8] = [4, 17, 0x40, 0x15] + [UInt8](repeating: 0, count: 11) + [5, 2, 0x12, 0x10]
        // A dependency, an address of 3 bytes and a clock reference.
        let stream: [UInt8] = [0, 1, 0xE0, 0, 9, 3, 65, 66, 67, 0, 8] + decoder
        let esds = Writer.full("esds", [3, UInt8(stream.count)] + stream)
        #expect(
            description(Writer.soundEntry("mp4a", esds))
                == .audio(.aac(try AACConfig(audioSpecificConfig: [0x12, 0x10]))))
    }

    @Test("MPEG-2 AAC LC is AAC", arguments: [0x66, 0x67, 0x68])
    func mpeg2(type: Int) throws {
        let entry = Writer.soundEntry("mp4a", Writer.esds(objectType: type, [0x12, 0x10]))
        #expect(description(entry) == .audio(.aac(try AACConfig(audioSpecificConfig: [0x12, 0x10]))))
    }

    @Test("AAC without a configuration has the rate and the channels of its description", arguments: [0x40, 0x67])
    func missingConfig(type: Int) throws {
        var entry = Writer.soundEntry("mp4a", Writer.esds(objectType: type, []))
        #expect(description(entry) == .unconfigured(try AACConfig(audioSpecificConfig: [0x12, 0x10])))
        // One channel, 22050 Hz.
        entry.replaceSubrange(24..<26, with: Writer.u16(1))
        entry.replaceSubrange(32..<34, with: Writer.u16(22050))
        #expect(description(entry) == .unconfigured(try AACConfig(audioSpecificConfig: [0x13, 0x88])))
        entry.replaceSubrange(32..<34, with: Writer.u16(22051))
        #expect(description(entry) == .rejected(.unplayable("AAC without its configuration in MP4")))
    }

    @Test("AAC without a configuration plays unless its packets last as long as those of HE-AAC")
    func missingConfigOfHEAAC() {
        let entry = Writer.soundEntry("mp4a", Writer.esds([]))
        let refusal = "this is HE-AAC without its configuration in MP4, which Earshot cannot play"
        // A delay lengthens the first packet of the last case.
        let cases: [(Int, Int, String?)] = [(1024, 1024, nil), (2048, 2048, refusal), (2048, 1024, nil)]
        for (first, duration, reason) in cases {
            let whole = MP4Case("table") { ($0.entry, $0.times) = (entry, [(1, first), (39, duration)]) }
            let fragments = MP4Case(fragmented: "fragments") {
                $0.entry = entry
                $0.durations = Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, $0 == 0 ? first : duration) })
                $0.packetsPerFragment = first == duration ? 5 : 1
            }
            for file in [whole, fragments] {
                let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
                #expect(outcome.failure == reason, "\(file.testDescription)")
                #expect(outcome.payloads == (reason == nil ? file.payloads : []), "\(file.testDescription)")
            }
        }
    }

    @Test("Opus is read from dOps")
    func opus() throws {
        let box = Writer.box("dOps", [0, 2] + Writer.u16(312) + Writer.u32(44100) + [0xFF, 0x00, 0])
        let head = try OpusHead(
            Array("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x44, 0xAC, 0, 0, 0x00, 0xFF, 0])
        #expect(head.preSkip == 312)
        #expect(head.outputGain == -256)
        #expect(description(Writer.soundEntry("Opus", box)) == .audio(.opus(head)))
        let surround = Writer.box("dOps", [0, 6, 1, 56] + Writer.u32(48000) + [0, 0, 1, 4, 2, 0, 4, 1, 2, 3, 5])
        guard case .audio(.opus(let six)) = description(Writer.soundEntry("Opus", surround)) else {
            Issue.record("no Opus")
            return
        }
        #expect([six.streams, six.coupledStreams] == [4, 2])
        #expect(six.mapping == [0, 4, 1, 2, 3, 5])
    }

    @Test(
        "The sample rate in dOps shows that its fields are in the byte order of Ogg",
        arguments: [8000, 44100, 48000, 96000] as [UInt32])
    func littleEndianOpus(rate: UInt32) throws {
        let fields = [0x38, 0x01] + rate.littleEndianBytes + [0x00, 0xFA, 0]
        let head = try OpusHead(Array("OpusHead".utf8) + [1, 2] + fields)
        #expect(head.preSkip == 312)
        #expect(head.outputGain == -1536)
        #expect(description(Writer.soundEntry("Opus", Writer.box("dOps", [0, 2] + fields))) == .audio(.opus(head)))
    }

    @Test("dOps without a sample rate is big-endian")
    func opusWithoutRate() {
        let box = Writer.box("dOps", [0, 2] + Writer.u16(312) + Writer.u32(0) + [0, 0, 0])
        guard case .audio(.opus(let head)) = description(Writer.soundEntry("Opus", box)) else {
            Issue.record("no Opus")
            return
        }
        #expect(head.preSkip == 312)
    }

    @Test("FLAC is read from dfLa")
    func flac() throws {
        let info: [UInt8] =
            [0x12, 0, 0x12, 0, 0, 4, 0x87, 0, 5, 8, 0x0A, 0xC4, 0x42, 0xF0, 0, 0x2F, 0x1A, 0x98]
            + [UInt8](repeating: 9, count: 16)
        let box = Writer.full("dfLa", [0x80, 0, 0, 34] + info)
        let stream = try FLACStreamInfo(info)
        #expect(stream.sampleRate == 44100)
        #expect(stream.channels == 2)
        #expect(stream.bitsPerSample == 16)
        #expect(stream.frames == 3_087_000)
        #expect(description(Writer.soundEntry("fLaC", box)) == .audio(.flac(stream)))
    }

    @Test(
        "Other codecs are rejected by their name",
        arguments: [
            ("alac", "Apple Lossless"), ("ac-3", "AC-3"), ("ec-3", "E-AC-3"), (".mp3", "MP3"), ("samr", "AMR"),
            ("enca", "encrypted audio"), ("mhm1", "MPEG-H audio"), ("sowt", "PCM"), ("abcd", "the codec \"abcd\""),
        ])
    func unsupported(type: String, name: String) {
        #expect(description(Writer.soundEntry(type, [])) == .rejected(.unplayable("\(name) in MP4")))
    }

    @Test(
        "Other codecs in MPEG-4's description are rejected by their name",
        arguments: [
            (0x6B, [UInt8]([0x12, 0x10]), "this is MP3 in MP4, which Earshot cannot play"),
            (0xA5, [0x12, 0x10], "this is AC-3 in MP4, which Earshot cannot play"),
            (0xDD, [], "this is Vorbis in MP4, which Earshot cannot play"),
            (0x40, [0xF9, 0x48, 0x40], "this is xHE-AAC, which Earshot cannot play"),
            (0x99, [], "this is MPEG-4 audio of object type indication 153, which Earshot cannot play"),
        ])
    func unsupported(objectType: Int, config: [UInt8], reason: String) {
        let entry = Writer.soundEntry("mp4a", Writer.esds(objectType: objectType, config))
        #expect(description(entry) == .rejected(MediaFailure(.badData, reason)))
    }

    @Test("A damaged description is reported before audio that Earshot cannot play")
    func damaged() {
        let entry = Writer.soundEntry("mp4a", Writer.esds([0x12]))
        let failure = MediaFailure(.badData, "the AAC configuration is truncated")
        #expect(description(entry) == .damaged(failure))
        #expect(description(Writer.soundEntry("fLaC", [])) == .damaged(FLACStreamInfo.damaged.failure))
        #expect(SoundDescription.list([]) == [.damaged(MovieBox.damaged)])
        var (refused, broken) = (TrackBox(), TrackBox())
        (refused.handler, broken.handler) = ("soun", "soun")
        refused.descriptions = [description(Writer.soundEntry("ac-3", []))]
        broken.descriptions = [description(entry)]
        var movie = MovieBox()
        (movie.tracks, movie.trackCount) = ([refused], 1)
        #expect(movie.damage == nil && movie.rejection == .unplayable("AC-3 in MP4"))
        movie.tracks.append(broken)
        #expect(movie.damage == failure)
    }

    @Test("A description cut at any byte is rejected or complete")
    func cut() throws {
        let config = try AACConfig(audioSpecificConfig: [0x12, 0x10])
        let bytes = Writer.stsd(Writer.soundEntry("mp4a", version: 1, Self.wave)).dropFirst(8)
        for count in 0..<bytes.count {
            if case .audio(let codec) = SoundDescription.list(bytes.prefix(count))[0] {
                #expect(codec == .aac(config))
            }
        }
    }

    @Test("The sentence of a failure names the codec")
    func sentence() {
        let file = MP4Case("xHE-AAC") { $0.entry = Writer.soundEntry("mp4a", Writer.esds([0xF9, 0x48, 0x40])) }
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.failure == "this is xHE-AAC, which Earshot cannot play")
        #expect(outcome.packets.isEmpty)
    }

    @Test("A configuration that the decoder found changes the track and its frames")
    func implicitTools() throws {
        let file = MP4Case("implicit SBR") {
            ($0.entry, $0.timescale) = (Writer.soundEntry("mp4a", Writer.esds([0x13, 0x90])), 22050)
        }
        let plain = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(plain.tracks.first?.format.sampleRate == 22050)
        let found = try AACConfig(audioSpecificConfig: [0x13, 0x90]).withImplicitSBR
        let doubled = MP4Driver.outcome(MP4Parser(assuming: found), file.bytes)
        #expect(doubled.tracks.first?.format.sampleRate == 44100)
        #expect(doubled.packets.map(\.frame) == (0..<40).map { $0 * 2048 })
        #expect(doubled.tracks.first?.start == Int64((1024 + 481) * 2))
    }

    @Test("A timescale of twice the core's rate shows SBR")
    func doubledTimescale() {
        let file = MP4Case("implicit SBR") {
            ($0.entry, $0.timescale) = (Writer.soundEntry("mp4a", Writer.esds([0x13, 0x90])), 44100)
            $0.times = [($0.payloads.count, 2048)]
        }
        let track = MP4Driver.outcome(MP4Parser(), file.bytes).tracks.first
        #expect(track?.format.sampleRate == 44100)
        #expect(track?.start == 1024)
    }

    private static let otherEntries: [([UInt8], String)] = [
        (
            Writer.soundEntry("mp4a", Writer.esds([0x13, 0x90])),
            "from 0:34 on, this is a second format in one MP4 file, which Earshot cannot play"
        ),
        (Writer.soundEntry("enca", esds), "from 0:34 on, this is encrypted audio in MP4, which Earshot cannot play"),
    ]

    @Test("The packets end before those of a description that the decoder cannot decode", arguments: otherEntries)
    func otherFormat(entry: [UInt8], reason: String) {
        let whole = MP4Case("chunks", count: 3000) {
            ($0.chunkLengths, $0.moreEntries, $0.descriptions) = ([1500], [entry], [1: 2])
        }
        let fragments = MP4Case(fragmented: "fragments", count: 3000) {
            ($0.packetsPerFragment, $0.packetsPerRun) = (1500, 1500)
            ($0.moreEntries, $0.descriptions) = ([entry], [1: 2])
        }
        for file in [whole, fragments] {
            let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
            #expect(outcome.failure == reason, "\(file.testDescription)")
            #expect(outcome.payloads == Array(file.payloads[..<1500]), "\(file.testDescription)")
        }
    }

    @Test("A seek into chunks of another format fails without a time, and one back to the track succeeds")
    func seek() {
        let file = MP4Case("chunks") {
            ($0.moreEntries, $0.descriptions) = ([Self.otherEntries[0].0], [3: 2, 4: 2, 5: 2])
        }
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 1)
        let hasSought = driver.parser.seek(to: 30 * 1024)
        driver.run()
        #expect(hasSought && driver.outcome.packets.count == 1)
        #expect(driver.outcome.failure == "this is a second format in one MP4 file, which Earshot cannot play")
        let hasReturned = driver.parser.seek(to: 10 * 1024)
        driver.run(packets: 5)
        #expect(hasReturned && Array(driver.outcome.payloads[1...]) == Array(file.payloads[9..<13]))
    }

    @Test("Packets of an equal description, and those that name a missing one, belong to the track", arguments: [2, 9])
    func equalDescription(number: Int) {
        let entry = Writer.soundEntry("mp4a", Writer.box("btrt", Writer.u32(0)) + Self.esds)
        let whole = MP4Case("chunks") { ($0.moreEntries, $0.descriptions) = ([entry], [3: number]) }
        let fragments = MP4Case(fragmented: "fragments") {
            ($0.moreEntries, $0.descriptions) = ([entry], [3: number])
        }
        for file in [whole, fragments] {
            let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
            #expect(outcome.failure == nil && outcome.payloads == file.payloads, "\(file.testDescription)")
        }
    }

    @Test("The track has the format of its first packet")
    func firstDescription() {
        let (other, entry) = (Self.otherEntries[1].0, Writer.soundEntry("mp4a", Self.esds))
        let whole = MP4Case("chunks") {
            ($0.entry, $0.moreEntries, $0.chunkLengths, $0.descriptions) = (other, [entry], [1000], [0: 2])
        }
        let fragments = [false, true].map { hasDefaultsFirst in
            MP4Case(fragmented: "fragments, defaults first: \(hasDefaultsFirst)") {
                ($0.entry, $0.moreEntries, $0.defaultDescription) = (other, [entry], 2)
                $0.hasDefaultsFirst = hasDefaultsFirst
            }
        }
        for file in [whole] + fragments {
            let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
            #expect(outcome.failure == nil && outcome.payloads == file.payloads, "\(file.testDescription)")
        }
    }
}
