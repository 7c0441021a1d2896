// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Turns packets into PCM: the seam between the packet parser and a codec. Confined to one thread.
public protocol AudioDecoder: AnyObject {
    /// What it puts out, for its whole life.
    var format: AudioFormat { get }

    /// Decodes one whole packet.
    /// - Parameter pcm: of `format`; the packet's frames are put behind those it holds.
    /// - Returns: the PCM frames the packet made; always the same number for packets of one stream.
    /// - Throws: `DecodingError`; the decoder stays usable for the next packet.
    func decode(_ packet: UnsafeRawBufferPointer, into pcm: inout PCMBuffer) throws(DecodingError) -> Int

    /// Forgets all that came before, as after a seek.
    func reset() throws(DecodingError)
}
