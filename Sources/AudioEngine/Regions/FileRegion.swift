// SPDX-License-Identifier: GPL-3.0-or-later

/// A stretch of a file, and when it is played: `ScheduledAudioFileRegion` elsewhere.
///
/// ```swift
/// FileRegion(file)                                                  // all of it, behind the region before
/// FileRegion(file, startFrame: 44_100, frames: 22_050, loopCount: 3) // half a second, four times in all
/// FileRegion(file, at: 96_000)                                      // from the player's frame 96,000 on
/// ```
public struct FileRegion: Sendable {
    public var file: ScheduledFile
    /// The first frame, counted at the file's own rate.
    public var startFrame: Int64
    /// How many frames of the file; `nil` is all up to its end.
    public var frames: Int64?
    /// How often it is repeated after it was played once; `nil` is for ever.
    public var loopCount: Int?
    /// The frame of the player, counted from its start time, at which it begins; `nil`: where the region scheduled
    /// before it ends, to the exact fraction of a frame, or as soon as can be if that is over.
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

/// Names a region among all of its player, reset or not.
public struct RegionID: Sendable, Hashable {
    let number: Int
}

/// What happens with a region whose time has passed when it is scheduled, or with a start time that has.
public enum LateStart: Sendable, Hashable {
    /// What should have been heard by then is left out; the rest is heard in its place.
    case skip
    /// All of it is heard, later.
    case playLate
}
