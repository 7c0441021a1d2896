// SPDX-License-Identifier: GPL-3.0-or-later

/// Why PCM cannot be converted. The reasons are phrases without a full stop.
public enum AudioConversionError: Error, Sendable, Equatable {
    /// A format of no channels, or of more than 256.
    case unsupportedChannels(Int)
    /// The two rates cannot be converted into each other, or not here.
    case unsupportedRate(from: Int, to: Int)
    /// A matrix that is for other numbers of channels, or holds what is not a finite number.
    case unusableMatrix(reason: String)
    /// The library that converts rates could not be set up.
    case cannotStart(reason: String)
}
