// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
public import Media

/// An error that explains why a sound cannot be loaded, or a voice cannot start. The voice then does not play.
public enum SamplerError: Error, Sendable, Equatable {
    /// The format does not have one or two channels at the sampler's rate, or it cannot be converted.
    case unsupportedFormat(AudioFormat)
    /// The file could not be read.
    case unreadable(AudioFileError)
    /// A part of the file is not yet available.
    case incomplete
    /// The sound requires more bytes in memory than the limit.
    case tooLarge(byteLimit: Int)
    /// The loop's points are reversed, equal, or outside the buffer.
    case loopOutside(start: Int, end: Int, frames: Int)
    /// The number of passes of a loop is less than 1.
    case loopTimes(Int)
    /// The gain or the pan is not a number.
    case notANumber
    /// All voices are in use: they play, wait or fade.
    case noVoiceLeft
    /// The rendering thread has not taken earlier commands yet.
    case queueFull
    /// A moment was given, but the sampler has no clock.
    case noClock
}
