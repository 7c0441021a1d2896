// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media

/// A sample rate converter that removes its latency from the start of its output.
final class RateConverter {
    /// The maximum number of PCM frames per `convert` call.
    static let inputFrames = 1152

    let channels: Int
    /// The maximum number of PCM frames that one `convert` call returns.
    var outputLimit: Int { made.capacity }

    private let handle: SYN123Handle
    private let latency: Int
    /// The number of output frames of the latency still to be dropped.
    private var early: Int
    private var made: PCMBuffer
    private let prepared: PCMBuffer

    /// The largest sample that is converted: real audio never reaches 120 dB above full scale.
    private static let largestSample: Float = 0x1p20

    /// - Throws: `DecodingError.unsupportedRate`, `cannotStart`.
    init(_ ratio: FrameRatio, channels: Int) throws(DecodingError) {
        self.channels = channels
        handle = try SYN123Handle(ratio, channels: channels)
        latency = try SYN123Handle.latency(of: ratio)
        early = latency
        let format = AudioFormat(sampleRate: ratio.to, channels: channels)
        made = PCMBuffer(format: format, capacity: handle.outputLimit(for: Self.inputFrames))
        prepared = PCMBuffer(format: format, capacity: Self.inputFrames)
    }

    /// Converts at most `inputFrames` frames.
    /// - Parameter body: receives the converted frames, if there are any.
    /// - Returns: the number of converted frames, including those of the latency.
    @discardableResult
    func convert(
        _ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void
    ) -> Int {
        made.removeAll()
        let frames = handle.resample(prepare(samples), into: made.freeSpace)
        made.commit(frames: frames)
        let skipped = min(early, frames)
        early -= skipped
        if skipped < frames { body(UnsafeBufferPointer(rebasing: made.samples[(skipped * channels)...])) }
        return frames
    }

    /// Returns a copy of the samples without those that are not a number or far too large. The filters are recursive:
    /// such a sample would stay in the output forever.
    private func prepare(_ samples: UnsafeBufferPointer<Float>) -> UnsafeBufferPointer<Float> {
        let copy = UnsafeMutableBufferPointer(rebasing: prepared.freeSpace[..<samples.count])
        guard let source = samples.baseAddress, let target = copy.baseAddress else { return samples }
        VectorOperations.copy(source, to: target, count: samples.count)
        VectorOperations.clip(target, count: samples.count, limit: Self.largestSample)
        return UnsafeBufferPointer(copy)
    }

    /// Feeds silence until `frames` more frames are emitted.
    func drain(_ frames: Int64, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        let silence = [Float](repeating: 0, count: Self.inputFrames * channels)
        var left = frames
        while left > 0 {
            let made = silence.withUnsafeBufferPointer { silence in
                convert(silence) { part in
                    let fitting = Int(min(left, Int64(part.count / channels)))
                    body(UnsafeBufferPointer(rebasing: part[..<(fitting * channels)]))
                    left -= Int64(fitting)
                }
            }
            // A converter that could not be set up again never returns a frame.
            guard made > 0 else { return }
        }
    }

    /// Discards all previous input.
    /// - Throws: `DecodingError.cannotStart` if memory is exhausted.
    func reset() throws(DecodingError) {
        early = latency
        try handle.reset()
    }
}
