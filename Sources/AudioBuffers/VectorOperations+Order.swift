// SPDX-License-Identifier: GPL-3.0-or-later

extension VectorOperations {
    /// Interleaves samples from separate planes.
    /// - Parameters:
    ///   - planes: the first sample of the first plane.
    ///   - planeStride: samples from the start of one plane to that of the next.
    ///   - target: has space for `frames × channels` samples, and must not overlap the planes.
    @_noLocks @_noAllocation
    public static func interleave(
        planes: UnsafePointer<Float>, planeStride: Int, channels: Int, to target: UnsafeMutablePointer<Float>,
        frames: Int
    ) {
        if channels == 2 { return interleave(planes, planes + planeStride, target, frames) }
        var channel = 0
        while channel < channels {
            let plane = planes + channel &* planeStride
            var frame = 0
            while frame < frames {
                target[frame &* channels &+ channel] = plane[frame]
                frame &+= 1
            }
            channel &+= 1
        }
    }

    /// Separates interleaved samples into planes.
    /// - Parameters:
    ///   - planes: the first sample of the first plane; must not overlap the source.
    ///   - planeStride: samples from the start of one plane to that of the next.
    @_noLocks @_noAllocation
    public static func deinterleave(
        _ source: UnsafePointer<Float>, channels: Int, toPlanes planes: UnsafeMutablePointer<Float>, planeStride: Int,
        frames: Int
    ) {
        if channels == 2 { return deinterleave(source, planes, planes + planeStride, frames) }
        var channel = 0
        while channel < channels {
            let plane = planes + channel &* planeStride
            var frame = 0
            while frame < frames {
                plane[frame] = source[frame &* channels &+ channel]
                frame &+= 1
            }
            channel &+= 1
        }
    }

    /// Copies interleaved frames in reverse order. vDSP: `vrvrs`, for frames.
    /// - Parameter target: must not overlap the source.
    @_noLocks @_noAllocation
    public static func reverse(
        _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, frames: Int, channels: Int
    ) {
        switch channels {
        case 1: reverse(mono: source, target, frames)
        case 2: reverse(stereo: source, target, frames)
        default:
            var frame = 0
            while frame < frames {
                copy(source + frame &* channels, to: target + (frames &- 1 &- frame) &* channels, count: channels)
                frame &+= 1
            }
        }
    }

    /// Reverses the order of interleaved frames in place.
    @_noLocks @_noAllocation
    public static func reverse(_ samples: UnsafeMutablePointer<Float>, frames: Int, channels: Int) {
        var head = samples
        var tail = samples + max(0, frames) &* channels
        if channels == 1 || channels == 2 {
            while tail - head >= 16 {
                tail -= 8
                swapReversed(head, tail, stereo: channels == 2)
                head += 8
            }
        }
        while tail - head > channels {
            tail -= channels
            swap(head, tail, count: channels)
            head += channels
        }
    }
}

extension VectorOperations {
    @_noLocks @_noAllocation
    private static func interleave(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) {
        var frame = 0
        while frame < frames {
            target[frame &* 2] = left[frame]
            target[frame &* 2 &+ 1] = right[frame]
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private static func deinterleave(
        _ source: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ frames: Int
    ) {
        var frame = 0
        while frame < frames {
            left[frame] = source[frame &* 2]
            right[frame] = source[frame &* 2 &+ 1]
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private static func reverse(
        mono source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        var frame = 0
        while frame < frames {
            target[frames &- 1 &- frame] = source[frame]
            frame &+= 1
        }
    }

    @_noLocks @_noAllocation
    private static func reverse(
        stereo source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        var frame = 0
        while frame < frames {
            let place = (frames &- 1 &- frame) &* 2
            target[place] = source[frame &* 2]
            target[place &+ 1] = source[frame &* 2 &+ 1]
            frame &+= 1
        }
    }

    @inline(__always) @_noLocks @_noAllocation
    private static func swap(
        _ one: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>, count: Int
    ) {
        var index = 0
        while index < count {
            (one[index], other[index]) = (other[index], one[index])
            index &+= 1
        }
    }
    /// Swaps eight samples with eight others, and reverses the order of the frames in both.
    @inline(__always) @_noLocks @_noAllocation
    private static func swapReversed(
        _ one: UnsafeMutablePointer<Float>, _ other: UnsafeMutablePointer<Float>, stereo: Bool
    ) {
        let (first, second) = (UnsafeMutableRawPointer(one), UnsafeMutableRawPointer(other))
        let front = first.loadUnaligned(as: SIMD8<Float>.self)
        let back = second.loadUnaligned(as: SIMD8<Float>.self)
        first.storeBytes(of: reversed(back, stereo: stereo), as: SIMD8<Float>.self)
        second.storeBytes(of: reversed(front, stereo: stereo), as: SIMD8<Float>.self)
    }

    @inline(__always) @_noLocks @_noAllocation
    private static func reversed(_ eight: SIMD8<Float>, stereo: Bool) -> SIMD8<Float> {
        stereo
            ? SIMD8(eight[6], eight[7], eight[4], eight[5], eight[2], eight[3], eight[0], eight[1])
            : SIMD8(eight[7], eight[6], eight[5], eight[4], eight[3], eight[2], eight[1], eight[0])
    }
}
