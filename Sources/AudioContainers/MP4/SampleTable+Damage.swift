// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Chunks that contradict the tables, because an entry of a table is damaged. In a file with one track, each chunk
/// begins where the previous one ends, so the entries confirm each other.
extension SampleTable {
    /// A chunk that is longer than the bytes that inspecting it is worth.
    private static let longestChunk: Int64 = 256 << 10

    /// Returns true if a chunk begins at the end of the previous one rather than at the offset that the table states.
    /// - Parameter next: the chunk, not yet entered; `offset` is the end of the previous one.
    func isMisplaced(_ next: Position, at stated: Int64) -> Bool {
        guard let size = size(ofChunkAt: next.packet, next), let end = loadedOffset(ofChunk: next.chunk + 1)
        else { return false }
        return next.offset + size == end && stated + size != end
    }

    /// The first sample of the chunk of the position.
    var firstOfChunk: Int64 { position.packet - (position.samplesPerChunk - position.leftInChunk) }

    /// The bytes of the chunk of the position, if the sizes of its samples do not fill them; `nil` if they do, and if
    /// that is not known.
    var contradictedChunk: ByteRange? {
        let start = position.packet == firstOfChunk ? position.offset : loadedOffset(ofChunk: position.chunk)
        guard position.leftInChunk > 0, let start, let size = size(ofChunkAt: firstOfChunk, position),
            let end = loadedOffset(ofChunk: position.chunk + 1), start < end, start + size != end,
            end - start <= Self.longestChunk, position.isContiguous || isNextContiguous
        else { return nil }
        return start..<end
    }

    /// True if the chunk after that of the position begins and ends where the table states.
    private var isNextContiguous: Bool {
        let packet = firstOfChunk + position.samplesPerChunk
        guard position.chunk + 1 < position.runEnd, let start = loadedOffset(ofChunk: position.chunk + 1),
            let size = size(ofChunkAt: packet, position)
        else { return false }
        return start + size == loadedOffset(ofChunk: position.chunk + 2)
    }

    /// The loaded sizes of the samples in the chunk of the position.
    var chunkSizes: [Int64] { (firstOfChunk..<firstOfChunk + position.samplesPerChunk).map { sizes.number(at: $0) } }

    /// Returns the sum of the sizes of a chunk's samples; `nil` unless all are loaded.
    private func size(ofChunkAt firstPacket: Int64, _ run: Position) -> Int64? {
        guard constantSize == 0, run.samplesPerChunk <= sizes.loaded.count, firstPacket >= sizes.loaded.lowerBound,
            firstPacket <= sizes.loaded.upperBound - run.samplesPerChunk
        else { return nil }
        return (firstPacket..<firstPacket + run.samplesPerChunk).reduce(0) { $0 + sizes.number(at: $1) }
    }

    private func loadedOffset(ofChunk chunk: Int64) -> Int64? {
        offsets.flatMap { $0.loaded.contains(chunk) ? min($0.number(at: chunk), ByteWindow.farthest) : nil }
    }
}

/// A search for the one sample of a chunk whose size the table states wrongly.
///
/// The samples before it have their right places counted from the start of the chunk, those after it counted back from
/// its end. Codecs begin each packet of a track with the same bits (AAC with the element and its tag, ISO/IEC 14496-3
/// table 4.3; Opus with the configuration, RFC 6716 section 3.1), so the bytes show which sample it is.
struct WrongSampleSize {
    let index: Int
    let size: Int64

    /// The bits of the first byte that packets have in common.
    private static let commonBits: UInt8 = 0xFE

    /// - Returns: `nil` if the bytes do not show exactly one sample.
    init?(among sizes: [Int64], of chunk: ArraySlice<UInt8>) {
        let excess = sizes.reduce(0, +) - Int64(chunk.count)
        guard let mark = chunk.first.map({ $0 & Self.commonBits }) else { return nil }
        func begins(at place: Int64) -> Bool {
            (0..<Int64(chunk.count)).contains(place)
                && chunk[chunk.startIndex + Int(place)] & Self.commonBits == mark
        }
        let starts = sizes.dropLast().reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
        let (before, after) = (starts.map(begins), starts.map { begins(at: $0 - excess) })
        // The number of samples that do not begin like the first one if the last sample, then an earlier one is wrong.
        var misses = before.count { !$0 }
        var (least, found) = (misses, sizes.count - 1)
        let usual = Int64(chunk.count / sizes.count)
        for index in sizes.indices.dropLast().reversed() {
            misses += (before[index + 1] ? 0 : -1) + (after[index + 1] ? 0 : 1)
            guard misses <= least, sizes[index] > excess else { continue }
            // A sample may begin like the others by chance. The size that is closer to the usual one is then likelier.
            let isLikelier =
                found < sizes.count - 1 && abs(sizes[index] - excess - usual) < abs(sizes[found] - excess - usual)
            if misses < least || isLikelier { (least, found) = (misses, index) }
        }
        // A wrong size of the last sample moves no other one.
        guard found < sizes.count - 1, least * 10 <= sizes.count else { return nil }
        (index, size) = (found, sizes[found] - excess)
    }
}
