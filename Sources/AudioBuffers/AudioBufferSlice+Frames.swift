// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension AudioBufferSlice {
    /// Copies frames from the start of another slice to the start of this one, as many as both have. Two slices of
    /// one list may overlap.
    /// - Parameter source: has the same format, except for the rate and the loudspeakers.
    /// - Returns: the number of frames copied; 0 if the formats differ.
    @_noLocks @_noAllocation @discardableResult
    public func copy(from source: AudioBufferSlice) -> Int {
        guard format.isStored(as: source.format) else { return 0 }
        let count = min(frames, source.frames)
        var number = 0
        while number < format.planes {
            plane(number).copyMemory(from: source.plane(number), byteCount: count &* format.bytesPerFrame)
            number &+= 1
        }
        return count
    }

    /// Silences all frames.
    @_noLocks @_noAllocation
    public func silence() {
        let samples = frames &* (format.isInterleaved ? format.channels : 1)
        var number = 0
        while number < format.planes {
            SampleRun(plane(number), format.sampleType).clear(count: samples)
            number &+= 1
        }
    }

    /// Reverses the order of the frames in place.
    @_noLocks @_noAllocation
    public func reverse() {
        var number = 0
        while number < format.planes {
            reverse(plane: plane(number))
            number &+= 1
        }
    }

    @_noLocks @_noAllocation
    private func reverse(plane: UnsafeMutableRawPointer) {
        if format.sampleType == .float32 {
            let samples = plane.assumingMemoryBound(to: Float.self)
            return VectorOperations.reverse(
                samples, frames: frames, channels: format.isInterleaved ? format.channels : 1)
        }
        let bytes = format.bytesPerFrame
        var (first, last) = (0, (frames &- 1) &* bytes)
        while first < last {
            var byte = 0
            while byte < bytes {
                let early = plane.load(fromByteOffset: first &+ byte, as: UInt8.self)
                let late = plane.load(fromByteOffset: last &+ byte, as: UInt8.self)
                plane.storeBytes(of: late, toByteOffset: first &+ byte, as: UInt8.self)
                plane.storeBytes(of: early, toByteOffset: last &+ byte, as: UInt8.self)
                byte &+= 1
            }
            first &+= bytes
            last &-= bytes
        }
    }
}

extension AudioFormat {
    /// Returns true if both formats store samples in memory in the same way.
    @_noLocks @_noAllocation
    func isStored(as other: AudioFormat) -> Bool {
        channels == other.channels && sampleType == other.sampleType && byteOrder == other.byteOrder
            && (isInterleaved == other.isInterleaved || channels == 1)
    }
}
