// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds where to go on in a new version of an episode while it still arrives.
///
/// It keeps an index of the old version and what was found so far: each call costs what the new version has grown by.
public struct ContinuationFinder: Sendable {
    private let packet: Int64
    private let oldCount: Int64
    private var finder: RunFinder

    /// - Parameters:
    ///   - old: all that is known of the old version, what was not played yet included: it helps to find the place.
    ///   - packet: the packet to go on with, `0...old.count`; `nil`: all that is known was heard.
    public init(old: PacketHashes, packet: Int64? = nil) {
        self.packet = min(max(0, packet ?? old.count), old.count)
        oldCount = old.count
        finder = RunFinder(old: old)
    }

    /// - Parameters:
    ///   - new: the new version from its first packet on; each time the same or longer.
    ///   - isWhole: that no packet of it is to come.
    public mutating func extend(with new: PacketHashes, isWhole: Bool) -> Continuation {
        VersionAlignment(runs: finder.extend(with: new), oldCount: oldCount, newCount: new.count)
            .continuation(from: packet, newIsWhole: isWhole)
    }
}
