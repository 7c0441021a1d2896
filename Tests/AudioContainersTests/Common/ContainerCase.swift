// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

/// A generated file for the tests that apply to every container.
struct ContainerCase: Sendable, CustomTestStringConvertible {
    enum Kind: Sendable, CaseIterable { case ogg, flac, wav, mp4, adts }

    let testDescription: String
    let kind: Kind
    let bytes: [UInt8]
    /// True if packets have checksums, so that damage is found.
    let isChecked: Bool
    var isFragmented: Bool { testDescription == "MP4 in fragments" }

    private init(_ name: String, _ kind: Kind, _ bytes: [UInt8]) {
        (testDescription, self.kind, self.bytes, isChecked) = (name, kind, bytes, kind == .ogg || kind == .flac)
    }

    static let all = ogg + flac + wav + mp4 + adts

    static let ogg: [ContainerCase] = [
        ContainerCase("Opus", .ogg, OpusStream(endTrim: 500).bytes),
        ContainerCase(
            "Opus of all durations, continued over pages", .ogg,
            OpusStream(
                packets: (0..<32).flatMap { [($0, 1), ($0, 2)] }.filter { OpusStream.frames($0.0, $0.1) <= 5760 },
                packetsPerPage: 100, packetLength: 300, segmentLimit: 7
            ).bytes),
        ContainerCase("Opus cut from a longer stream", .ogg, OpusStream(firstGranule: 5_000_000).bytes),
        ContainerCase("Opus on one page", .ogg, OpusStream(packetsPerPage: 200, endTrim: 30_000).bytes),
        ContainerCase("Vorbis", .ogg, VorbisStream(endTrim: 77).bytes),
        ContainerCase("Vorbis continued over pages", .ogg, VorbisStream(packetLength: 700, segmentLimit: 5).bytes),
        ContainerCase("Vorbis with frames dropped at the start", .ogg, VorbisStream(firstGranule: -300).bytes),
        ContainerCase("FLAC in Ogg", .ogg, OggFLACStream().bytes),
        ContainerCase(
            "FLAC in Ogg of VLC", .ogg, OggFLACStream(mapping: .vlc, blocks: [], granule: { $0 - 192 }).bytes),
        ContainerCase(
            "FLAC in Ogg of an early flac", .ogg, OggFLACStream(mapping: .flac, granule: { $0 - 1 }).bytes),
        ContainerCase(
            "chained Opus, Vorbis and FLAC", .ogg,
            OpusStream(packets: Array(repeating: (9, 1), count: 20)).bytes + VorbisStream().bytes
                + OggFLACStream(count: 10).bytes),
    ]

    static let flac: [ContainerCase] = [
        ContainerCase("FLAC", .flac, FLACWriter(blocks: [(1, [UInt8](repeating: 0, count: 300))]).bytes),
        ContainerCase("FLAC of variable block size, stereo", .flac, FLACWriter(channels: 2, isVariable: true).bytes),
        ContainerCase("FLAC after an ID3v2 tag", .flac, Tags.id3v2(500) + FLACWriter().bytes + Tags.id3v1),
        ContainerCase(
            "FLAC with comments", .flac, FLACWriter(blocks: [(4, CommentBlock.bytes([Array("TITLE=x".utf8)]))]).bytes),
        ContainerCase("two FLAC files", .flac, FLACWriter(frames: 3000).bytes + FLACWriter(blockSize: 128).bytes),
    ]

    static let wav: [ContainerCase] =
        WaveWriter.Kind.allCases.map {
            ContainerCase("WAV, \($0)", .wav, WaveWriter(kind: $0).bytes)
        } + [
            ContainerCase("WAV of 24 bits", .wav, WaveWriter(bytesPerSample: 3, frames: 9001).bytes),
            ContainerCase("WAV without a length", .wav, WaveWriter(declaredLength: 0).bytes),
            ContainerCase("WAV after an ID3v2 tag", .wav, Tags.id3v2(500) + WaveWriter().bytes),
            ContainerCase(
                "WAV with chunks", .wav,
                WaveWriter(
                    channels: 1, bytesPerSample: 1, frames: 8193,
                    before: [("junk", [1, 2, 3])], after: [("LIST", Array("INFO".utf8))]
                ).bytes),
        ]

    static let mp4 = [
        ContainerCase("MP4", .mp4, MP4Case("", count: 600).bytes),
        ContainerCase("MP4 with a video track", .mp4, MP4Case("") { ($0.gap, $0.hasVideo) = (333, true) }.bytes),
        ContainerCase("MP4 in fragments", .mp4, MP4Case(fragmented: "").bytes),
    ]

    static let adts: [ContainerCase] = {
        var builder = ADTSBuilder()
        builder.addID3v2(100)
        builder.addFrames(300)
        var blocks = ADTSBuilder()
        blocks.format.blocks = 3
        blocks.addFrames(30)
        return [
            ContainerCase("ADTS", .adts, builder.bytes),
            ContainerCase("ADTS of several blocks", .adts, blocks.bytes),
        ]
    }()

    func parser() -> any ContainerParser {
        switch kind {
        case .mp4: MP4Parser()
        case .adts: ADTSParser()
        case .ogg: OggParser()
        case .flac: FLACParser()
        case .wav: WAVParser()
        }
    }

    /// Returns the entries of the file, or of another one of the same kind.
    func entries(of bytes: [UInt8]? = nil, pieces: @escaping () -> Int = { .max }) -> [Record] {
        var run = ContainerRun(bytes ?? self.bytes, parser(), pieceLength: pieces)
        run.run()
        return run.records
    }
}

enum Tags {
    /// Returns an ID3v2 tag with that many bytes of padding.
    static func id3v2(_ padding: Int) -> [UInt8] {
        let size = [21, 14, 7, 0].map { UInt8(padding >> $0 & 0x7F) }
        return Array("ID3".utf8) + [4, 0, 0] + size + [UInt8](repeating: 0, count: padding)
    }

    static let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
}
