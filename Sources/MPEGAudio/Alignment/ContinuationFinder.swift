// SPDX-License-Identifier: GPL-3.0-or-later

/// A finder of the position at which playback continues in a new version of an episode while that version is still
/// arriving.
///
/// The finder keeps an index of the old version and its intermediate results, so the cost of each call is
/// proportional to the growth of the new version.
public struct ContinuationFinder: Sendable {
    private let packet: Int64
    private let oldCount: Int64
    private let first: Int64
    private let limits: BreakLengths
    private var finder: RunFinder

    /// - Parameters:
    ///   - old: all known hashes of the old version; those not yet played help to find the position.
    ///   - packet: the packet to continue with, `0...old.count`; `nil` if all known packets have been played.
    ///   - first: the approximate number of packets before the known ones; if it is positive, only an exact match
    ///     counts.
    ///   - limits: the lengths of breaks in packets of the codec.
    public init(old: PacketHashes, packet: Int64? = nil, first: Int64 = 0, limits: BreakLengths = .mpeg) {
        self.limits = limits
        self.packet = min(max(0, packet ?? old.count), old.count)
        oldCount = old.count
        self.first = max(0, first)
        finder = RunFinder(old: old)
    }

    /// Compares the new version with the old one and returns the position to continue at.
    /// - Parameters:
    ///   - new: the new version from its first packet on; each call passes the same packets or more.
    ///   - isWhole: true if no more packets of it follow.
    public mutating func extend(with new: PacketHashes, isWhole: Bool) -> Continuation {
        let alignment = VersionAlignment(
            runs: finder.extend(with: new), oldCount: oldCount, newCount: new.count, limits: limits)
        guard first > 0 else { return alignment.continuation(from: packet, newIsWhole: isWhole) }
        // The packet after the last known one belongs to the run that ends there.
        if let run = alignment.runs.last(where: { $0.oldStart <= packet }), packet <= run.old.upperBound {
            return .at(run.newStart + packet - run.oldStart)
        }
        let isFarBehind = new.count - packet - limits.longestBreak >= first
        return isWhole || isFarBehind ? .unrelated : .notYet
    }
}
