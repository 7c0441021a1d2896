// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Keeps back the last PCM frames of a stream whose padding is known by length but not by number, because the packets
/// before were never counted: what is still held when the stream ends is the padding.
public struct PaddingHold: Sendable {
    private let length: Int
    private var samples: [Float] = []
    /// The number of the first frame held.
    private var frame: Int64 = 0

    /// - Parameter length: PCM frames; 0 keeps nothing back.
    public init(length: Int) { self.length = max(0, length) }

    /// Takes interleaved samples of consecutive frames and puts out those that cannot be padding.
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

    /// The stream ends: what is held is dropped where it is padding, else put out.
    public mutating func finish(isPadding: Bool, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        defer { samples = [] }
        guard !isPadding, !samples.isEmpty else { return }
        samples.withUnsafeBufferPointer { emit($0, frame) }
    }
}
