// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Trims encoder delay and padding off decoded PCM, by absolute frame number, so that consecutive episodes join
/// without a gap.
///
/// Decoded frames are counted from the first of packet 0, whether or not it was decoded. Those in `start..<end` are
/// kept. `end` comes from a tag, and tags lie: PCM from there on is held back until the stream ends (`finish`) with the
/// packets the tag declared, and it is dropped; or with another number of packets, or until one comes beyond them, and
/// it is put out, the tag being wrong, and nothing is trimmed at the end any more. At most `holdLimit` frames are held;
/// padding beyond that is a lie too.
public struct GaplessTrimmer: Sendable {
    /// A LAME tag can state 4,095 frames of padding; `GaplessFacts` believes 48,000 of iTunes.
    public static let holdLimit = 48 * 1024

    /// The first decoded frame to keep.
    public let start: Int64
    /// The first decoded frame of the padding; `nil` when there is none, or no longer.
    public private(set) var end: Int64?
    /// The first decoded frame to put out: behind `start` by a seek's target.
    private var first: Int64
    private var held: HeldFrames?

    /// - Parameters:
    ///   - start: encoder delay with the decoder's own 529 frames.
    ///   - end: `nil` keeps everything; so does an end in front of `start`.
    public init(start: Int64, end: Int64?) {
        self.start = min(max(0, start), .max / 2)
        self.end = end.flatMap { [start = self.start] in $0 < start ? nil : $0 }
        first = self.start
    }

    /// The PCM frames held back now.
    public var heldFrames: Int { held?.frames ?? 0 }

    /// Another place follows: drops what is held, and from now on all that lies before `target`.
    /// - Parameter target: counted in trimmed frames; 0 is the first kept frame.
    public mutating func seek(to target: Int64) {
        held = nil
        first = start + min(max(0, target), .max / 2)
    }

    /// The packets that follow make other numbers of frames than those before: the padding begins elsewhere. Without
    /// effect where no end is believed any more.
    public mutating func moveEnd(to end: Int64?) {
        if self.end != nil { self.end = end.map { max(start, $0) } }
    }

    /// Puts out what is held: another format follows, so it was no padding at the end of the stream.
    public mutating func putOutHeld(emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        guard let held else { return }
        self.held = nil
        held.samples.withUnsafeBufferPointer { put($0, at: held.frame, channels: held.channels, emit) }
    }

    /// Takes the next decoded PCM and puts out what is to be played now.
    /// - Parameters:
    ///   - frame: the number of the block's first decoded frame.
    ///   - declaredPacketsExceeded: whether the block comes from a packet beyond those the tag declared.
    ///   - emit: is handed interleaved samples and the trimmed frame they begin with, in order, at most twice; never
    ///     an empty run. The samples are valid during the call.
    public mutating func accept(
        _ block: borrowing PCMBuffer, at frame: Int64, declaredPacketsExceeded: Bool,
        emit: (UnsafeBufferPointer<Float>, Int64) -> Void
    ) {
        let channels = block.format.channels
        if declaredPacketsExceeded { release(emit: emit) }
        guard let end else { return put(block.samples, at: frame, channels: channels, emit) }
        let kept = Int(min(max(0, end - frame), Int64(block.frames)))
        put(.init(rebasing: block.samples[..<(kept * channels)]), at: frame, channels: channels, emit)
        hold(.init(rebasing: block.samples[(kept * channels)...]), at: frame + Int64(kept), channels: channels)
        if heldFrames > Self.holdLimit { release(emit: emit) }
    }

    /// The stream ends here.
    /// - Parameters:
    ///   - hasDeclaredPackets: whether it had as many packets as the tag declared: then what is held was padding.
    ///   - emit: as for `accept`; called at most once.
    public mutating func finish(hasDeclaredPackets: Bool, emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        if !hasDeclaredPackets { release(emit: emit) }
        held = nil
    }
}

extension GaplessTrimmer {
    private struct HeldFrames: Sendable {
        let frame: Int64
        let channels: Int
        var samples: [Float]

        var frames: Int { samples.count / channels }
    }

    private mutating func hold(_ samples: UnsafeBufferPointer<Float>, at frame: Int64, channels: Int) {
        guard !samples.isEmpty else { return }
        if held == nil { held = HeldFrames(frame: frame, channels: channels, samples: []) }
        held?.samples.append(contentsOf: samples)
    }

    /// The tag lied: puts out what is held and trims no end any more.
    private mutating func release(emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        end = nil
        putOutHeld(emit: emit)
    }

    /// Puts out what lies at `first` and behind.
    private func put(
        _ samples: UnsafeBufferPointer<Float>, at frame: Int64, channels: Int,
        _ emit: (UnsafeBufferPointer<Float>, Int64) -> Void
    ) {
        let frames = Int64(samples.count / channels)
        let skipped = min(max(0, first - frame), frames)
        guard skipped < frames else { return }
        emit(.init(rebasing: samples[(Int(skipped) * channels)...]), frame + skipped - start)
    }
}
