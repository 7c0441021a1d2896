// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Why a region cannot be scheduled. Nothing of it is played then, and no completion comes.
public enum RegionError: Error, Sendable, Equatable {
    /// The file delivers another format than the player's.
    case formatDiffers(file: AudioFormat, player: AudioFormat)
    /// The region begins before its file does.
    case negativeStartFrame(Int64)
    /// 0 frames, or fewer: what a start behind the end makes of a region.
    case noFrames(Int64)
    /// The region ends at `end`, its file at `length`, in frames of the file.
    case outsideFile(end: Int64, length: Int64)
    /// All frames up to the end are asked for, and how many there are is not known yet.
    case unknownLength
    case negativeLoopCount(Int)
    /// The time stamp is before the player's frame 0.
    case beforeStart(Int64)
    /// It follows one that is repeated for ever.
    case followsEndless
    /// It would end behind frame 2⁵⁰ of the player, centuries away.
    case tooLong
}
