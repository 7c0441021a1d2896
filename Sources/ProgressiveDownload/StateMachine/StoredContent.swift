// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The stored content of one version of an enclosure.
struct StoredContent: Sendable, Equatable {
    /// The validator and the length, if known.
    var entity = Representation()
    /// The address that answered last, for information only: requests always use the enclosure's own address.
    var finalURL: String?
    var extents = ByteRangeSet()

    /// The number of contiguous bytes stored from the beginning.
    var lead: Int64 { extents.contiguousEnd(from: 0) }

    /// The representation that a response must match; `nil` while no byte is stored.
    var known: Representation? { extents.isEmpty ? nil : entity }

    var isWhole: Bool {
        guard let total = entity.total, total > 0 else { return false }
        return extents.contains(0..<total)
    }

    /// The same content with an unknown length.
    var withoutLength: Self {
        var content = self
        content.entity.total = nil
        return content
    }

    /// Returns the missing range to fetch next: the first one from `needed` on or, if no byte is missing there, the
    /// first of all. A range is fetched from its beginning, unless `needed` is far inside it.
    func nextGap(needed: Int64, limit: Int64) -> ByteRange? {
        let bounds = 0..<max(entity.total ?? .max, 1)
        let place = min(max(0, needed), bounds.upperBound - 1)
        guard let gap = extents.firstGap(in: place..<bounds.upperBound) else { return extents.firstGap(in: bounds) }
        let start = extents.ranges.last { $0.upperBound <= gap.lowerBound }?.upperBound ?? 0
        return gap.lowerBound - start <= limit ? start..<gap.upperBound : gap
    }

    /// Returns a request for a missing range that overlaps the stored bytes on both sides. Comparing the overlap
    /// reveals a server that has another version without declaring it.
    func request(for gap: ByteRange?, overlap: Int64 = overlap) -> DownloadStateMachine.RangeRequest {
        guard !extents.isEmpty, let gap else { return .whole }
        let before = extents.ranges.last { $0.upperBound == gap.lowerBound }.map { Int64($0.count) } ?? 0
        let after = extents.ranges.first { $0.lowerBound == gap.upperBound }.map { Int64($0.count) } ?? 0
        let end = after > 0 ? gap.upperBound + min(after, overlap) : nil
        return .rest(from: gap.lowerBound - min(before, overlap), to: end)
    }

    /// Not a multiple of the blocks in which servers write: a connection that breaks after a block of the overlap would
    /// look like one that ends the file there.
    static let overlap: Int64 = 5003
    /// The overlap with a response of another validator.
    static let longOverlap = 16 * overlap
}
