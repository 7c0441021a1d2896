// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers

/// A check of the codebooks in a Vorbis setup header, before libvorbis reads them.
///
/// A codebook of a few bytes can declare millions of entries. libvorbis allocates up to 64 MB for each of 256
/// codebooks, and 12 bytes per entry on the stack, which overflows.
enum VorbisCodebooks {
    /// The most entries of one codebook: 768 KB of stack. libvorbisenc uses up to 6,561.
    private static let entryLimit = 1 << 16
    /// The most values of all codebooks together, about 7 MB. libvorbisenc uses up to 88,000.
    private static let valueLimit = 1 << 19

    /// - Throws: `DecodingError.badPacket`.
    static func check(_ setup: [UInt8]) throws(DecodingError) {
        guard setup.starts(with: [5] + Array("vorbis".utf8)) else { throw .badPacket(reason: "no Vorbis setup header") }
        guard let codebooks = VorbisSetup.codebooks(of: setup[...]) else { throw damaged }
        var values = 0
        for codebook in codebooks {
            values += max(1, codebook.dimensions) * codebook.entries
            guard codebook.entries <= entryLimit, values <= valueLimit else { throw damaged }
        }
    }

    private static let damaged = DecodingError.badPacket(reason: "the Vorbis codebooks are damaged")
}
