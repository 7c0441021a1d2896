// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds where to go on in a new version of an episode while it still arrives.
///
/// It keeps an index of the old version and what was found so far: each call costs what the new version has grown by.
public struct ContinuationFinder: Sendable {
    private let packet: Int64
    private let oldCount: Int64
    private let first: Int64
    private var finder: RunFinder

    /// - Parameters:
    ///   - old: all that is known of the old version, what was not played yet included: it helps to find the place.
    ///   - packet: the packet to go on with, `0...old.count`; `nil`: all that is known was heard.
    ///   - first: about how many packets lie in front of those that are known; then only the very packet will do.
    public init(old: PacketHashes, packet: Int64? = nil, first: Int64 = 0) {
        self.packet = min(max(0, packet ?? old.count), old.count)
        oldCount = old.count
        self.first = max(0, first)
        finder = RunFinder(old: old)
    }

    /// - Parameters:
    ///   - new: the new version from its first packet on; each time the same or longer.
    ///   - isWhole: that no packet of it is to come.
    public mutating func extend(with new: PacketHashes, isWhole: Bool) -> Continuation {
        let alignment = VersionAlignment(
            runs: finder.extend(with: new), oldCount: oldCount, newCount: new.count)
        guard first > 0 else { return alignment.continuation(from: packet, newIsWhole: isWhole) }
        // The packet behind the last one known belongs to the run that ends there.
        if let run = alignment.runs.last(where: { $0.oldStart <= packet }), packet <= run.old.upperBound {
            return .at(run.newStart + packet - run.oldStart)
        }
        let isFarBehind = new.count - packet - VersionAlignment.longestBreak >= first
        return isWhole || isFarBehind ? .unrelated : .notYet
    }
}
