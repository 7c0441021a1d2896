// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Packets of AAC that are not where the tables place them, because an entry of a table is damaged: decision 81.
extension MP4Parser {
    /// The samples that must look right after a corrected place.
    private static let proof: Int64 = 6
    private static let leastProof = 3

    /// Looks for the sample at the position where its bytes do not look like a packet, and corrects its place or size.
    /// - Returns: true if the sample has changed.
    mutating func realign(_ sample: MediaSample) throws(Interruption) -> Bool {
        guard case .aac = track?.codec, let table, table.constantSize == 0 else { return false }
        guard pattern.examined != table.position.packet, try isSuspect(sample, table), let suspect = pattern.suspect
        else { return false }
        let hasChanged = suspect.begins ? try correctSize(of: sample, table) : try correctPlace(of: sample, table)
        pattern.countSearch(hasSucceeded: hasChanged)
        return hasChanged
    }

    /// Returns true if a sample does not look like a packet, and a search for it may succeed. The answer stays until
    /// the search is over, because the search may read at another place.
    private mutating func isSuspect(_ sample: MediaSample, _ table: SampleTable) throws(Interruption) -> Bool {
        let packet = table.position.packet
        if pattern.suspect?.packet == packet { return true }
        if sample.size <= longestPacket, !isBeyondEnd(sample.offset + sample.size) {
            guard try !looksRight(sample, table) else { return false }
        }
        guard pattern.isWorthSearching else { return false }
        let hasStart = !isBeyondEnd(sample.offset + 1)
        pattern.suspect = (packet, hasStart ? pattern.begins(try window.bytes(1, at: sample.offset)) : false)
        return true
    }

    private func isBeyondEnd(_ offset: Int64) -> Bool { offset > min(window.fileEnd ?? .max, ByteWindow.farthest) }

    /// Compares a sample, and the byte after it, with the packets before.
    private mutating func looksRight(_ sample: MediaSample, _ table: SampleTable) throws(Interruption) -> Bool {
        let end = sample.offset + sample.size
        let isFollowed = table.position.leftInChunk > 1 && !isBeyondEnd(end + 1)
        let bytes = try window.bytes(Int(sample.size) + (isFollowed ? 1 : 0), at: sample.offset)
        var isRight = pattern.matches(bytes.prefix(Int(sample.size)))
        if isFollowed { isRight = isRight && pattern.begins(bytes.suffix(1)) }
        pattern.count(isRight)
        // The end of a packet that looks damaged may be wrong.
        if isRight, let former = pattern.end, former.packet == table.position.packet, former.offset != sample.offset,
            pattern.examined != former.packet - 1
        {
            pattern.hasGaps = true
        }
        return isRight
    }

    /// Searches for the start of the next sample.
    private mutating func correctSize(of sample: MediaSample, _ table: SampleTable) throws(Interruption) -> Bool {
        let sizes = table.nextSizes(atMost: Self.proof)
        guard !sizes.isEmpty else { return false }
        let stated = sample.offset + sample.size
        let places = sample.offset + RawDataBlockPattern.shortest..<sample.offset + longestPacket
        let confirmed = pattern.hasGaps ? nil : table.nextOffsetBeforeNextChunk
        guard let next = try search(for: sizes, in: places, stated: stated, confirmed: confirmed), next != stated
        else { return false }
        self.table?.correction = (table.position.packet, next - sample.offset)
        return true
    }

    /// Searches for the start of the sample.
    private mutating func correctPlace(of sample: MediaSample, _ table: SampleTable) throws(Interruption) -> Bool {
        let sizes = [sample.size] + table.nextSizes(atMost: Self.proof - 1)
        // A wrong offset of a chunk may lie anywhere, but in most files each packet begins where the previous one ends.
        let expected = pattern.end.flatMap { $0.packet == table.position.packet ? $0.offset : nil } ?? sample.offset
        let places = max(0, expected - longestPacket)..<expected + longestPacket
        let confirmed = pattern.hasGaps ? nil : expected
        guard let start = try search(for: sizes, in: places, stated: sample.offset, confirmed: confirmed),
            start != sample.offset
        else { return false }
        self.table?.position.offset = start
        return true
    }

    /// Returns the place from which samples of these sizes look right.
    /// - Parameters:
    ///   - stated: the place according to the tables, which is preferred.
    ///   - confirmed: a place that other entries of the tables confirm, so that fewer samples are proof enough.
    private func search(
        for sizes: [Int64], in places: ByteRange, stated: Int64, confirmed: Int64?
    ) throws(Interruption) -> Int64? {
        let length = sizes.reduce(0, +)
        guard places.upperBound < ByteWindow.farthest, length <= Self.proof * longestPacket else { return nil }
        let bytes = try window.available(places.lowerBound..<places.upperBound + length)
        func fits(_ place: Int64, mayFill: Bool = false) -> Bool {
            places.contains(place)
                && pattern.matches(bytes, from: Int(place - places.lowerBound), sizes, mayFill: mayFill)
        }
        if fits(stated) { return stated }
        if let confirmed, fits(confirmed) { return confirmed }
        guard sizes.count >= Self.leastProof else { return nil }
        return fits(stated, mayFill: true) ? stated : places.first { fits($0) }
    }
}

/// The bits that the packets of a track have in common. Nearly all begin with the same element and tag: an encoder may
/// begin one in some hundreds with an element that fills it. Each ends with three set bits (ID_END) and zeros up to the
/// next byte. Source: ISO/IEC 14496-3 section 4.4.2.1.
struct RawDataBlockPattern: Sendable {
    /// The length in bytes of the shortest packet: one element without a coefficient.
    static let shortest: Int64 = 4
    private static let mask: UInt8 = 0xFE
    private static let enough = 8
    /// The elements without sound: data (ID_DSE), the configuration (ID_PCE) and filling (ID_FIL).
    private static let silentElements: ClosedRange<UInt8> = 4...6
    private static let mostFailures = 20

    /// The first byte of the packets.
    private var mark: UInt8?
    /// The number of packets that follow the pattern, at first without an exception, and of searches that found
    /// nothing.
    private var (regular, failures) = (0, 0)
    /// The packet that is searched for, and whether its first byte looks right.
    var suspect: (packet: Int64, begins: Bool)?
    /// The number of the packet after the last one returned since the last seek, and the end of that one.
    var end: (packet: Int64, offset: Int64)?
    /// True if something else lies between chunks of the track, as in a file with several tracks: the end of a chunk
    /// then does not show where the next one begins.
    var hasGaps = false
    /// The packet for which the last search was made, since the last seek.
    private(set) var examined: Int64?

    /// False if it is not known that the packets of the track follow a pattern.
    var isWorthSearching: Bool { regular >= Self.enough && failures < max(Self.mostFailures, regular / 4) }

    mutating func count(_ isRight: Bool) {
        if isRight { regular += 1 } else if regular < Self.enough { (regular, mark) = (0, nil) }
    }

    /// Forgets the search: the same packet may be read from another place.
    mutating func leave() { (examined, suspect, end) = (nil, nil, nil) }

    /// Ends the search for the suspect.
    mutating func countSearch(hasSucceeded: Bool) {
        (examined, suspect) = (suspect?.packet, nil)
        if !hasSucceeded { failures += 1 }
    }

    /// Returns true if bytes begin and end like a packet. The first packet defines the pattern.
    mutating func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
        if mark == nil { mark = bytes.first.map { $0 & Self.mask } }
        return begins(bytes) && Self.ends(bytes)
    }

    /// Returns true if packets of these sizes follow each other from an index on.
    /// - Parameter mayFill: true if packets may begin with an element without sound.
    func matches(_ bytes: ArraySlice<UInt8>, from index: Int, _ sizes: [Int64], mayFill: Bool) -> Bool {
        var start = bytes.startIndex + index
        for size in sizes {
            guard size > 0, Int(size) <= bytes.endIndex - start,
                begins(bytes[start...]) || mayFill && Self.silentElements ~= bytes[start] >> 5,
                Self.ends(bytes[start..<start + Int(size)])
            else { return false }
            start += Int(size)
        }
        return true
    }

    func begins(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.first.map { $0 & Self.mask } == mark }

    /// Returns true if bytes end like a packet. One of four random bytes does.
    static func ends(_ bytes: ArraySlice<UInt8>) -> Bool {
        let tail = bytes.suffix(2).reduce(0) { $0 << 8 | Int($1) }
        return tail != 0 && tail >> tail.trailingZeroBitCount & 7 == 7 && tail.trailingZeroBitCount < 8
    }
}
