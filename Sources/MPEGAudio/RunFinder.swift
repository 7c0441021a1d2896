// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the runs common to an old version and a new one that grows.
///
/// Grams found in both are anchors; the longest chain of them that ascends in both versions names the runs, and each is
/// extended to both sides packet by packet. Runs that the chain still goes through are kept from call to call.
struct RunFinder: Sendable {
    private struct Found {
        var run: VersionAlignment.Run
        /// The number of the last anchor taken into it.
        var anchor: Int
    }

    private let old: PacketHashes
    private var index: GramIndex
    private(set) var chain = AnchorChain()
    /// Packets of the new version looked up.
    private var lookedUp = 0
    private var found: [Found] = []

    init(old: PacketHashes) {
        self.old = old
        index = old.withHashes { GramIndex($0) }
    }

    /// - Parameter new: each time the same or longer.
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
        let end = min(pair.new.count, Int(Int32.max)) - PacketGram.length + 1
        while lookedUp < end {
            let gram = PacketGram(pair.new, at: lookedUp)
            var isFound = false
            for place in index.places(of: gram) where PacketGram(pair.old, at: Int(place)) == gram {
                chain.append(old: place, new: Int32(lookedUp))
                isFound = true
            }
            if isFound { index.note(gram) }
            lookedUp += 1
        }
    }

    /// Makes the runs anew from where the chain has changed.
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
        for anchor in fresh.reversed() { take(anchor, pair) }
    }

    private mutating func take(_ number: Int, _ pair: PacketPair) {
        let anchor = chain.anchors[number]
        let last = found.last?.run ?? .beginning
        // What the run before has taken already, where its end and this anchor overlap.
        let taken = max(0, last.old.upperBound - Int64(anchor.old), last.new.upperBound - Int64(anchor.new))
        guard taken < PacketGram.length else {
            if let end = found.indices.last { found[end].anchor = number }
            return
        }
        let rest = VersionAlignment.Run(
            oldStart: Int64(anchor.old) + taken, newStart: Int64(anchor.new) + taken,
            count: Int64(PacketGram.length) - taken)
        let run = pair.extendedRight(pair.extendedLeft(rest, behind: last))
        found.append(Found(run: run, anchor: number))
    }
}
