// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The fade from frames that were taken back to the frames that replace them, so that a change in the middle of the
/// sound does not click.
///
/// Both sounds continue from the same frame and are alike, so the gains follow a raised cosine and add up to 1.
public struct SpliceFade: Sendable {
    /// The longest fade.
    public static let longest = Duration.milliseconds(8)

    private let channels: Int
    private var old: [Float] = []
    /// The frames already faded.
    private var done = 0

    public init(channels: Int) { self.channels = channels }

    /// Starts a fade from `old`, interleaved frames that are no longer played as such.
    public mutating func begin(from old: [Float]) { (self.old, done) = (old, 0) }

    /// Ends the fade. Frees no memory, because a render may call this.
    public mutating func cancel() { done = old.count / channels }

    /// Mixes the rest of the old frames into the next `frames` frames that replace them. Does not allocate.
    /// - Returns: true if the fade continues.
    @discardableResult
    public mutating func apply(to samples: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        let length = old.count / channels
        guard done < length else { return false }
        let count = min(frames, length - done)
        for frame in 0..<count {
            let gain = Float(0.5 - 0.5 * cos((Double(done + frame) + 0.5) / Double(length) * .pi))
            for index in frame * channels..<(frame + 1) * channels {
                let before = old[done * channels + index]
                samples[index] = before + (samples[index] - before) * gain
            }
        }
        done += count
        return done < length
    }
}
