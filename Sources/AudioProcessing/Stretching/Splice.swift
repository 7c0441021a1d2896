// SPDX-License-Identifier: GPL-3.0-or-later

/// A crossfade from one place of the input to another: `start` frames are copied, then `fade` frames fade from `start`
/// to `target`, and the input continues after the fade from `target`.
///
/// Frames are dropped if `target` is after `start`, and repeated if it is before.
struct Splice: Equatable, Sendable {
    var start: Int
    var target: Int
    var fade: Int

    /// The input frames that the splice consumes.
    var consumed: Int { target + fade }
    /// The output frames that the splice produces.
    var produced: Int { start + fade }
    /// The input frames that the splice reads.
    var extent: Int { max(start, target) + fade }

    /// Returns the splice with a fade that is short enough to read at most `space` frames; nil if that fade is shorter
    /// than `shortestFade`.
    func fitting(_ space: Int, shortestFade: Int) -> Splice? {
        guard extent > space else { return self }
        let fade = space - max(start, target)
        return fade < shortestFade ? nil : Splice(start: start, target: target, fade: fade)
    }
}
