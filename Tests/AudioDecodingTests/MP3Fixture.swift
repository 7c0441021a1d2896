// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@testable import CodecTestSupport

/// An MP3 file from this target's Fixtures, split into packets by the simplest method that works for LAME files.
struct MP3Fixture: Sendable, CustomTestStringConvertible {
    struct Packet: Sendable {
        let bytes: Range<Int>
        /// The number of bytes that the packet uses from earlier packets.
        let reservoir: Int
        /// The number of bytes without header and side information.
        let body: Int
    }

    static let names = [
        "stereo-44100-cbr128", "stereo-44100-vbr4", "stereo-44100-cbr320", "mono-44100-cbr64",
        "stereo-22050-cbr64", "stereo-44100-free144",
    ]

    let testDescription: String
    let bytes: [UInt8]
    let header: MPEGFrameHeader
    let packets: [Packet]
    /// The range of the Info frame; its length is that of every packet if the header has no length.
    let tag: Range<Int>
    let encoderDelay: Int64
    let encoderPadding: Int64

    var format: AudioFormat { AudioFormat(sampleRate: header.sampleRate, channels: channels) }
    var channels: Int { header.channels }
    var packetFrames: Int { header.samplesPerFrame }
    var decodedFrames: Int64 { Int64(packets.count * packetFrames) }
    /// The decoded frames of music, from the LAME tag's delay and padding; the decoder adds 529 frames.
    var music: Range<Int64> { encoderDelay + 529..<decodedFrames - encoderPadding + 529 }
    var path: String { Self.path(testDescription) }

    static func path(_ name: String) -> String {
        "\(#filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 })/Fixtures/\(name).mp3"
    }

    init(_ name: String) throws {
        testDescription = name
        bytes = ScratchDirectory.bytes(of: Self.path(name))
        try #require(!bytes.isEmpty, "no fixture \(name)")
        let first = try #require(MPEGFrameHeader(Self.word(bytes, 0)))
        header = first
        let lame = 4 + first.sideInfoLength + 120
        try #require(bytes[lame..<lame + 4].elementsEqual("LAME".utf8))
        let freeLength = 144 * 144_000 / 44100
        tag = 0..<(first.length ?? freeLength)
        encoderDelay = Int64(bytes[lame + 21]) << 4 | Int64(bytes[lame + 22] >> 4)
        encoderPadding = Int64(bytes[lame + 22] & 15) << 8 | Int64(bytes[lame + 23])
        packets = Self.walk(bytes, from: tag.upperBound, freeLength: freeLength)
    }

    /// Returns the last packet from which decoding can start so that packet `number` has its input from earlier ones:
    /// the overlap, whose granule lies in the previous packet or the one before that, and the bit reservoir of these
    /// packets.
    func lastStart(for number: Int) -> Int {
        var start = max(0, number - (packetFrames == 576 ? 2 : 1))
        var missing = packets[start].reservoir
        while missing > 0 && start > 0 {
            start -= 1
            missing -= packets[start].body
        }
        return start
    }
}

extension MP3Fixture {
    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func walk(_ bytes: [UInt8], from start: Int, freeLength: Int) -> [Packet] {
        var packets: [Packet] = []
        var place = start
        while place + 6 <= bytes.count, let header = MPEGFrameHeader(word(bytes, place)) {
            let length = header.length ?? freeLength + (header.isPadded ? 1 : 0)
            let side = place + (header.hasCRC ? 6 : 4)
            let isMPEG1 = header.version == .mpeg1
            packets.append(
                Packet(
                    bytes: place..<min(place + length, bytes.count),
                    reservoir: isMPEG1 ? Int(bytes[side]) << 1 | Int(bytes[side + 1] >> 7) : Int(bytes[side]),
                    body: length - (side - place) - header.sideInfoLength))
            place += length
        }
        return packets
    }
}
