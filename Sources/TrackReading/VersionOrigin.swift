// SPDX-License-Identifier: GPL-3.0-or-later
package import MPEGAudio

/// A position in the old version.
package struct VersionOrigin: Equatable {
    /// The packet to continue with, counted from the first hashed one; `nil` if it is not among the hashed packets.
    package let packet: Int64?
    /// The hashes of consecutive packets of the version.
    package let hashes: PacketHashes
    /// The approximate number of packets before the hashed ones.
    package let first: Int64
    /// The codec of the packets.
    package let coding: PacketCoding
    /// The lengths of breaks in packets.
    package let limits: BreakLengths
}

/// A codec whose packets are equal in two versions of an episode if their sound is.
package enum PacketCoding: Equatable {
    case mpeg, aac, opus, vorbis, flac
}
