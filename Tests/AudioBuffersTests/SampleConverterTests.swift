// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import EarshotTestSupport
import Media
import Testing

@Suite("SampleConverter")
struct SampleConverterTests {
    static let pairs = SampleType.allCases.flatMap { from in SampleType.allCases.map { (from, $0) } }

    @Test("Any type, interleaving and byte order converts to any other like a plain loop", arguments: pairs)
    func everyFormat(from: SampleType, to: SampleType) throws {
        var random = SeededGenerator(seed: 19)
        for (source, target) in Self.formats(from, to) {
            let converter = try SampleConverter(from: source, to: target)
            for frames in [0, 1, 21] {
                let pcm = PlainPCM.random(source, frames: frames, using: &random)
                let input = pcm.list()
                let output = AudioBufferList(format: target, frameCapacity: frames + 1)

                #expect(converter.convert(input.slice, to: output.slice) == frames)

                let expected = pcm.converted(to: target, matrix: nil)
                #expect(PlainPCM(output.slice.dropFirst(0, count: frames)) == expected, "\(source) to \(target)")
                #expect(PlainPCM(output.slice.dropFirst(frames)).bits.joined().allSatisfy { $0 == 0 })
            }
        }
    }

    /// Returns every interleaving and byte order of both types, for one, two and three channels.
    static func formats(_ from: SampleType, _ to: SampleType) -> [(AudioFormat, AudioFormat)] {
        [1, 2, 3].flatMap { channels in
            (0..<16).map { choice in
                func format(_ type: SampleType, _ bits: Int) -> AudioFormat {
                    AudioFormat(
                        sampleRate: 44100, channels: channels, sampleType: type, isInterleaved: bits & 1 == 0,
                        byteOrder: bits & 2 == 0 ? .littleEndian : .bigEndian)
                }
                return (format(from, choice), format(to, choice >> 2))
            }
        }
    }

    @Test("Channels are mixed as the matrix defines, in every type", arguments: pairs)
    func mixing(from: SampleType, to: SampleType) throws {
        var random = SeededGenerator(seed: 23)
        let matrix = ChannelMatrix(rows: [[0.5, 0.25, -0.125], [0, 1, 0], [0, 0, 0], [0, 0, 0.3]])
        for choice in 0..<16 {
            let source = AudioFormat(
                sampleRate: 1, channels: 3, sampleType: from, isInterleaved: choice & 1 == 0,
                byteOrder: choice & 2 == 0 ? .littleEndian : .bigEndian)
            let target = AudioFormat(
                sampleRate: 1, channels: 4, sampleType: to, isInterleaved: choice & 4 == 0,
                byteOrder: choice & 8 == 0 ? .littleEndian : .bigEndian)
            let pcm = PlainPCM.random(source, frames: 40, using: &random)
            let input = pcm.list()
            let output = AudioBufferList(format: target, frameCapacity: 40)

            try SampleConverter(from: source, to: target, matrix: matrix).convert(input.slice, to: output.slice)

            #expect(PlainPCM(output.slice) == pcm.converted(to: target, matrix: matrix))
        }
    }

    @Test("Blocks of any size yield the same output", arguments: [1, 37, 512, 513, 1300])
    func blocks(size: Int) throws {
        var random = SeededGenerator(seed: 37)
        let source = AudioFormat(sampleRate: 1, channels: 2, sampleType: .int32, byteOrder: .bigEndian)
        let target = AudioFormat(
            sampleRate: 1, channels: 3, sampleType: .float32, isInterleaved: false, byteOrder: .bigEndian)
        let matrix = ChannelMatrix(rows: [[1, 0], [0.5, 0.25], [0, 0]])
        let pcm = PlainPCM.random(source, frames: 1300, using: &random)
        let input = pcm.list()
        let output = AudioBufferList(format: target, frameCapacity: 1300)
        let converter = try SampleConverter(from: source, to: target, matrix: matrix)

        for start in stride(from: 0, to: 1300, by: size) {
            converter.convert(input.slice.dropFirst(start, count: size), to: output.slice.dropFirst(start))
        }

        #expect(PlainPCM(output.slice) == pcm.converted(to: target, matrix: matrix))
    }

    @Test(
        "A conversion to the same type preserves every bit, even of non-finite samples", arguments: SampleType.allCases)
    func bits(type: SampleType) throws {
        var random = SeededGenerator(seed: 29)
        let source = AudioFormat(sampleRate: 1, channels: 2, sampleType: type)
        let target = AudioFormat(
            sampleRate: 1, channels: 2, sampleType: type, isInterleaved: false, byteOrder: .bigEndian)
        let input = AudioBufferList(format: source, frameCapacity: 1000)
        let bytes = UnsafeMutableRawBufferPointer(start: input.slice.plane(0), count: input.slice.bytesPerPlane)
        for place in bytes.indices { bytes[place] = UInt8.random(in: 0...255, using: &random) }
        let across = AudioBufferList(format: target, frameCapacity: 1000)
        let back = AudioBufferList(format: source, frameCapacity: 1000)
        let crossed = ChannelMatrix.channels([1, 0], of: 2)

        try SampleConverter(from: source, to: target, matrix: crossed).convert(input.slice, to: across.slice)
        try SampleConverter(from: target, to: source, matrix: crossed).convert(across.slice, to: back.slice)

        #expect(PlainPCM(back.slice) == PlainPCM(input.slice))
        #expect(PlainPCM(across.slice) != PlainPCM(input.slice))
    }

    @Test(
        "An integer is preserved by every type that can represent it",
        arguments: [
            (SampleType.int16, SampleType.float32), (.int16, .float64), (.int16, .int32), (.int32, .float64),
        ])
    func roundTrip(type: SampleType, by: SampleType) throws {
        var random = SeededGenerator(seed: 31)
        let integer = AudioFormat(sampleRate: 1, channels: 1, sampleType: type)
        let other = AudioFormat(sampleRate: 1, channels: 1, sampleType: by)
        let pcm = PlainPCM.random(integer, frames: 2000, using: &random)
        let input = pcm.list()
        let across = AudioBufferList(format: other, frameCapacity: 2000)
        let back = AudioBufferList(format: integer, frameCapacity: 2000)

        try SampleConverter(from: integer, to: other).convert(input.slice, to: across.slice)
        try SampleConverter(from: other, to: integer).convert(across.slice, to: back.slice)

        #expect(PlainPCM(back.slice) == pcm)
    }

    @Test("An unsupported conversion is refused with the reason")
    func refused() {
        let stereo = AudioFormat(sampleRate: 44100, channels: 2)
        func error(_ from: AudioFormat, _ to: AudioFormat, _ matrix: ChannelMatrix? = nil) -> AudioConversionError? {
            do throws(AudioConversionError) {
                _ = try SampleConverter(from: from, to: to, matrix: matrix)
                return nil
            } catch {
                return error
            }
        }
        #expect(error(stereo, AudioFormat(sampleRate: 48000, channels: 2)) == .unsupportedRate(from: 44100, to: 48000))
        #expect(error(AudioFormat(sampleRate: 44100, channels: 0), stereo) == .unsupportedChannels(0))
        #expect(error(stereo, AudioFormat(sampleRate: 44100, channels: 257)) == .unsupportedChannels(257))
        #expect(
            error(stereo, stereo, .byNumber(from: 2, to: 1))
                == .unusableMatrix(reason: "it maps 2 channels to 1"))
        #expect(
            error(stereo, stereo, ChannelMatrix(rows: [[1, 0], [.nan, 1]]))
                == .unusableMatrix(reason: "a gain is not a number"))
    }

    @Test("A slice of another format is not converted")
    func otherSlices() throws {
        let format = AudioFormat(sampleRate: 44100, channels: 2)
        let mono = AudioBufferList.counting(AudioFormat(sampleRate: 44100, channels: 1), frames: 4)
        let stereo = AudioBufferList.counting(format, frames: 4)
        let converter = try SampleConverter(from: format, to: format)

        #expect(converter.convert(mono.slice, to: stereo.slice) == 0)
        #expect(converter.convert(stereo.slice, to: mono.slice) == 0)

        #expect(mono.slice.frameNumbers == [1, 2, 3, 4])
        #expect(stereo.slice.frameNumbers == [1, 2, 3, 4])
    }
}
