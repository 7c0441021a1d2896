// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media

/// Frames that were produced but not requested yet. It allocates only when it holds more frames than ever before.
struct PendingFrames: ~Copyable {
    private var list: AudioBufferList
    private var kept = 0..<0

    init(format: AudioFormat) { list = AudioBufferList(format: format, frameCapacity: 0) }

    /// Appends frames.
    mutating func append(_ slice: AudioBufferSlice) {
        if kept.upperBound + slice.frames > list.frameCapacity { move(makingRoomFor: slice.frames) }
        list.allFrames.dropFirst(kept.upperBound).copy(from: slice)
        kept = kept.lowerBound..<kept.upperBound + slice.frames
    }

    /// Moves the first frames into `slice`, as many as are available and fit.
    /// - Returns: The number of frames moved.
    mutating func read(into slice: AudioBufferSlice) -> Int {
        let count = slice.copy(from: list.allFrames.dropFirst(kept.lowerBound, count: kept.count))
        drop(count)
        return count
    }

    /// Drops the first frames.
    /// - Returns: The number of frames dropped.
    @discardableResult
    mutating func drop(_ count: Int) -> Int {
        let dropped = min(count, kept.count)
        kept = dropped == kept.count ? 0..<0 : kept.lowerBound + dropped..<kept.upperBound
        return dropped
    }

    mutating func removeAll() { kept = 0..<0 }

    private mutating func move(makingRoomFor frames: Int) {
        let needed = kept.count + frames
        let larger = AudioBufferList(
            format: list.format, frameCapacity: needed > list.frameCapacity ? needed * 2 : list.frameCapacity)
        larger.allFrames.copy(from: list.allFrames.dropFirst(kept.lowerBound, count: kept.count))
        list = larger
        kept = 0..<kept.count
    }
}
