// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A stretch of PCM somewhere in memory: one plane or several, equally far apart. It owns nothing and is valid as long
/// as what it points into; copying it copies no sample, so it may cross into the render path.
public struct AudioBufferSlice: BitwiseCopyable {
    public let format: AudioFormat
    /// PCM frames in it.
    public let frames: Int
    private let base: UnsafeMutableRawPointer
    /// Bytes from one plane to the next; nothing where there is one plane.
    private let planeStride: Int

    /// - Parameters:
    ///   - base: the first sample of the first plane.
    ///   - planeStride: bytes from the first sample of one plane to that of the next.
    public init(format: AudioFormat, frames: Int, base: UnsafeMutableRawPointer, planeStride: Int = 0) {
        self.format = format
        self.frames = frames
        self.base = base
        self.planeStride = planeStride
    }

    /// Interleaved Float32 samples, as the render path has them.
    public init(_ samples: UnsafeMutablePointer<Float>, frames: Int, format: AudioFormat) {
        self.init(format: format, frames: frames, base: UnsafeMutableRawPointer(samples))
    }

    /// The first sample of a plane, `0..<format.planes`.
    @inlinable @_noLocks @_noAllocation
    public func plane(_ number: Int) -> UnsafeMutableRawPointer { start + number &* stride }

    /// The bytes that its frames take in one plane.
    public var bytesPerPlane: Int { @_noLocks @_noAllocation get { frames &* format.bytesPerFrame } }

    /// Its frames from `frame` on, as many as there are up to `count`.
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
