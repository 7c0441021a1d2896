// SPDX-License-Identifier: GPL-3.0-or-later

/// A stage that shortens pauses in speech.
///
/// A pause keeps at least 120 ms after the word and 120 ms before the next word. Its remaining length depends on
/// `trimming`, and on its own length: longer pauses stay longer. One fade of 15 ms replaces the rest; the frame in its
/// middle represents the omitted source frames, too. The first 2 s of an item, its first 3 s of speech, and its last
/// 5 s stay unchanged.
public struct PauseShortener: ProcessingStage {
    /// How much pauses are shortened, from the next pause on.
    public var trimming: SilenceTrimming
    /// The number of source frames of the item, if it is known. If nil, the last 5 s may be shortened, too.
    public var itemFrames: Int64?
    /// The number of source frames that were removed: the sum over all pieces of `sourceFrames` − `frames`.
    public private(set) var savedFrames: Int64 = 0

    private let rate: Int
    private let channels: Int
    private var detector: PauseDetector
    private var held: HeldFrames
    private var pause: (start: Int64, rule: PauseRule)?

    /// - Parameters:
    ///   - rate: the sample rate in Hz, 8000…192000.
    ///   - channels: the number of channels, 1 or more.
    public init(_ trimming: SilenceTrimming, rate: Int, channels: Int, itemFrames: Int64? = nil) {
        self.trimming = trimming
        self.itemFrames = itemFrames
        self.rate = rate
        self.channels = channels
        detector = PauseDetector(rate: rate, channels: channels)
        held = HeldFrames(channels: channels)
    }

    public mutating func process(_ input: MappedAudio.Slice, into output: inout MappedAudio) {
        var rest = input.samples[...]
        for piece in input.pieces {
            take(UnsafeBufferPointer(rebasing: rest.prefix(piece.frames * channels)), as: piece, into: &output)
            rest = rest.dropFirst(piece.frames * channels)
        }
        release(into: &output)
    }

    public mutating func finish(into output: inout MappedAudio) {
        if !held.isComplete { endPause(at: held.end, into: &output) }
        held.release(before: held.end, into: &output)
        restart()
    }

    public mutating func restart() {
        detector.restart()
        held.removeAll(next: 0)
        pause = nil
    }

    private mutating func take(
        _ samples: UnsafeBufferPointer<Float>, as piece: MappedAudio.Piece, into output: inout MappedAudio
    ) {
        if held.end != piece.sourceFrame || !piece.isPlain {
            finish(into: &output)
            held.removeAll(next: piece.sourceFrame)
        }
        guard piece.isPlain else { return output.append(samples, as: piece) }
        var rest = samples[...]
        while !rest.isEmpty {
            let frames = min(detector.framesToStep, rest.count / channels)
            let part = UnsafeBufferPointer(rebasing: rest.prefix(frames * channels))
            rest = rest.dropFirst(frames * channels)
            held.append(part)
            if let base = part.baseAddress, let isPause = detector.add(base, frames: frames) {
                endStep(isPause: isPause, into: &output)
            }
        }
    }

    private mutating func endStep(isPause: Bool, into output: inout MappedAudio) {
        let end = held.end
        let start = end - 2 * Int64(detector.step)
        guard isPause, isChangeable(from: start, to: end), let rule = PauseRule(trimming, rate: rate) else {
            return endPause(at: end - Int64(detector.step), into: &output)
        }
        let pause = pause ?? (start, rule)
        self.pause = pause
        guard pause.rule.length(of: Int(end - pause.start)) == pause.rule.longest else { return }
        release(into: &output)
        let first = pause.start + Int64(pause.rule.longest - margin + shift + fade)
        held.omit(from: first, to: end - Int64(margin))
    }
}

// MARK: Cut
extension PauseShortener {
    /// The frames that remain next to each word.
    private var margin: Int { rate * 3 / 25 }
    private var fade: Int { rate * 3 / 200 }
    /// The distance that a cut may move for a better match.
    private var shift: Int { rate / 200 }

    private func isChangeable(from start: Int64, to end: Int64) -> Bool {
        start >= 2 * Int64(rate) && itemFrames.map { end + 5 * Int64(rate) <= $0 } != false
    }

    /// Appends the frames that no cut can change: all, or those of the first part of a pause.
    private mutating func release(into output: inout MappedAudio) {
        guard let (start, rule) = pause else { return held.release(before: held.end, into: &output) }
        let length = rule.length(of: max(rule.shortest, Int(held.end - start) - detector.pending))
        held.release(before: start + Int64(length - margin - shift), into: &output)
    }

    /// Shortens the pause that ends at source frame `end`, if it is long enough.
    private mutating func endPause(at end: Int64, into output: inout MappedAudio) {
        guard let (start, rule) = pause else { return }
        pause = nil
        let pauseLength = Int(end - start)
        guard pauseLength >= rule.shortest else { return }
        let middle = start + Int64(rule.length(of: pauseLength) - margin)
        let next = end - Int64(margin)
        let range = max(held.start, middle - Int64(shift))...middle + Int64(shift)
        let match = held.bestMatch(in: range, middle: middle, to: next, count: fade, step: max(1, rate / 8000))
        held.cut(from: match.frame, to: next, fade: fade, correlation: match.correlation, into: &output)
        savedFrames += next - match.frame
    }
}
