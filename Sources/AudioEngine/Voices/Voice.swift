// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The gains of a voice in the first two channels.
struct VoiceLevel: BitwiseCopyable, Sendable, Hashable {
    var left: Float
    var right: Float

    @_noLocks @_noAllocation
    init(left: Float, right: Float) {
        self.left = left
        self.right = right
    }

    /// - Parameters:
    ///   - source: the buffer's channels, 1 or 2.
    ///   - output: the graph's channels. With one channel the pan has no effect: both channels of a buffer play in
    ///     it, each by half.
    init(gain: Float, pan: Float, source: Int, output: Int) {
        let law = PanLaw(pan: pan, channels: source)
        switch (source, output) {
        case (1, 1): (left, right) = (gain, 0)
        case (_, 1): (left, right) = (gain / 2, gain / 2)
        default: (left, right) = (gain * law.left, gain * law.right)
        }
    }

    var loudest: Float { @_noLocks @_noAllocation get { left > right ? left : right } }
}

/// A level that moves in a straight line between two frames of the graph's timeline. The level of a frame does not
/// depend on how the frames are divided into slices.
struct LevelRamp: BitwiseCopyable, Sendable {
    private var from: VoiceLevel
    private(set) var target: VoiceLevel
    private var start: Int64 = .min
    private var length: Int64 = 0

    /// Creates a constant level.
    @_noLocks @_noAllocation
    init(_ level: VoiceLevel) { (from, target) = (level, level) }

    /// The first frame that has the target.
    var end: Int64 { @_noLocks @_noAllocation get { length == 0 ? .min : start.addingClamped(length - 1) } }

    /// Moves the level, beginning with its value before `frame`, so that the `length`th frame from there on has the
    /// target; with a `length` of 0, the first one.
    @_noLocks @_noAllocation
    mutating func move(to level: VoiceLevel, from frame: Int64, over length: Int64) {
        from = self.level(at: frame.subtractingClamped(1))
        target = level
        start = frame
        self.length = length > 1 ? length : 1
    }

    @_noLocks @_noAllocation
    func level(at frame: Int64) -> VoiceLevel {
        guard frame < end else { return target }
        guard frame >= start else { return from }
        let part = Float(Int32(truncatingIfNeeded: frame - start + 1)) / Float(Int32(truncatingIfNeeded: length))
        return VoiceLevel(
            left: from.left + (target.left - from.left) * part, right: from.right + (target.right - from.right) * part)
    }
}

/// A voice in the rendering thread. Frames are the graph's.
///
/// `@unchecked Sendable`: the samples never change, and are retained until the end of the voice was reported.
struct Voice: BitwiseCopyable, @unchecked Sendable {
    let id: VoiceID
    let samples: UnsafePointer<Float>
    let channels: Int
    let path: LoopPath
    /// The number of frames over which the voice fades when it is stopped.
    private(set) var fade: Int64
    /// The first frame; set when the rendering thread takes the start command.
    var start: Int64 = 0
    var ramp: LevelRamp
    /// The frame at which the voice starts to fade.
    private(set) var stop: Int64 = .max
    private var stopReason = VoiceEnd.Reason.stopped

    init(id: VoiceID, buffer: SampleBuffer, path: LoopPath, fade: Int64, level: VoiceLevel) {
        self.id = id
        samples = buffer.samples
        channels = buffer.format.channels
        self.path = path
        self.fade = fade
        ramp = LevelRamp(level)
    }

    private var naturalEnd: Int64 { @_noLocks @_noAllocation get { start.addingClamped(path.length) } }

    /// The frame after the last one of the voice.
    var end: Int64 {
        @_noLocks @_noAllocation get {
            let faded = stop.addingClamped(fade)
            return faded < naturalEnd ? faded : naturalEnd
        }
    }

    var reason: VoiceEnd.Reason { @_noLocks @_noAllocation get { stop < naturalEnd ? stopReason : .finished } }

    /// Returns true if the voice counts toward the maximum number of voices; a voice that fades does not.
    @_noLocks @_noAllocation
    func counts(at frame: Int64) -> Bool { frame < stop && frame < naturalEnd }

    /// Fades the voice from `frame` on, unless it fades earlier.
    @_noLocks @_noAllocation
    mutating func stop(at frame: Int64, because reason: VoiceEnd.Reason) {
        guard frame < stop else { return }
        stop = frame
        stopReason = reason
    }

    /// Ends the voice at `frame`, so that it never plays.
    @_noLocks @_noAllocation
    mutating func silence(at frame: Int64) {
        start = frame
        stop = frame
        fade = 0
    }

    /// Ends the voice where it would begin.
    @_noLocks @_noAllocation
    mutating func refuse() {
        silence(at: start)
        stopReason = .refused
    }

    /// Returns the gain of the fade at a frame that is `stop` or later. The steps are equal, and the gain is above 0
    /// until the end.
    @_noLocks @_noAllocation
    func fadeFactor(at frame: Int64) -> Float {
        1 - Float(Int32(truncatingIfNeeded: frame - stop + 1)) / Float(Int32(truncatingIfNeeded: fade + 1))
    }
}
