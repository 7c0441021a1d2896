// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A section of a file and the time at which it plays. Apple's counterpart is `ScheduledAudioFileRegion`.
///
/// ```swift
/// FileRegion(file)                                                  // the whole file, after the previous region
/// FileRegion(file, startFrame: 44_100, frames: 22_050, loopCount: 3) // half a second, four times in all
/// FileRegion(file, at: 96_000)                                      // from the player's frame 96,000 on
/// ```
public struct FileRegion: Sendable {
    public var file: ScheduledFile
    /// The first frame, counted at the file's rate.
    public var startFrame: Int64
    /// The number of frames of the file; `nil` plays up to its end.
    public var frames: Int64?
    /// The number of repetitions after the first pass; `nil` repeats without end.
    public var loopCount: Int?
    /// The frame of the player, counted from its start time, at which the region begins. With `nil` it begins where
    /// the region scheduled before it ends, exact to the fraction of a frame, or as soon as possible if that time has
    /// passed.
    public var time: Int64?

    public init(
        _ file: ScheduledFile, startFrame: Int64 = 0, frames: Int64? = nil, loopCount: Int? = 0, at time: Int64? = nil
    ) {
        self.file = file
        self.startFrame = startFrame
        self.frames = frames
        self.loopCount = loopCount
        self.time = time
    }
}

/// An identifier of a region, unique among all regions of its player, also across resets.
public struct RegionID: Sendable, Hashable {
    let number: Int
}

/// The treatment of a region that is scheduled after its time has passed, and of a start time that has passed.
public enum LateStart: Sendable, Hashable {
    /// The part that should have played by then is left out; the rest plays at its time.
    case skip
    /// All of the region plays, later.
    case playLate
}

/// An error that explains why a region cannot be scheduled. The region does not play, and no completion is delivered.
public enum RegionError: Error, Sendable, Equatable {
    /// The file's reader delivers another format than the player's.
    case formatDiffers(file: AudioFormat, player: AudioFormat)
    /// The region begins before the start of its file.
    case negativeStartFrame(Int64)
    /// The region has 0 frames, or fewer; for example, its start is after its end.
    case noFrames(Int64)
    /// The region ends at `end`, its file at `length`, in frames of the file.
    case outsideFile(end: Int64, length: Int64)
    /// The region extends to the end of the file, whose length is not yet known.
    case unknownLength
    /// The loop count is less than 0.
    case negativeLoopCount(Int)
    /// The time stamp is before the player's frame 0.
    case beforeStart(Int64)
    /// The region follows one that repeats without end.
    case followsEndless
    /// The region would end after frame 2⁵⁰ of the player, centuries away.
    case tooLong
}
