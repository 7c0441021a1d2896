// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import Media

/// Converts a run of a file that has another rate to the rate and channels of the reader, keeping its duration.
final class RunConversion {
    private let resampler: Resampler
    /// The first frame that the converter outputs, and the number of frames to drop before the requested one.
    private let output: Int64
    private var framesToSkip: Int64

    /// - Parameters:
    ///   - output: The reader's frame at the time of the first frame to convert.
    ///   - wanted: The first frame of the reader to emit.
    init(from source: AudioFormat, to format: AudioFormat, output: Int64, wanted: Int64) throws(DecodingError) {
        resampler = try Resampler(from: source, to: format)
        self.output = output
        framesToSkip = max(0, wanted - output)
    }

    typealias Emit = (UnsafeBufferPointer<Float>) -> Void

    func convert(_ samples: UnsafeBufferPointer<Float>, emit: Emit) {
        resampler.convert(samples) { samples, _ in put(samples, emit) }
    }

    /// Emits the remaining frames.
    /// - Parameter end: The reader's frame at which the next run begins; `nil` if unknown.
    func drain(to end: Int64?, emit: Emit) throws(DecodingError) {
        guard let end else { return try resampler.drain { samples, _ in put(samples, emit) } }
        try resampler.drain(to: max(0, end - output)) { samples, _ in put(samples, emit) }
    }

    private func put(_ samples: UnsafeBufferPointer<Float>, _ emit: Emit) {
        let channels = resampler.output.channels
        let skipped = min(framesToSkip, Int64(samples.count / channels))
        framesToSkip -= skipped
        let rest = samples[(Int(skipped) * channels)...]
        if !rest.isEmpty { emit(UnsafeBufferPointer(rebasing: rest)) }
    }
}

extension PendingFrames {
    mutating func append(_ samples: UnsafeBufferPointer<Float>, of format: AudioFormat) {
        if let slice = AudioBufferSlice(reading: samples, format: format) { append(slice) }
    }
}
