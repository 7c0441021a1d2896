// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Samples that contradict the tables.
extension MP4Parser {
    /// Corrects the size of a sample if those of the chunk of the position contradict its length. While the places of
    /// the chunks are unknown, reads them as soon as a packet looks wrong.
    /// - Returns: true if the sample at the position may have changed.
    mutating func correctChunk(of sample: MediaSample) throws(Interruption) -> Bool {
        guard let table else { return false }
        guard table.offsets != nil else { return try readPlaces(for: sample) }
        guard table.position.chunk != checkedChunk, let range = table.contradictedChunk else { return false }
        // The chunk of a truncated file is returned as the tables state it.
        if let end = window.fileEnd, end < range.upperBound { return false }
        let chunk = try window.bytes(Int(range.upperBound - range.lowerBound), at: range.lowerBound)
        checkedChunk = table.position.chunk
        guard let wrong = WrongSampleSize(among: table.chunkSizes, of: chunk) else { return false }
        self.table?.correction = (table.firstOfChunk + Int64(wrong.index), wrong.size)
        if table.position.packet > table.firstOfChunk { beginLocating(.packet(table.position.packet)) }
        return true
    }

    private mutating func readPlaces(for sample: MediaSample) throws(Interruption) -> Bool {
        guard hasRest else { return false }
        if sample.size <= longestPacket {
            let bytes = try window.bytes(Int(sample.size), at: sample.offset)
            guard !Self.isRawDataBlock(bytes) else { return false }
        }
        phase = .movie
        return true
    }

    /// Returns true if bytes end like a packet of AAC: three set bits (ID_END) and zeros up to the next byte, ISO/IEC
    /// 14496-3 section 4.4.2.1. One of four random bytes does.
    static func isRawDataBlock(_ bytes: ArraySlice<UInt8>) -> Bool {
        let tail = bytes.suffix(2).reduce(0) { $0 << 8 | Int($1) }
        return tail != 0 && tail >> tail.trailingZeroBitCount & 7 == 7 && tail.trailingZeroBitCount < 8
    }
}
