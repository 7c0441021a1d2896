// SPDX-License-Identifier: GPL-3.0-or-later

/// The listener's corrections of the times of a transcript. Each advertisement that only the audio contains makes all
/// later times of the document too early. A pure value.
public struct TranscriptShifts: Sendable, Equatable {
    /// A correction of all times from one on.
    public struct Step: Sendable, Equatable {
        /// The first corrected time of the document.
        public var start: Duration
        /// The time that is added, besides that of earlier steps.
        public var shift: Duration

        public init(start: Duration, shift: Duration) { (self.start, self.shift) = (start, shift) }
    }

    /// Ascending by their starts, which differ.
    public private(set) var steps: [Step] = []

    public init(_ steps: [Step] = []) {
        for step in steps { set(step.shift, at: step.start) }
    }

    /// The correction at the beginning of the document.
    public var first: Duration { steps.first { $0.start == .zero }?.shift ?? .zero }

    /// The sum of the corrections of a time of the document.
    public func shift(at time: Duration) -> Duration {
        steps.prefix { $0.start <= time }.reduce(.zero) { $0 + $1.shift }
    }

    /// Replaces the correction at a time of the document.
    mutating func set(_ shift: Duration, at start: Duration) {
        steps.removeAll { $0.start == start }
        guard shift != .zero else { return }
        steps.insert(Step(start: start, shift: shift), at: steps.firstIndex { $0.start > start } ?? steps.endIndex)
    }

    /// Returns the corrections with another one.
    /// - Parameters:
    ///   - shift: the time to add; zero removes the correction.
    ///   - time: the corrected time from which it applies. The time that an earlier correction had replaces that one;
    ///     any other is added to those before. `nil` is the beginning, where zero removes all.
    public func with(_ shift: Duration, from time: Duration?) -> TranscriptShifts {
        if time == nil, shift == .zero { return TranscriptShifts() }
        var changed = self
        let (start, isSame) = time.map(start) ?? (.zero, true)
        let present = isSame || shift == .zero ? .zero : steps.first { $0.start == start }?.shift ?? .zero
        changed.set(present + shift, at: start)
        return changed
    }

    /// Returns the time of the document for a corrected time, and true if a correction was made at exactly this time.
    /// A time within the gap that a correction makes belongs to this correction.
    private func start(at time: Duration) -> (time: Duration, isSame: Bool) {
        var (start, isSame, shift) = (max(.zero, time), false, Duration.zero)
        for step in steps {
            let end = step.start + shift
            guard end <= time else { break }
            shift += step.shift
            isSame = time == end
            start = isSame || time < step.start + shift ? step.start : max(.zero, time - shift)
        }
        return (start, isSame)
    }
}
