// SPDX-License-Identifier: GPL-3.0-or-later

/// The common runs of two versions of an episode, found packet by packet.
///
/// Hosts insert other advertisements at each request; the packets of the content stay identical. Either version may
/// be incomplete, known from its beginning on.
public struct VersionAlignment: Sendable, Equatable {
    /// A common run: consecutive packets that are identical in both versions. A run is found by eight consecutive
    /// packets that all differ from each other, so silence alone is not a run. A run that would overlap the previous
    /// one is shortened.
    public struct Run: Sendable, Equatable {
        /// The number of its first packet in the old version.
        public let oldStart: Int64
        /// The number of its first packet in the new version.
        public let newStart: Int64
        public let count: Int64

        public init(oldStart: Int64, newStart: Int64, count: Int64) {
            self.oldStart = oldStart
            self.newStart = newStart
            self.count = count
        }

        /// An empty run that serves as the predecessor of the first run.
        static let beginning = Run(oldStart: 0, newStart: 0, count: 0)

        /// The packets of the run in the old version.
        public var old: Range<Int64> { oldStart..<oldStart + count }
        /// The packets of the run in the new version.
        public var new: Range<Int64> { newStart..<newStart + count }
    }

    /// The position in the new version of a packet of the old one.
    public enum Position: Sendable, Equatable {
        /// The packet is in a common run: the same packet.
        case same(Int64)
        /// The packet is in an inserted span: the packet of the new version after the last common run before it.
        case between(next: Int64)
        /// The versions have no common run, or the packet does not exist.
        case unknown
    }

    /// The common runs, ascending in both versions, none empty.
    public let runs: [Run]
    /// The number of known packets of the old version.
    public let oldCount: Int64
    /// The number of known packets of the new version.
    public let newCount: Int64
    let limits: BreakLengths

    /// Compares two versions. Time and memory are proportional to the sum of both lengths for any content.
    public init(old: PacketHashes, new: PacketHashes) {
        var finder = RunFinder(old: old)
        self.init(runs: finder.extend(with: new), oldCount: old.count, newCount: new.count)
    }

    init(runs: [Run], oldCount: Int64, newCount: Int64, limits: BreakLengths = .mpeg) {
        self.limits = limits
        self.runs = runs
        self.oldCount = oldCount
        self.newCount = newCount
    }

    /// Returns the position of a packet in the new version.
    /// - Parameter packet: its number in the old version, or `oldCount` for the packet after the last known one.
    public func position(ofOld packet: Int64) -> Position {
        guard !runs.isEmpty, (0...oldCount).contains(packet) else { return .unknown }
        guard let run = runs.last(where: { $0.oldStart <= packet }) else { return .between(next: 0) }
        guard packet < run.old.upperBound else { return .between(next: run.new.upperBound) }
        return .same(run.newStart + packet - run.oldStart)
    }

    /// The spans of packets of the old version that are in no common run.
    public var insertedInOld: [Range<Int64>] { Self.gaps(runs.map(\.old), upTo: oldCount) }

    /// The spans of packets of the new version that are in no common run.
    public var insertedInNew: [Range<Int64>] { Self.gaps(runs.map(\.new), upTo: newCount) }

    private static func gaps(_ runs: [Range<Int64>], upTo count: Int64) -> [Range<Int64>] {
        zip([0] + runs.map(\.upperBound), runs.map(\.lowerBound) + [count]).map { $0..<max($0, $1) }
            .filter { !$0.isEmpty }
    }
}
