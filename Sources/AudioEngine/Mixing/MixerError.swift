// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Why a mixer did not take what it was given.
public enum MixerError: Error, Sendable, Equatable {
    /// The source renders this mixer: the mix would be its own input.
    case cycle
    /// A gain or a pan that is not a number, or without end.
    case notFinite
    /// The input has neither the mixer's rate and channels nor that rate and one channel.
    case unsupported(AudioFormat)
    /// As many changes as it can hold are still to come; this one was not taken.
    case tooManyChanges
    /// A moment was given, and the mixer knows no clock.
    case noClock
}
