// SPDX-License-Identifier: GPL-3.0-or-later

public enum DecodingError: Error, Sendable, Equatable {
    /// The codec library could not be set up: the operation and its own words.
    case cannotStart(operation: String, reason: String)
    /// A packet the codec refuses.
    case badPacket(reason: String)
    /// The resampler cannot convert between these rates.
    case unsupportedRate(from: Int, to: Int)
}
