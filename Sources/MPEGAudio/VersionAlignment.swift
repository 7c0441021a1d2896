// SPDX-License-Identifier: GPL-3.0-or-later

/// What two versions of an episode have in common, packet by packet.
///
/// Hosts insert other advertisements at each request; the packets of the content stay the same to the byte. Either
/// version may be known in part, from its beginning on.
public struct VersionAlignment: Sendable, Equatable {
    /// A common run: packets on end that are the same in both versions. It is found by eight on end of which no two are
    /// alike, so that silence alone is none; where it would overlap the run before, that one keeps what it has.
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

        /// What may stand for the run before the first one.
        static let beginning = Run(oldStart: 0, newStart: 0, count: 0)

        /// Its packets in the old version.
        public var old: Range<Int64> { oldStart..<oldStart + count }
        /// Its packets in the new version.
        public var new: Range<Int64> { newStart..<newStart + count }
    }

    /// Where a packet of the old version is in the new one.
    public enum Place: Sendable, Equatable {
        /// It is in a common run: the very packet.
        case same(Int64)
        /// It is in an inserted span: the packet of the new version behind the last common run before it.
        case between(next: Int64)
        /// Nothing is in common, or there is no such packet.
        case unknown
    }

    /// The common runs, ascending in both versions, none empty.
    public let runs: [Run]
    /// Packets known of the old version.
    public let oldCount: Int64
    /// Packets known of the new version.
    public let newCount: Int64

    /// Time and memory grow with the sum of both lengths, whatever they hold.
    public init(old: PacketHashes, new: PacketHashes) {
        var finder = RunFinder(old: old)
        self.init(runs: finder.extend(with: new), oldCount: old.count, newCount: new.count)
    }

    init(runs: [Run], oldCount: Int64, newCount: Int64) {
        self.runs = runs
        self.oldCount = oldCount
        self.newCount = newCount
    }

    /// - Parameter packet: its number in the old version, or `oldCount` for the one behind the last one known.
    public func place(ofOld packet: Int64) -> Place {
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
