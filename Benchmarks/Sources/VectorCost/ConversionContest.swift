// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import CVectorBaseline
import Media

/// Compares conversions of whole blocks with those of libsndfile and libsyn123, from memory to memory.
struct ConversionContest {
    static let frames = 8192

    static func run() throws(AudioConversionError) {
        try sampleTypes()
        try channels()
        try rates()
    }

    private static func sampleTypes() throws(AudioConversionError) {
        var contest = Contest(
            "8192 stereo frames", unit: "frame", others: ["libsndfile", "libsyn123"])
        let shorts = Block(format(.int16)), swapped = Block(format(.int16, order: .bigEndian))
        let floats = Block(format(.float32)), planar = Block(format(.float32, isInterleaved: false))
        let pairs: [(String, Block, Block, [(() -> Void)?])] = [
            (
                "Int16 to Float32", shorts, floats,
                [
                    { _ = sndfile_read_floats(shorts.bytes, frames, 2, 0, floats.floats) },
                    { syn_int16_to_float(shorts.shorts, floats.floats, frames * 2) },
                ]
            ),
            (
                "Int16, big-endian, to Float32", swapped, floats,
                [{ _ = sndfile_read_floats(swapped.bytes, frames, 2, 1, floats.floats) }, nil]
            ),
            (
                "Float32 to Int16", floats, shorts,
                [
                    { _ = sndfile_write_int16(floats.floats, frames, 2, shorts.bytes) },
                    { syn_float_to_int16(floats.floats, shorts.shorts, frames * 2) },
                ]
            ),
            ("Int16 to Float32, planar", shorts, planar, [nil, nil]),
            ("Float32, planar, to Int16", planar, shorts, [nil, nil]),
            ("Float32, planar to interleaved", planar, floats, [nil, nil]),
            ("Float32, interleaved to planar", floats, planar, [nil, nil]),
            ("Float32 to Int32", floats, Block(format(.int32)), [nil, nil]),
        ]
        for (name, source, target, others) in pairs {
            let converter = try SampleConverter(from: source.list.format, to: target.list.format)
            contest.add(
                name, frames, ours: { source.convert(to: target, by: converter) }, others: others)
        }
        contest.print()
    }

    private static func channels() throws(AudioConversionError) {
        var contest = Contest("8192 frames, Float32", unit: "frame", others: ["libsyn123"])
        for (sources, targets) in [(1, 2), (2, 1), (6, 2)] {
            let source = Block(format(.float32, channels: sources))
            let target = Block(format(.float32, channels: targets))
            let matrix = ChannelMatrix.standard(from: source.list.format, to: target.list.format)
            let gains = (0..<targets).flatMap { row in (0..<sources).map { matrix[row, $0] } }
            let converter = try SampleConverter(from: source.list.format, to: target.list.format)
            contest.add(
                "\(sources) to \(targets) channels", frames,
                ours: { source.convert(to: target, by: converter) },
                others: [{ syn_mix(source.floats, Int32(sources), target.floats, Int32(targets), gains, frames) }])
        }
        contest.print()
    }

    private static func rates() throws(AudioConversionError) {
        var contest = Contest("8192 stereo frames", unit: "source frame", others: ["libsyn123"])
        for (from, to) in [(44100, 48000), (48000, 44100), (22050, 44100), (48000, 16000)] {
            for type in [SampleType.float32, .int16] {
                let source = Block(format(type, rate: from))
                let floats = Block(format(.float32, rate: from))
                let target = Block(AudioFormat(sampleRate: to, channels: 2), frames: frames * 4)
                let converter = try AudioConverter(from: source.list.format, to: format(type, rate: to))
                guard let direct = syn_resampler(Int32(from), Int32(to), 2) else { continue }
                contest.add(
                    "\(from) to \(to), \(type)", frames,
                    ours: { _ = source.list.withSlice { converter.convert($0) { _ in } } },
                    others: [{ _ = syn_resample(direct, floats.floats, target.floats, frames) }])
                syn_resampler_free(direct)
            }
        }
        contest.print()
    }

    private static func format(
        _ type: SampleType, rate: Int = 44100, channels: Int = 2, isInterleaved: Bool = true,
        order: ByteOrder = .native
    ) -> AudioFormat {
        AudioFormat(
            sampleRate: rate, channels: channels, sampleType: type, isInterleaved: isInterleaved, byteOrder: order)
    }
}

/// A buffer list that closures can share.
private final class Block {
    let list: AudioBufferList

    init(_ format: AudioFormat, frames: Int = ConversionContest.frames) {
        list = AudioBufferList(format: format, frameCapacity: frames)
        guard format.sampleType == .float32 else { return }
        for plane in 0..<format.planes {
            list.withSlice { slice in
                let samples = slice.plane(plane).assumingMemoryBound(to: Float.self)
                for place in 0..<slice.bytesPerPlane / 4 { samples[place] = Float(place * 7919 % 2003) / 1000 - 1 }
            }
        }
    }

    func convert(to target: Block, by converter: borrowing SampleConverter) {
        list.withSlice { source in target.list.withSlice { _ = converter.convert(source, to: $0) } }
    }

    /// The bytes, valid as long as the block lives.
    var bytes: UnsafeMutableRawPointer { list.withSlice { $0.plane(0) } }
    var floats: UnsafeMutablePointer<Float> { bytes.assumingMemoryBound(to: Float.self) }
    var shorts: UnsafeMutablePointer<Int16> { bytes.assumingMemoryBound(to: Int16.self) }
}
