// SPDX-License-Identifier: GPL-3.0-or-later

/// Where to go on in the new version of an episode.
public enum Continuation: Sendable, Equatable {
    /// With this packet of the new version: what was heard of the content ends right before it.
    case at(Int64)
    /// More of the new version has to arrive before it can be told.
    case notYet
    /// Both versions go on for longer than a break with nothing in common: they were encoded anew, or are of different
    /// content. Only time can map one to the other.
    case unrelated
}

extension VersionAlignment {
    /// The longest break taken for one of advertisements, in packets: 6 minutes at 44.1 kHz.
    ///
    /// One number decides three things, for all ask whether a span may be a break: how far the new version has to go on
    /// behind the last common run before what was heard since is taken for one; how far apart the same packets may lie
    /// and still be of the same place, for an advertisement may have moved to another break; and when to give up.
    public static let longestBreak: Int64 = 13_782

    /// The longest beginning without anything in common, in packets, that is heard again rather than taken for a part
    /// of another encoding: 90 seconds at 44.1 kHz.
    public static let longestOpening: Int64 = 3446

    /// Where to go on so that each packet of the content is heard once.
    ///
    /// Inside a common run it is the very packet. In an inserted span it is the packet behind the last common run, so
    /// that the new version's break is heard whole. Fewer than 8 packets (0.2 s) heard behind a break are not found
    /// again: they are heard twice, not lost.
    /// - Parameters:
    ///   - packet: the packet of the old version to go on with, `0...oldCount`.
    ///   - newIsWhole: that no packet of the new version is to come.
    public func continuation(from packet: Int64, newIsWhole: Bool) -> Continuation {
        let runs = trustedRuns
        let before = runs.last { $0.oldStart <= packet } ?? .beginning
        guard packet > before.old.upperBound else { return .at(before.newStart + max(0, packet - before.oldStart)) }
        if let last = runs.last, last != before { return .at(before.new.upperBound) }
        let isFarBehind = newCount - before.new.upperBound >= Self.longestBreak
        guard isFarBehind || newIsWhole else { return .notYet }
        guard let last = runs.last else { return packet <= Self.longestOpening ? .at(0) : .unrelated }
        let wasBreak = packet - before.old.upperBound <= Self.longestBreak
        return !wasBreak && isFarBehind ? .unrelated : .at(last.new.upperBound)
    }

    /// The runs without those at the end that may be advertisements which moved to another break: farther from the runs
    /// before them than a break is long, and together not longer than one.
    private var trustedRuns: ArraySlice<Run> {
        var end = runs.count
        while end > 0 {
            var start = end - 1
            var common = runs[start].count
            while common <= Self.longestBreak, isNear(start) {
                guard start > 0 else { return runs[..<end] }
                start -= 1
                common += runs[start].count
            }
            guard common <= Self.longestBreak else { break }
            end = start
        }
        return runs[..<end]
    }

    /// Whether a break may be all there is, in each version, between the run and the one before it.
    private func isNear(_ index: Int) -> Bool {
        let previous = index > 0 ? runs[index - 1] : .beginning
        return runs[index].oldStart - previous.old.upperBound <= Self.longestBreak
            && runs[index].newStart - previous.new.upperBound <= Self.longestBreak
    }
}
