// SPDX-License-Identifier: GPL-3.0-or-later

/// The position at which playback continues in the new version of an episode.
public enum Continuation: Sendable, Equatable {
    /// Continue with this packet of the new version: the content played so far ends right before it.
    case at(Int64)
    /// The result depends on more packets of the new version.
    case notYet
    /// Both versions continue for longer than a break without a common run: they are different encodings or different
    /// content. Positions can be mapped only by time.
    case unrelated
}

extension VersionAlignment {
    /// Returns the position at which to continue so that each packet of the content is played once.
    ///
    /// Inside a common run the result is the same packet. In an inserted span it is the packet after the last common
    /// run, so that the new version's break is played from its start. If fewer than 8 packets (0.2 s) were played
    /// after a break, they are not found in the new version: they are played twice, not lost.
    /// - Parameters:
    ///   - packet: the packet of the old version to continue with, `0...oldCount`.
    ///   - newIsWhole: true if no more packets of the new version follow.
    public func continuation(from packet: Int64, newIsWhole: Bool) -> Continuation {
        let runs = trustedRuns
        let before = runs.last { $0.oldStart <= packet } ?? .beginning
        guard packet > before.old.upperBound else { return .at(before.newStart + max(0, packet - before.oldStart)) }
        if let last = runs.last, last != before { return .at(before.new.upperBound) }
        let isFarBehind = newCount - before.new.upperBound >= limits.longestBreak
        guard isFarBehind || newIsWhole else { return .notYet }
        guard let last = runs.last else { return packet <= limits.longestOpening ? .at(0) : .unrelated }
        let wasBreak = packet - before.old.upperBound <= limits.longestBreak
        return !wasBreak && isFarBehind ? .unrelated : .at(last.new.upperBound)
    }

    /// The runs without those at the end that may be advertisements which moved to another break: farther from the
    /// preceding runs than a break is long, and together not longer than a break.
    private var trustedRuns: ArraySlice<Run> {
        var end = runs.count
        while end > 0 {
            var start = end - 1
            var common = runs[start].count
            while common <= limits.longestBreak, isNear(start) {
                guard start > 0 else { return runs[..<end] }
                start -= 1
                common += runs[start].count
            }
            guard common <= limits.longestBreak else { break }
            end = start
        }
        return runs[..<end]
    }

    /// Returns true if, in each version, the distance between the run and the previous one is at most that of a
    /// break.
    private func isNear(_ index: Int) -> Bool {
        let previous = index > 0 ? runs[index - 1] : .beginning
        return runs[index].oldStart - previous.old.upperBound <= limits.longestBreak
            && runs[index].newStart - previous.new.upperBound <= limits.longestBreak
    }
}
