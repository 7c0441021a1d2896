// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// A generated file for the tests that apply to every file.
struct StreamCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stream: MP3Builder

    init(_ name: String, _ format: MP3Builder.Format = .init(), _ build: (inout MP3Builder) -> Void) {
        var stream = MP3Builder(format)
        build(&stream)
        testDescription = name
        self.stream = stream
    }

    static let all = formats + tags + trouble

    /// Every version and layer, mono with a check word and stereo without.
    static let formats: [StreamCase] = MP3Builder.Format.Version.allCases.flatMap { version in
        (1...3).flatMap { layer in
            [false, true].map { isMono in
                let rate = version == .mpeg1 ? 48000 : version == .mpeg2 ? 24000 : 12000
                let format = MP3Builder.Format(
                    version, layer: layer, sampleRate: rate, kilobits: 64, isMono: isMono, hasCRC: isMono)
                return StreamCase("\(version) layer \(layer) \(isMono ? "mono" : "stereo")", format) {
                    $0.addFrames(5)
                    $0.addFrames(2, padded: true)
                }
            }
        }
    }

    static let tags: [StreamCase] = [
        StreamCase("VBR") { $0.addFrames(24, kilobits: [32, 320, 64, 128]) },
        StreamCase("ID3v2 at the start, ID3v1 at the end") {
            $0.addID3v2(padding: 2000)
            $0.addFrames(6)
            $0.addID3v1()
        },
        StreamCase("ID3v2 with iTunSMPB after a picture") {
            $0.addID3v2(
                MP3Builder.id3Frame("APIC", [UInt8](repeating: 0xFF, count: 3000))
                    + MP3Builder.iTunSMPB(delay: 528, padding: 948, frames: 5436))
            $0.addFrames(6)
        },
        StreamCase("ID3v2 in the middle") {
            $0.addFrames(4)
            $0.addID3v2(padding: 300)
            $0.addFrames(4)
        },
        StreamCase("ID3v2 appended with a footer") {
            $0.addFrames(4)
            $0.addID3v2(padding: 100, hasFooter: true)
        },
        StreamCase("APE 2, then ID3v1") {
            $0.addFrames(4)
            $0.addAPE(version: 2, itemBytes: 150)
            $0.addID3v1()
        },
        StreamCase("APE 1") {
            $0.addFrames(4)
            $0.addAPE(version: 1, itemBytes: 150)
        },
        StreamCase("Lyrics3 version 1, then ID3v1") {
            $0.addFrames(4)
            $0.addLyrics3(version: 1, text: 400)
            $0.addID3v1()
        },
        StreamCase("Lyrics3 version 2") {
            $0.addFrames(4)
            $0.addLyrics3(version: 2, text: 400)
        },
        StreamCase("Xing with a LAME tag") {
            $0.addXing(frames: 8, bytes: 3753, encoder: "LAME3.100")
            $0.addFrames(8)
        },
        StreamCase("Info with a CRC", .init(hasCRC: true)) {
            $0.addXing(isInfo: true, frames: 8)
            $0.addFrames(8)
        },
        StreamCase("VBRI") {
            $0.addVBRI(frames: 8, bytes: 3753, entries: [1668, 1668], packetsPerEntry: 4)
            $0.addFrames(8)
        },
    ]

    static let trouble: [StreamCase] = [
        StreamCase("one frame") { $0.addFrames(1) },
        StreamCase("one frame, then ID3v1") {
            $0.addFrames(1)
            $0.addID3v1()
        },
        StreamCase("two frames") { $0.addFrames(2) },
        StreamCase("free format", .init(freeFormatLength: 700)) {
            $0.addFrames(6)
            $0.addFrames(2, padded: true)
        },
        StreamCase("free format in Layer I", .init(layer: 1, freeFormatLength: 200)) {
            $0.addFrames(6)
            $0.addFrames(2, padded: true)
        },
        StreamCase("garbage at the start") {
            $0.addGarbage(500)
            $0.addFrames(5)
        },
        StreamCase("garbage in the middle") {
            $0.addFrames(5)
            $0.addGarbage(999)
            $0.addFrames(5)
        },
        StreamCase("a lone header of another format in the middle") {
            $0.addFrames(5)
            $0.addBytes([0xFF, 0xF3, 0x40, 0xC4])
            $0.addGarbage(99)
            $0.addFrames(5)
        },
        StreamCase("two concatenated files of different formats") {
            $0.addFrames(5)
            $0.format = .init(.mpeg2, sampleRate: 22050, kilobits: 64, isMono: true)
            $0.addXing(frames: 5)
            $0.addFrames(5)
        },
        StreamCase("three extra bytes") {
            $0.addFrames(5)
            $0.addBytes([0xFF, 0xFB, 0x90])
        },
    ]
}
