// SPDX-License-Identifier: GPL-3.0-or-later

/// A fixed block of interleaved Float32 PCM, `capacity × channels` samples, filled from the front.
///
/// It allocates once, when it is made.
public struct PCMBuffer: ~Copyable {
    public let format: AudioFormat
    /// The most PCM frames it can hold.
    public let capacity: Int
    /// The PCM frames it holds.
    public private(set) var frames = 0
    private let storage: UnsafeMutablePointer<Float>

    public init(format: AudioFormat, capacity: Int) {
        self.format = format
        self.capacity = capacity
        storage = .allocate(capacity: capacity * format.channels)
        storage.initialize(repeating: 0, count: capacity * format.channels)
    }

    deinit { storage.deallocate() }

    /// The samples held, `frames × channels`, valid until the buffer is next changed.
    public var samples: UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: storage, count: frames * format.channels)
    }

    /// Room behind the frames held, `(capacity − frames) × channels` samples; `commit` says how many were filled.
    public var room: UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(
            start: storage + frames * format.channels, count: (capacity - frames) * format.channels)
    }

    public mutating func commit(frames count: Int) {
        precondition(count >= 0 && frames + count <= capacity, "more frames than there is room for")
        frames += count
    }

    /// Puts interleaved samples behind those it holds; there must be room for them.
    public mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        _ = room.update(fromContentsOf: samples)
        commit(frames: samples.count / format.channels)
    }

    public mutating func removeAll() { frames = 0 }
}
