// SPDX-License-Identifier: GPL-3.0-or-later

/// A finder of the common runs of an old version and a growing new version.
///
/// Shingles found in both versions are anchors. The longest chain of anchors that ascends in both versions determines
/// the runs, and each run is extended to both sides packet by packet. Runs that are still part of the chain are kept
/// from call to call.
struct RunFinder: Sendable {
    private struct Found {
        var run: VersionAlignment.Run
        /// The number of the last anchor in the run.
        var anchor: Int
    }

    private let old: PacketHashes
    private var index: ShingleIndex
    private(set) var chain = AnchorChain()
    /// The number of packets of the new version that were looked up.
    private var lookedUp = 0
    private var found: [Found] = []

    init(old: PacketHashes) {
        self.old = old
        index = old.withHashes { ShingleIndex($0) }
    }

    /// Compares the new version with the old one and returns their common runs.
    /// - Parameter new: the new version; each call passes the same packets or more.
    mutating func extend(with new: PacketHashes) -> [VersionAlignment.Run] {
        let old = old
        old.withHashes { old in
            new.withHashes { new in
                let pair = PacketPair(old: old, new: new)
                lookUp(pair)
                follow(pair)
            }
        }
        return found.map(\.run)
    }

    private mutating func lookUp(_ pair: PacketPair) {
        let end = min(pair.new.count, Int(Int32.max)) - PacketShingle.length + 1
        while lookedUp < end {
            let shingle = PacketShingle(pair.new, at: lookedUp)
            var isFound = false
            for place in index.positions(of: shingle) where PacketShingle(pair.old, at: Int(place)) == shingle {
                chain.append(old: place, new: Int32(lookedUp))
                isFound = true
            }
            if isFound { index.note(shingle) }
            lookedUp += 1
        }
    }

    /// Rebuilds the runs from the first change of the chain on.
    private mutating func follow(_ pair: PacketPair) {
        var fresh: [Int] = []
        var number = chain.last
        while let anchor = number {
            while let last = found.last, last.anchor > anchor { found.removeLast() }
            if found.last?.anchor == anchor { break }
            fresh.append(anchor)
            number = chain.anchors[anchor].previous.map(Int.init)
        }
        if number == nil { found.removeAll() }
        if let last = found.popLast() {
            found.append(Found(run: pair.extendedRight(last.run), anchor: last.anchor))
        }
        for anchor in fresh.reversed() { add(anchor, pair) }
    }

    private mutating func add(_ number: Int, _ pair: PacketPair) {
        let anchor = chain.anchors[number]
        let last = found.last?.run ?? .beginning
        // The number of this anchor's packets that the previous run already contains, if the two overlap.
        let taken = max(0, last.old.upperBound - Int64(anchor.old), last.new.upperBound - Int64(anchor.new))
        guard taken < PacketShingle.length else {
            if let end = found.indices.last { found[end].anchor = number }
            return
        }
        let rest = VersionAlignment.Run(
            oldStart: Int64(anchor.old) + taken, newStart: Int64(anchor.new) + taken,
            count: Int64(PacketShingle.length) - taken)
        let run = pair.extendedRight(pair.extendedLeft(rest, behind: last))
        found.append(Found(run: run, anchor: number))
    }
}
