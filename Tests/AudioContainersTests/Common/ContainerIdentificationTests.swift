// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Container identification")
struct ContainerIdentificationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let head: [UInt8]
        let expected: ContainerIdentification

        init(_ name: String, _ head: [UInt8], _ expected: ContainerIdentification) {
            (testDescription, self.head, self.expected) = (name, head, expected)
        }
    }

    private static func box(_ type: String, _ size: UInt8 = 32) -> [UInt8] {
        [0, 0, 0, size] + Array(type.utf8) + [UInt8](repeating: 0, count: 60)
    }

    private static func adts(_ count: Int) -> [UInt8] {
        var builder = ADTSBuilder()
        builder.addFrames(count)
        return builder.bytes
    }

    /// Three packets of a transport stream.
    private static func packets(from start: Int, of length: Int) -> [UInt8] {
        let packet = [0x47] + [UInt8](repeating: 0x40, count: length - 1)
        return [UInt8](repeating: 0, count: start) + packet + packet + packet
    }

    /// Two frames of MPEG-1 Layer III, 128 kbit/s, 44100 Hz.
    private static let mp3: [UInt8] = {
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
        return frame + frame
    }()

    private static func unsupported(_ name: String) -> ContainerIdentification {
        .unsupported(MediaFailure(.badData, "this is \(name), which Earshot cannot play"))
    }

    static let cases: [Case] =
        ["ftyp", "moov", "moof", "styp", "mdat", "free", "skip", "wide"].map {
            Case("MP4 that begins with \($0)", box($0), .container(.mp4))
        } + [
            Case("a box of 3 bytes", box("ftyp", 3), .mpeg),
            Case("ADTS", adts(4), .container(.adts)),
            Case("one ADTS frame", adts(1), .mpeg),
            Case("ADTS that begins inside a frame", Array(adts(6).dropFirst(3)), .container(.adts)),
            Case("ADTS that begins inside a frame, and has only two more", Array(adts(3).dropFirst(3)), .mpeg),
            Case("MP3 before ADTS", mp3 + adts(6), .mpeg),
            Case("MP3 that begins inside a frame", Array(mp3.dropFirst(3)) + mp3, .mpeg),
            Case("Ogg", OpusStream().bytes, .container(.ogg)),
            Case("FLAC", FLACWriter().bytes, .container(.flac)),
            Case("FLAC after an ID3v2 tag", Tags.id3v2(500) + FLACWriter().bytes, .container(.flac)),
            Case("FLAC after two ID3v2 tags", Tags.id3v2(5) + Tags.id3v2(70) + FLACWriter().bytes, .container(.flac)),
            Case("ADTS after an ID3v2 tag", Tags.id3v2(100) + adts(4), .container(.adts)),
            Case("Ogg after an ID3v2 tag", Tags.id3v2(100) + OpusStream().bytes, .container(.ogg)),
            Case("WAV with MPEG audio", WaveWriter(tag: 0x55).bytes, .mpeg),
            Case(
                "WAV with MPEG audio after another chunk",
                WaveWriter(tag: 0x50, before: [("bext", [UInt8](repeating: 0, count: 602))]).bytes, .mpeg),
            Case("AVI", Array("RIFF".utf8) + [0, 0, 1, 0] + Array("AVI LIST".utf8) + box("hdrl"), .mpeg),
            Case("MP3", mp3, .mpeg),
            Case("MP3 after an ID3v2 tag", Tags.id3v2(300) + mp3, .mpeg),
            Case("MP3 after garbage", [1, 2, 3] + mp3, .mpeg),
            Case(
                "MP4 after an ID3v2 tag", Tags.id3v2(30) + box("ftyp"), unsupported("an MP4 file behind an ID3 tag")),
            Case("WAV after an ID3v2 tag", Tags.id3v2(100) + WaveWriter().bytes, .container(.wave)),
            Case("a tag that is longer than the file", Array(Tags.id3v2(90).prefix(60)), .undecided(at: 100)),
            Case("an empty file", [], .mpeg),
            Case("Matroska", [0x1A, 0x45, 0xDF, 0xA3] + box("webm"), unsupported("Matroska or WebM")),
            Case("MPEG-TS", packets(from: 0, of: 188), unsupported("MPEG-TS")),
            Case("MPEG-TS with time stamps", packets(from: 4, of: 192), unsupported("MPEG-TS")),
            Case("MPEG-PS", [0, 0, 1, 0xBA] + box("\u{0}\u{0}\u{0}\u{0}"), unsupported("MPEG-PS")),
            Case("AC-3", [0x0B, 0x77, 0, 0, 0x1E, 0x40] + box("ac-3"), unsupported("AC-3")),
            Case(
                "LATM", [0x56, 0xE0, 0x20] + Array(repeating: 1, count: 32) + [0x56, 0xE0, 0x20, 1] + box("latm"),
                unsupported("AAC in LATM")),
            Case("Enhanced AC-3", [0x0B, 0x77, 3, 0xFF, 0x3F, 0x85] + box("ec-3"), unsupported("AC-3")),
            Case("MIDI", Array("MThd".utf8) + box("MTrk"), unsupported("MIDI")),
            Case("MP3 after an accidental sync byte", [0x47] + mp3, .mpeg),
            Case("CAF", Array("caff".utf8) + box("desc"), unsupported("CAF")),
        ]
        + WaveWriter.Kind.allCases.map { Case("WAV, \($0)", WaveWriter(kind: $0).bytes, .container(.wave)) }

    @Test("The first bytes identify the parser", arguments: cases)
    func identification(of file: Case) {
        #expect(ContainerIdentification(file.head, isComplete: true) == file.expected)
    }

    @Test("Fewer bytes give the same answer or none", arguments: cases)
    func prefixes(of file: Case) {
        for count in 0..<min(file.head.count, 3000) {
            let found = ContainerIdentification(Array(file.head.prefix(count)))
            if case .undecided = found { continue }
            // A tag is skipped when all of it is there; one ADTS frame may be the first of several.
            #expect(found == file.expected, "\(count) bytes")
        }
    }

    @Test("The bytes after a long tag are requested and identified")
    func longTag() {
        let tag = Tags.id3v2(100_000)
        let head = Array(tag.prefix(ContainerIdentification.prefixLength))
        #expect(ContainerIdentification(head) == .undecided(at: Int64(tag.count)))
        let after = FLACWriter().bytes
        #expect(ContainerIdentification(after, at: Int64(tag.count)) == .container(.flac))
        #expect(ContainerIdentification(Self.mp3, at: Int64(tag.count)) == .mpeg)
        #expect(ContainerIdentification([], at: Int64(tag.count), isComplete: true) == .mpeg)
    }

    @Test("Each kind has its parser", arguments: ContainerKind.allCases)
    func parser(of kind: ContainerKind) {
        let parser = kind.makeParser()
        #expect(parser.readOffset == 0)
        #expect(!parser.isDone)
    }
}
