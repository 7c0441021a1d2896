// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// What is held of one version of an enclosure.
struct Holding: Sendable, Equatable {
    /// Validator and length, as far as they are known.
    var entity = KnownEntity()
    /// The address that answered last; for the record only, requests always go to the enclosure's own address.
    var finalURL: String?
    var extents = ByteRangeSet()

    /// What speaks for the same version in a response; `nil` while no byte is held.
    var known: KnownEntity? { extents.isEmpty ? nil : entity }

    var isWhole: Bool {
        guard let total = entity.total, total > 0 else { return false }
        return extents.contains(0..<total)
    }

    /// The first missing stretch, with a few held bytes before it that are asked for again and compared: a server
    /// that has another version without saying so shows it there.
    func nextAsk() -> DownloadStateMachine.Ask {
        let bounds = 0..<max(entity.total ?? .max, 1)
        guard !extents.isEmpty, let gap = extents.firstGap(in: bounds) else { return .whole }
        let heldBefore = extents.ranges.last { $0.upperBound == gap.lowerBound }.map { Int64($0.count) } ?? 0
        let end = gap.upperBound < bounds.upperBound ? gap.upperBound : nil
        return .rest(from: gap.lowerBound - min(heldBefore, Self.overlap), to: end)
    }

    static let overlap: Int64 = 4096
}
