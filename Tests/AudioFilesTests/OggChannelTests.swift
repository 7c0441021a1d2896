// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("Channels of Vorbis and Opus")
struct OggChannelTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = ScratchDirectory() }

    /// Low enough for an LFE channel, with whole periods in a tenth of a second.
    private static func hertz(_ channel: Int) -> Double { 30 + 10 * Double(channel) }

    /// Writes a file whose channel n is a tone of `hertz(n)`.
    private func write(_ type: AudioFileType, channels: Int) throws -> String {
        let path = scratch.path("tones")
        let writer = try AudioFileWriter(
            path: path, fileFormat: AudioFileFormat(type: type, sampleRate: 48_000, channels: channels))
        let list = AudioBufferList(format: writer.format, frameCapacity: 96_000)
        list.withAllFrames { room in
            let samples = room.plane(0).assumingMemoryBound(to: Float.self)
            for place in 0..<room.frames * channels {
                let phase = 2 * Double.pi * Self.hertz(place % channels) * Double(place / channels) / 48_000
                samples[place] = Float(0.5 * sin(phase))
            }
        }
        try writer.write(list)
        try writer.close()
        return path
    }

    /// Returns the loudest tone of each channel in the middle of the file.
    private func tones(_ reader: AudioFileReader) throws -> [Int] {
        let channels = reader.format.channels
        try reader.seek(to: 24_000)
        var list = AudioBufferList(format: reader.format, frameCapacity: 4800)
        #expect(try reader.read(into: &list) == .frames(4800))
        return list.withSlice { slice in
            let samples = slice.plane(0).assumingMemoryBound(to: Float.self)
            return (0..<channels).map { channel in
                let power = (0..<channels).map { tone -> Double in
                    var (sine, cosine) = (0.0, 0.0)
                    for frame in 0..<4800 {
                        let phase = 2 * Double.pi * Self.hertz(tone) * Double(frame) / 48_000
                        sine += sin(phase) * Double(samples[frame * channels + channel])
                        cosine += cos(phase) * Double(samples[frame * channels + channel])
                    }
                    return sine * sine + cosine * cosine
                }
                return power.indices.max { power[$0] < power[$1] } ?? -1
            }
        }
    }

    @Test(
        "A written channel is read back in its position, and each channel has its loudspeaker",
        arguments: [AudioFileType.oggVorbis, .opus], 1...8)
    func roundTrip(type: AudioFileType, channels: Int) throws {
        let reader = try AudioFileReader(path: write(type, channels: channels))
        #expect(try tones(reader) == Array(0..<channels))
        #expect(reader.format.layout.rawValue.nonzeroBitCount == channels)
    }

    @Test(
        "Channels are stored in the order of RFC 7845",
        arguments: [
            (3, [0, 2, 1]), (4, [0, 1, 2, 3]), (5, [0, 2, 1, 3, 4]), (6, [0, 2, 1, 4, 5, 3]),
            (7, [0, 2, 1, 5, 6, 4, 3]), (8, [0, 2, 1, 6, 7, 4, 5, 3]),
        ])
    func order(channels: Int, stored: [Int]) throws {
        var bytes = ScratchDirectory.bytes(of: try write(.opus, channels: channels))
        // Family 255 has channels without loudspeakers, which are read in their stored order.
        #expect(bytes[46] == 1)
        bytes[46] = 255
        bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let length = 28 + Int(bytes[27])
        let checksum = Self.checksum(bytes[..<length])
        bytes.replaceSubrange(22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) })
        let reader = try AudioFileReader(path: scratch.write(bytes, to: "stored"))
        #expect(reader.format.layout == [])
        #expect(try tones(reader) == stored)
    }

    @Test("A chain of mono and stereo has two channels")
    func chain() throws {
        let mono = ScratchDirectory.bytes(of: try write(.oggVorbis, channels: 1))
        let stereo = ScratchDirectory.bytes(of: try write(.oggVorbis, channels: 2))
        let reader = try AudioFileReader(source: MemoryByteSource(mono + stereo))
        #expect(reader.format.channels == 2)
        #expect(reader.length == .exact(192_000))
    }

    @Test("The centre of 5.1 goes to left and right")
    func centre() throws {
        let stereo = AudioFormat(sampleRate: 48_000, channels: 2)
        let reader = try AudioFileReader(path: write(.opus, channels: 6), format: stereo)
        try reader.seek(to: 24_000)
        var list = AudioBufferList(format: stereo, frameCapacity: 4800)
        #expect(try reader.read(into: &list) == .frames(4800))
        let power = list.withSlice { slice -> [Double] in
            let samples = slice.plane(0).assumingMemoryBound(to: Float.self)
            return (0..<2).map { channel in
                var sum = 0.0
                for frame in 0..<4800 {
                    let phase = 2 * Double.pi * Self.hertz(2) * Double(frame) / 48_000
                    sum += sin(phase) * Double(samples[frame * 2 + channel])
                }
                return sum
            }
        }
        #expect(power[0] > 300 && abs(power[0] - power[1]) < 20)
    }

    /// Returns the checksum of an Ogg page. Source: RFC 3533 §6.
    private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
        page.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
                value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
            }
        }
    }
}
