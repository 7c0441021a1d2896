// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An error that a mixer or one of its inputs throws.
public enum MixerError: Error, Sendable, Equatable {
    /// The source renders this mixer, so the mix would be its own input.
    case cycle
    /// The gain or the pan is NaN or infinite.
    case notFinite
    /// The input has neither the mixer's rate and channels nor that rate and one channel.
    case unsupported(AudioFormat)
    /// The maximum number of changes is already pending; this change was rejected.
    case tooManyChanges
    /// The change begins at a moment, but the mixer has no clock.
    case noClock
}
