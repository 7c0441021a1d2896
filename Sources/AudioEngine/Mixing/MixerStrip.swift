// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers

/// The rendering thread's state of one mixer input: its gains, each of which moves in straight lines.
struct MixerStrip: BitwiseCopyable {
    private var gain: LinearRamp
    /// The gain of fades; 0 while the input is muted, only other inputs are soloed, or the input is leaving.
    private(set) var audibility: LinearRamp
    private var left: LinearRamp
    private var right: LinearRamp
    private let fadeFrames: Int

    /// - Parameter fadeFrames: the length, in PCM frames, of the fade when the input is added, removed, muted or
    ///   unmuted.
    init(gain: Float, place: PanLaw, fadeFrames: Int) {
        self.gain = LinearRamp(gain)
        left = LinearRamp(place.left)
        right = LinearRamp(place.right)
        audibility = LinearRamp(0)
        self.fadeFrames = fadeFrames
    }

    private var isMoving: Bool {
        @_noLocks @_noAllocation get { gain.isMoving || audibility.isMoving || left.isMoving || right.isMoving }
    }

    @_noLocks @_noAllocation
    mutating func setAudible(_ isAudible: Bool) {
        let target: Float = isAudible ? 1 : 0
        if audibility.target != target { audibility.move(to: target, over: fadeFrames) }
    }

    @_noLocks @_noAllocation
    mutating func begin(_ change: ParameterChange) {
        switch change.parameter {
        case .gain: gain.move(to: change.first, over: change.frames)
        case .pan:
            left.move(to: change.first, over: change.frames)
            right.move(to: change.second, over: change.frames)
        }
    }

    /// Adds `frames` frames to `output` while no gain moves.
    /// - Parameter channels: the channels of `output`; `source` has as many, or one.
    /// - Returns: false, without adding anything, if a gain moves or if more than two channels have different gains.
    @_noLocks @_noAllocation
    func addSteady(
        _ source: UnsafePointer<Float>, channels sourceChannels: Int, to output: UnsafeMutablePointer<Float>,
        channels: Int, frames: Int
    ) -> Bool {
        if isMoving { return false }
        let level = gain.value * audibility.value
        if level == 0 { return true }
        let (left, right) = (left.value * level, right.value * level)
        if channels == 1 {
            VectorOperations.add(source, to: output, count: frames, gain: level)
        } else if sourceChannels == 1, channels == 2 {
            addMono(source, left: left, right: right, to: output, frames: frames)
        } else if sourceChannels == 1 {
            addMono(source, left: left, right: right, to: output, channels: channels, frames: frames)
        } else if left == right, left == level {
            VectorOperations.add(source, to: output, count: frames &* channels, gain: level)
        } else if channels == 2 {
            addStereo(source, left: left, right: right, to: output, frames: frames)
        } else {
            return false
        }
        return true
    }

    /// Writes `frames` frames with their gains applied to `output`, and moves the gains frame by frame.
    @_noLocks @_noAllocation
    mutating func place(
        _ source: UnsafePointer<Float>, channels sourceChannels: Int, into output: UnsafeMutablePointer<Float>,
        channels: Int, frames: Int
    ) {
        var frame = 0
        while frame < frames {
            let level = gain.next() * audibility.next()
            let (left, right) = (left.next() * level, right.next() * level)
            var channel = 0
            while channel < channels {
                let isThere = channel < sourceChannels || (sourceChannels == 1 && channel < 2)
                let sample = isThere ? source[frame &* sourceChannels &+ (sourceChannels == 1 ? 0 : channel)] : 0
                let own = channels == 1 || channel > 1 ? level : (channel == 0 ? left : right)
                output[frame &* channels &+ channel] = sample * own
                channel &+= 1
            }
            frame &+= 1
        }
    }
}
