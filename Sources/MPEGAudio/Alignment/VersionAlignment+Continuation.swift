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
    /// The longest possible advertisement break, in packets: 6 minutes at 44.1 kHz.
    ///
    /// The limit applies to three questions, because each asks whether a span may be a break. (1) How far the new
    /// version must continue after the last common run before the packets played since then count as a break. (2) How
    /// far apart the same packets may lie and still count as the same position, because an advertisement may have
    /// moved to another break. (3) When to stop the search.
    public static let longestBreak: Int64 = 13_782

    /// The longest beginning without a common run, in packets, that is played again instead of being treated as part
    /// of another encoding: 90 seconds at 44.1 kHz.
    public static let longestOpening: Int64 = 3446

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
        let isFarBehind = newCount - before.new.upperBound >= Self.longestBreak
        guard isFarBehind || newIsWhole else { return .notYet }
        guard let last = runs.last else { return packet <= Self.longestOpening ? .at(0) : .unrelated }
        let wasBreak = packet - before.old.upperBound <= Self.longestBreak
        return !wasBreak && isFarBehind ? .unrelated : .at(last.new.upperBound)
    }

    /// The runs without those at the end that may be advertisements which moved to another break: farther from the
    /// preceding runs than a break is long, and together not longer than a break.
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

    /// Returns true if, in each version, the distance between the run and the previous one is at most that of a
    /// break.
    private func isNear(_ index: Int) -> Bool {
        let previous = index > 0 ? runs[index - 1] : .beginning
        return runs[index].oldStart - previous.old.upperBound <= Self.longestBreak
            && runs[index].newStart - previous.new.upperBound <= Self.longestBreak
    }
}
