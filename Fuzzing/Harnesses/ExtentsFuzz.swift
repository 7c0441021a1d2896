// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

@testable import ProgressiveDownload

/// Compares extents with a bitmap while bytes are inserted and removed, and checks the next range to fetch.
@Sendable
func fuzzExtents(_ input: UnsafeRawBufferPointer) throws {
    var extents = ByteRangeSet()
    var bitmap = [Bool](repeating: false, count: ExtentsModel.length)
    for place in stride(from: 0, to: min(input.count - 2, 300), by: 3) {
        let bounds = [Int(input[place + 1]), Int(input[place + 2])].map { $0 % (ExtentsModel.length + 1) }.sorted()
        let range = Int64(bounds[0])..<Int64(bounds[1])
        let isInsertion = input[place] % 4 != 0
        if isInsertion { extents.insert(range) } else { extents.subtract(range) }
        for index in bounds[0]..<bounds[1] { bitmap[index] = isInsertion }
        try ExtentsModel(bitmap).holdAgrees(with: extents, probing: range)
        try ExtentsModel(bitmap).holdNext(of: extents, needed: Int64(input[place]) - 20, limit: range.upperBound)
    }
}

/// The available bytes, one flag per byte.
private struct ExtentsModel {
    static let length = 64
    private let bitmap: [Bool]

    init(_ bitmap: [Bool]) { self.bitmap = bitmap }

    func holdAgrees(with extents: ByteRangeSet, probing range: ByteRange) throws {
        let ranges = extents.ranges
        try hold(ranges.allSatisfy { !$0.isEmpty }, "no extent is empty")
        try hold(
            zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "extents are never adjacent")
        try hold(
            Set(ranges.flatMap { $0 }) == Set(bitmap.indices.filter { bitmap[$0] }.map(Int64.init)),
            "the extents hold the same bytes as the bitmap")
        let probe = Int(range.lowerBound) % Self.length
        let end = bitmap[probe...].firstIndex(of: false) ?? Self.length
        try hold(extents.contiguousEnd(from: Int64(probe)) == end, "contiguous bytes end at the first missing byte")
        try hold(
            extents.firstGap(in: range)?.lowerBound == firstMissing(in: range),
            "the first gap begins at the first missing byte")
        try hold(extents.contains(range) == (firstMissing(in: range) == nil), "a range without a gap is contained")
    }

    private func firstMissing(in range: ByteRange) -> Int64? {
        bitmap[Int(range.lowerBound)..<Int(range.upperBound)].firstIndex(of: false).map { Int64($0) }
    }

    /// Checks the next gap to fetch: it is missing, exists while any byte is missing, and its request covers all of
    /// it.
    func holdNext(of extents: ByteRangeSet, needed: Int64, limit: Int64) throws {
        let stored = StoredContent(entity: Representation(total: Int64(Self.length)), extents: extents)
        try hold(stored.isWhole == !bitmap.contains(false), "a file is whole if no byte is missing")
        guard let gap = stored.nextGap(needed: needed, limit: limit) else {
            return try hold(stored.isWhole, "an incomplete file has a next gap")
        }
        try hold(!gap.isEmpty && gap.upperBound <= Self.length, "a gap is a nonempty range of the file")
        let isThere = bitmap[Int(gap.lowerBound)..<Int(gap.upperBound)].contains(true)
        try hold(!isThere, "a gap contains only missing bytes")
        guard case .rest(let start, let end) = stored.request(for: gap) else {
            return try hold(extents.isEmpty, "a request for the whole file is made only if nothing is stored")
        }
        try hold(
            0...gap.lowerBound ~= start && end ?? gap.upperBound >= gap.upperBound, "a request covers the whole gap")
    }
}
