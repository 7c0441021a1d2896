// SPDX-License-Identifier: GPL-3.0-or-later

/// An error of a decoder or a resampler.
public enum DecodingError: Error, Sendable, Equatable {
    /// The library could not be set up: the failed operation and the library's error message.
    case cannotStart(operation: String, reason: String)
    /// The codec rejects the packet.
    case badPacket(reason: String)
    /// The resampler cannot convert between these rates.
    case unsupportedRate(from: Int, to: Int)
}
