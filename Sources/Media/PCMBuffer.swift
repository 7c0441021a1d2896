// SPDX-License-Identifier: GPL-3.0-or-later

/// A fixed block of interleaved Float32 PCM, `capacity × channels` samples, filled from the front.
///
/// The buffer allocates only when it is created.
public struct PCMBuffer: ~Copyable {
    public let format: AudioFormat
    /// The maximum number of PCM frames.
    public let capacity: Int
    /// The number of PCM frames in the buffer.
    public private(set) var frames = 0
    private let storage: UnsafeMutablePointer<Float>

    public init(format: AudioFormat, capacity: Int) {
        self.format = format
        self.capacity = capacity
        storage = .allocate(capacity: capacity * format.channels)
        storage.initialize(repeating: 0, count: capacity * format.channels)
    }

    deinit { storage.deallocate() }

    /// The samples in the buffer, `frames × channels`, valid until the next change of the buffer.
    public var samples: UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: storage, count: frames * format.channels)
    }

    /// The free space after the frames, `(capacity − frames) × channels` samples. Call `commit` after filling it.
    public var freeSpace: UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(
            start: storage + frames * format.channels, count: (capacity - frames) * format.channels)
    }

    /// Adds the frames that the caller wrote to `room`.
    public mutating func commit(frames count: Int) {
        precondition(count >= 0 && frames + count <= capacity, "more frames than the buffer holds")
        frames += count
    }

    /// Appends interleaved samples, which must fit into the free space.
    public mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        _ = freeSpace.update(fromContentsOf: samples)
        commit(frames: samples.count / format.channels)
    }

    public mutating func removeAll() { frames = 0 }

    /// Replaces all frames with silence.
    public mutating func silence() {
        let count = frames
        removeAll()
        UnsafeMutableBufferPointer(rebasing: freeSpace[..<(count * format.channels)]).update(repeating: 0)
        commit(frames: count)
    }
}
