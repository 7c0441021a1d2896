// SPDX-License-Identifier: GPL-3.0-or-later

/// The samples of a ring, copied in and out across its end.
///
/// `@unchecked Sendable`: the ring that owns the storage determines which frames belong to which thread.
struct PCMRingStorage: ~Copyable, @unchecked Sendable {
    let frames: Int
    let channels: Int
    private let samples: UnsafeMutablePointer<Float>

    init(frames: Int, channels: Int) {
        self.frames = frames
        self.channels = channels
        samples = .allocate(capacity: frames * channels)
        samples.initialize(repeating: 0, count: frames * channels)
    }

    deinit { samples.deallocate() }

    @_noLocks @_noAllocation
    func copyIn(_ source: UnsafeBufferPointer<Float>, atSlot slot: Int) {
        guard let start = source.baseAddress else { return }
        let untilEnd = min(source.count, (frames - slot) * channels)
        copySamples(from: start, to: samples + slot * channels, count: untilEnd)
        copySamples(from: start + untilEnd, to: samples, count: source.count - untilEnd)
    }

    @_noLocks @_noAllocation
    func copyOut(to output: UnsafeMutablePointer<Float>, frames count: Int, atSlot slot: Int) {
        let untilEnd = min(count, frames - slot) * channels
        copySamples(from: samples + slot * channels, to: output, count: untilEnd)
        copySamples(from: samples, to: output + untilEnd, count: count * channels - untilEnd)
    }
}

/// Copies samples in a loop, because the `@_noLocks` checker rejects `update(from:count:)`. The optimizer vectorizes
/// it.
@_noLocks @_noAllocation
private func copySamples(from source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    while index < count {
        target[index] = source[index]
        index &+= 1
    }
}
