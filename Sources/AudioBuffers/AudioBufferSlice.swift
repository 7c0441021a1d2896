// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A section of PCM somewhere in memory: one plane, or several at equal distances. It does not own the memory and is
/// valid as long as the memory is. Copying a slice copies no samples, so the render path may receive it.
public struct AudioBufferSlice: BitwiseCopyable {
    public let format: AudioFormat
    /// The number of PCM frames.
    public let frames: Int
    private let base: UnsafeMutableRawPointer
    /// The number of bytes from one plane to the next; unused if there is only one plane.
    private let planeStride: Int

    /// Creates a slice of existing memory.
    /// - Parameters:
    ///   - base: the first sample of the first plane.
    ///   - planeStride: bytes from the first sample of one plane to that of the next.
    public init(format: AudioFormat, frames: Int, base: UnsafeMutableRawPointer, planeStride: Int = 0) {
        self.format = format
        self.frames = frames
        self.base = base
        self.planeStride = planeStride
    }

    /// Creates a slice of interleaved Float32 samples, the format of the render path.
    public init(_ samples: UnsafeMutablePointer<Float>, frames: Int, format: AudioFormat) {
        self.init(format: format, frames: frames, base: UnsafeMutableRawPointer(samples))
    }

    /// Returns the address of the first sample of a plane, `0..<format.planes`.
    @inlinable @_noLocks @_noAllocation
    public func plane(_ number: Int) -> UnsafeMutableRawPointer { start + number &* stride }

    /// The number of bytes of the frames in one plane.
    public var bytesPerPlane: Int { @_noLocks @_noAllocation get { frames &* format.bytesPerFrame } }

    /// Returns the frames from `frame` on, at most `count` of them.
    @_noLocks @_noAllocation
    public func dropFirst(_ frame: Int, count: Int = .max) -> AudioBufferSlice {
        let start = min(max(0, frame), frames)
        return AudioBufferSlice(
            format: format, frames: min(frames - start, max(0, count)),
            base: base + start &* format.bytesPerFrame, planeStride: planeStride)
    }

    @usableFromInline var start: UnsafeMutableRawPointer { @_noLocks @_noAllocation get { base } }
    @usableFromInline var stride: Int { @_noLocks @_noAllocation get { planeStride } }
}
