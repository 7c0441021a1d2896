// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

extension Voice {
    /// Adds the part of the voice that plays within a slice.
    /// - Parameters:
    ///   - output: the slice, `frames × outputChannels`, interleaved.
    ///   - first: the slice's first frame.
    @_noLocks @_noAllocation
    func mix(into output: UnsafeMutablePointer<Float>, channels outputChannels: Int, from first: Int64, frames: Int) {
        var frame = first > start ? first : start
        let last = min(end, first.addingClamped(Int64(frames)))
        while frame < last {
            let run = path.run(at: frame - start)
            let steady = steadyEnd(from: frame)
            let count = min(run.count, min(steady ?? movingEnd(from: frame), last) - frame)
            let source = samples + Int(run.start) * channels
            let target = output + Int(frame - first) * outputChannels
            if steady != nil {
                addSteady(source, channels, ramp.target, to: target, outputChannels, Int(count))
            } else {
                addMoving(source, to: target, outputChannels, from: frame, Int(count))
            }
            frame += count
        }
    }

    /// Returns the frame up to which the level stays the same as at `frame`; `nil` if it moves.
    @_noLocks @_noAllocation
    private func steadyEnd(from frame: Int64) -> Int64? { frame >= ramp.end && frame < stop ? stop : nil }

    /// Returns the frame up to which the level moves in the same way.
    @_noLocks @_noAllocation
    private func movingEnd(from frame: Int64) -> Int64 {
        if frame >= stop { return .max }
        return ramp.end < stop ? ramp.end : stop
    }

    @_noLocks @_noAllocation
    private func addMoving(
        _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ outputChannels: Int,
        from first: Int64, _ frames: Int
    ) {
        var index = 0
        while index < frames {
            let frame = first + Int64(index)
            let level = ramp.level(at: frame)
            let factor = frame < stop ? 1 : fadeFactor(at: frame)
            addFrames(
                source + index * channels, channels,
                VoiceLevel(left: level.left * factor, right: level.right * factor),
                to: target + index * outputChannels, outputChannels, 1)
            index &+= 1
        }
    }
}

/// Adds frames at one level. The common formats have separate loops, because the optimizer vectorizes only loops in
/// which it knows the distance between samples.
@_noLocks @_noAllocation
private func addSteady(
    _ source: UnsafePointer<Float>, _ sourceChannels: Int, _ level: VoiceLevel,
    to target: UnsafeMutablePointer<Float>, _ targetChannels: Int, _ frames: Int
) {
    switch (sourceChannels, targetChannels) {
    case (1, 1): VectorOperations.add(source, to: target, count: frames, gain: level.left)
    case (1, 2): addFrames(source, 1, level, to: target, 2, frames)
    case (2, 2): addFrames(source, 2, level, to: target, 2, frames)
    default: addFrames(source, sourceChannels, level, to: target, targetChannels, frames)
    }
}

@inline(__always) @_noLocks @_noAllocation
private func addFrames(
    _ source: UnsafePointer<Float>, _ sourceChannels: Int, _ level: VoiceLevel,
    to target: UnsafeMutablePointer<Float>, _ targetChannels: Int, _ frames: Int
) {
    let sourceRight = sourceChannels > 1 ? 1 : 0
    let targetRight = targetChannels > 1 ? 1 : 0
    var frame = 0
    while frame < frames {
        let (from, to) = (frame &* sourceChannels, frame &* targetChannels)
        target[to] += source[from] * level.left
        target[to &+ targetRight] += source[from &+ sourceRight] * level.right
        frame &+= 1
    }
}
