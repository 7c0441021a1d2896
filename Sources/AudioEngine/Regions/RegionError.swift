// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

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
