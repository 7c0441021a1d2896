// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import CodecTestSupport

@Suite("AudioConverter")
struct AudioConverterTests {
    static let formats = SampleType.allCases.flatMap { type in
        [(44100, 48000), (48000, 44100), (22050, 48000), (48000, 8000), (44100, 44100)].map { (type, $0.0, $0.1) }
    }

    @Test("N frames and a drain yield round(N × ratio) frames, for any cuts", arguments: formats)
    func exactLength(type: SampleType, from: Int, to: Int) throws {
        let source = AudioFormat(sampleRate: from, channels: 2, sampleType: type, isInterleaved: false)
        let target = AudioFormat(sampleRate: to, channels: 1, sampleType: .int16, byteOrder: .bigEndian)
        for frames in [0, 1, 100, 1152, 5000] {
            for cut in [7, 1152, 9999] {
                let converter = try AudioConverter(from: source, to: target)
                let expected = (Double(frames) * Double(to) / Double(from)).rounded()
                #expect(converter.outputFrames(for: Int64(frames)) == Int64(expected))

                let input = AudioBufferList(format: source, frameCapacity: frames)
                #expect(try converter.run(input, cut: cut).count == Int(expected))
            }
        }
    }

    @Test("At an equal rate the converter equals SampleConverter, bit for bit", arguments: SampleType.allCases)
    func sameRate(type: SampleType) throws {
        let source = AudioFormat(sampleRate: 44100, channels: 2, sampleType: .int32, byteOrder: .bigEndian)
        let target = AudioFormat(sampleRate: 44100, channels: 2, sampleType: type, isInterleaved: false)
        let input = AudioBufferList.noise(source, frames: 3000)
        let expected = AudioBufferList(format: target, frameCapacity: 3000)
        try SampleConverter(from: source, to: target).convert(input.slice, to: expected.slice)

        let output = try AudioConverter(from: source, to: target).run(input, cut: 1000)

        #expect(output == expected.slice.frameBytes)
    }

    @Test(
        "At another rate the converter equals the resampler, at the smaller channel count",
        arguments: [(1, 2), (2, 1), (2, 2), (6, 2), (1, 6)])
    func otherRate(sourceChannels: Int, targetChannels: Int) throws {
        let source = AudioFormat(sampleRate: 48000, channels: sourceChannels, sampleType: .int16, isInterleaved: false)
        let target = AudioFormat(sampleRate: 44100, channels: targetChannels, sampleType: .int32)
        let few = min(sourceChannels, targetChannels)
        let input = AudioBufferList.noise(source, frames: 3000)
        let output = try AudioConverter(from: source, to: target).run(input, cut: 500)

        let first = AudioFormat(
            sampleRate: 48000, channels: few, layout: sourceChannels < targetChannels ? source.layout : target.layout)
        let second = AudioFormat(sampleRate: 44100, channels: few, layout: first.layout)
        let mixed = AudioBufferList(format: first, frameCapacity: 3000)
        try SampleConverter(from: source, to: first).convert(input.slice, to: mixed.slice)
        let samples = UnsafeBufferPointer(
            start: mixed.slice.plane(0).assumingMemoryBound(to: Float.self), count: 3000 * few)
        var resampled = try Resampler(from: first, to: second).run(Array(samples), cut: 500)
        let expected = AudioBufferList(format: target, frameCapacity: resampled.count / few)
        try resampled.withUnsafeMutableBufferPointer { resampled in
            let start = try #require(resampled.baseAddress)
            let slice = AudioBufferSlice(start, frames: resampled.count / few, format: second)
            try SampleConverter(from: second, to: target).convert(slice, to: expected.slice)
        }

        #expect(output == expected.slice.frameBytes)
        #expect(output.count == 2756)
    }

    @Test("A custom matrix is applied, before or after the rate conversion", arguments: [44100, 48000])
    func matrix(rate: Int) throws {
        for (channels, rows) in [(2, [[0.0, 1]]), (1, [[0], [1], [0.5]])] {
            let source = AudioFormat(sampleRate: 44100, channels: channels)
            let target = AudioFormat(sampleRate: rate, channels: rows.count)
            let input = AudioBufferList(format: source, frameCapacity: 2000)
            let samples = input.slice.plane(0).assumingMemoryBound(to: Float.self)
            // A constant level in the last channel only.
            for frame in 0..<2000 { samples[frame * channels + channels - 1] = 0.5 }

            let output = try input.slice.converted(to: target, matrix: ChannelMatrix(rows: rows))

            let made = output.slice.plane(0).assumingMemoryBound(to: Float.self)
            for (channel, row) in rows.enumerated() {
                let level = made[output.frameLength / 2 * rows.count + channel]
                #expect(abs(level - Float(row.last ?? 0) * 0.5) < 0.01)
            }
        }
    }

    @Test("A drained or reset converter starts again", arguments: [44100, 48000])
    func beginsAnew(rate: Int) throws {
        let source = AudioFormat(sampleRate: 48000, channels: 2, sampleType: .int16)
        let target = AudioFormat(sampleRate: rate, channels: 2, sampleType: .float64)
        let input = AudioBufferList.noise(source, frames: 4800)
        let converter = try AudioConverter(from: source, to: target)
        let first = try converter.run(input, cut: 999)

        #expect(try converter.run(input, cut: 4800) == first)
        converter.convert(input.slice) { _ in }
        try converter.reset()
        #expect(try converter.run(input, cut: 1) == first)
    }

    @Test("A non-finite sample does not stay in the filters", arguments: [Float.nan, .infinity, -.infinity, 3e38])
    func notANumber(sample: Float) throws {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        let input = AudioBufferList(format: format, frameCapacity: 20000)
        input.slice.plane(0).storeBytes(of: sample, toByteOffset: 4000, as: Float.self)

        let output = try input.slice.converted(to: AudioFormat(sampleRate: 48000, channels: 1))

        let samples = output.slice.plane(0).assumingMemoryBound(to: Float.self)
        #expect((0..<output.frameLength).allSatisfy { samples[$0].isFinite })
        #expect(VectorOperations.peak(samples + 15000, count: output.frameLength - 15000) < 1e-3)
    }

    @Test("A slice of another format is refused")
    func otherFormat() throws {
        let stereo = AudioFormat(sampleRate: 44100, channels: 2)
        let input = AudioBufferList(format: AudioFormat(sampleRate: 44100, channels: 1), frameCapacity: 10)
        for rate in [44100, 48000] {
            let converter = try AudioConverter(from: stereo, to: AudioFormat(sampleRate: rate, channels: 2))
            #expect(
                converter.convert(input.slice) { _ in Issue.record("the converter consumed input in the wrong format") }
                    == 0)
        }
    }

    @Test("An unsupported conversion is refused with the reason")
    func refused() {
        let stereo = AudioFormat(sampleRate: 44100, channels: 2)
        let rows: [(AudioFormat, AudioFormat, AudioConversionError)] = [
            (stereo, AudioFormat(sampleRate: 0, channels: 2), .unsupportedRate(from: 44100, to: 0)),
            (AudioFormat(sampleRate: -1, channels: 2), stereo, .unsupportedRate(from: -1, to: 44100)),
            (AudioFormat(sampleRate: 600, channels: 2), stereo, .unsupportedRate(from: 600, to: 44100)),
            (stereo, AudioFormat(sampleRate: 48000, channels: 0), .unsupportedChannels(0)),
            (AudioFormat(sampleRate: 48000, channels: -2), stereo, .unsupportedChannels(-2)),
            (stereo, AudioFormat(sampleRate: 48000, channels: 1000), .unsupportedChannels(1000)),
        ]
        for (source, target, error) in rows {
            #expect(throws: error) { try AudioConverter(from: source, to: target) }
        }
        #expect(throws: AudioConversionError.self) {
            try AudioConverter(
                from: stereo, to: AudioFormat(sampleRate: 48000, channels: 1), matrix: .byNumber(from: 3, to: 1))
        }
    }

    @Test("Absurd frame counts do not trap", arguments: [Int64.min, -1, .max])
    func absurdLengths(frames: Int64) throws {
        let format = AudioFormat(sampleRate: 8000, channels: 1)
        for rate in [8000, 48000, 192_000] {
            let converter = try AudioConverter(from: format, to: AudioFormat(sampleRate: rate, channels: 1))
            #expect((converter.outputFrames(for: frames) > 0) == (frames > 0))
        }
    }
}

extension AudioConverter {
    /// Converts every frame of a list in pieces, and drains.
    /// - Returns: The bytes of each frame, of all planes.
    fileprivate func run(_ input: borrowing AudioBufferList, cut: Int) throws(AudioConversionError) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        for start in stride(from: 0, to: input.frameLength, by: cut) {
            convert(input.slice.dropFirst(start, count: cut)) { frames += $0.frameBytes }
        }
        try drain { frames += $0.frameBytes }
        return frames
    }
}

extension AudioBufferSlice {
    fileprivate var frameBytes: [[UInt8]] {
        let bytes = format.bytesPerFrame
        return (0..<frames).map { frame in
            (0..<format.planes).flatMap { number in
                (0..<bytes).map { plane(number).load(fromByteOffset: frame * bytes + $0, as: UInt8.self) }
            }
        }
    }
}

extension AudioBufferList {
    /// Returns random bits, for integer formats.
    fileprivate static func noise(_ format: AudioFormat, frames: Int) -> AudioBufferList {
        var random = SeededGenerator(seed: 41)
        let list = AudioBufferList(format: format, frameCapacity: frames)
        for plane in 0..<format.planes {
            for byte in 0..<list.slice.bytesPerPlane {
                list.slice.plane(plane).storeBytes(
                    of: UInt8.random(in: 0...255, using: &random), toByteOffset: byte, as: UInt8.self)
            }
        }
        return list
    }
}
