// SPDX-License-Identifier: GPL-3.0-or-later

/// An error that explains why PCM cannot be converted. The reasons are phrases without a full stop.
public enum AudioConversionError: Error, Sendable, Equatable {
    /// The format has no channels, or more than 256.
    case unsupportedChannels(Int)
    /// The two rates cannot be converted into each other, or not by this converter.
    case unsupportedRate(from: Int, to: Int)
    /// The matrix is for other numbers of channels, or a gain in it is not finite.
    case unusableMatrix(reason: String)
    /// The library that converts rates could not be initialized.
    case cannotStart(reason: String)
}
