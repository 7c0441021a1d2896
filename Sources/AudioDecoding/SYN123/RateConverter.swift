// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Changes the sample rate alone, its latency taken off in front.
final class RateConverter {
    /// The most PCM frames it takes at once.
    static let inputFrames = 1152

    let channels: Int
    /// The most PCM frames it puts out at once.
    var outputLimit: Int { made.capacity }

    private let handle: SYN123Handle
    private let latency: Int
    /// Output frames of the latency still to come.
    private var early: Int
    private var made: PCMBuffer

    /// - Throws: `DecodingError.unsupportedRate`, `cannotStart`.
    init(_ ratio: FrameRatio, channels: Int) throws(DecodingError) {
        self.channels = channels
        handle = try SYN123Handle(ratio, channels: channels)
        latency = try SYN123Handle.latency(of: ratio)
        early = latency
        made = PCMBuffer(
            format: AudioFormat(sampleRate: ratio.to, channels: channels),
            capacity: handle.outputLimit(for: Self.inputFrames))
    }

    /// Converts at most `inputFrames` frames.
    /// - Parameter body: is handed what they make, if anything.
    /// - Returns: the frames made, those of the latency included.
    @discardableResult
    func convert(
        _ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void
    ) -> Int {
        made.removeAll()
        let frames = handle.resample(samples, into: made.room)
        made.commit(frames: frames)
        let skipped = min(early, frames)
        early -= skipped
        if skipped < frames { body(UnsafeBufferPointer(rebasing: made.samples[(skipped * channels)...])) }
        return frames
    }

    /// Puts out `frames` frames more, by putting silence in.
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
            // A converter that could not be set up again makes nothing for ever.
            guard made > 0 else { return }
        }
    }

    /// Forgets all that was put in.
    /// - Throws: `DecodingError.unsupportedRate`: out of memory.
    func reset() throws(DecodingError) {
        early = latency
        try handle.reset()
    }
}
