// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
public import Media

/// Why a sound cannot be loaded, or a voice cannot start. Nothing is heard of it then.
public enum SamplerError: Error, Sendable, Equatable {
    /// Not one or two channels at the sampler's rate, or nothing that can be converted.
    case unsupportedFormat(AudioFormat)
    case unreadable(AudioFileError)
    /// Not all of the file has arrived.
    case incomplete
    /// It takes more bytes in memory than may be.
    case tooLarge(byteLimit: Int)
    /// The loop's points are reversed, equal, or outside the buffer.
    case loopOutside(start: Int, end: Int, frames: Int)
    /// A loop is played once or oftener.
    case loopTimes(Int)
    /// The gain or the pan is not a number.
    case notANumber
    /// As many voices sound, wait and fade as there is room for.
    case noVoiceLeft
    /// The rendering thread has not taken earlier commands yet.
    case queueFull
    /// A moment was given, and the sampler knows no clock.
    case noClock
}
