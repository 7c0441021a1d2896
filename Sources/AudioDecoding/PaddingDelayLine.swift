// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A buffer that holds back the last PCM frames of a stream whose padding has a known length but an unknown position,
/// because the preceding packets were not counted. The frames still held at the end of the stream are the padding.
public struct PaddingDelayLine: Sendable {
    private let length: Int
    private var samples: [Float] = []
    /// The number of the first held frame.
    private var frame: Int64 = 0

    /// - Parameter length: PCM frames; 0 holds nothing back.
    public init(length: Int) { self.length = max(0, length) }

    /// Accepts interleaved samples of consecutive frames and emits those that cannot be padding.
    public mutating func accept(
        _ block: UnsafeBufferPointer<Float>, at number: Int64, channels: Int,
        emit: (UnsafeBufferPointer<Float>, Int64) -> Void
    ) {
        guard length > 0 else { return emit(block, number) }
        if samples.isEmpty { frame = number }
        samples.append(contentsOf: block)
        let ready = max(0, samples.count / channels - length)
        guard ready > 0 else { return }
        samples.withUnsafeBufferPointer { emit(.init(rebasing: $0[..<(ready * channels)]), frame) }
        samples.removeFirst(ready * channels)
        frame += Int64(ready)
    }

    /// Ends the stream: drops the held frames if they are padding, otherwise emits them.
    public mutating func finish(isPadding: Bool, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        defer { samples = [] }
        guard !isPadding, !samples.isEmpty else { return }
        samples.withUnsafeBufferPointer { emit($0, frame) }
    }
}
