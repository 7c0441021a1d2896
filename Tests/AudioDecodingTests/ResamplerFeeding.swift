// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Media

@testable import CodecTestSupport

extension Resampler {
    /// Converts `input` in pieces of `cut` frames.
    func feed(_ input: [Float], cut: Int) -> [Float] {
        var output: [Float] = []
        for start in stride(from: 0, to: input.count, by: cut * source.channels) {
            let part = input[start..<min(start + cut * source.channels, input.count)]
            part.withUnsafeBufferPointer { part in convert(part) { samples, _ in output += samples } }
        }
        return output
    }

    /// Converts `input` in pieces of `cut` frames, and drains.
    func run(_ input: [Float], cut: Int) throws(DecodingError) -> [Float] {
        var output = feed(input, cut: cut)
        try drain { samples, _ in output += samples }
        return output
    }
}

extension AudioFormat {
    static func mono(_ rate: Int) -> AudioFormat { AudioFormat(sampleRate: rate, channels: 1) }
    static func stereo(_ rate: Int) -> AudioFormat { AudioFormat(sampleRate: rate, channels: 2) }
}
