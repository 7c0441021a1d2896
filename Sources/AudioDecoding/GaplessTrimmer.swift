// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A filter that trims encoder delay and padding off decoded PCM, by absolute frame number, so that consecutive
/// episodes join without a gap.
///
/// Decoded frames are counted from the first frame of packet 0, even if that packet was not decoded. The frames in
/// `start..<end` are kept. `end` comes from a tag, and tags can be wrong, so the trimmer holds PCM from `end` on back
/// until the stream ends (`finish`). If the stream ends with the declared number of packets, the held PCM is dropped.
/// If it ends with another number, or if a packet beyond the declared ones follows, the tag is wrong: the held PCM is
/// emitted and the end is no longer trimmed. At most `holdLimit` frames are held; a tag that declares more padding is
/// also wrong.
public struct GaplessTrimmer: Sendable {
    /// The maximum number of held frames. A LAME tag can declare 4,095 frames of padding; `GaplessFacts` accepts up
    /// to 48,000 from iTunes.
    public static let holdLimit = 48 * 1024

    /// The first decoded frame to keep.
    public let start: Int64
    /// The first decoded frame of the padding; `nil` if the stream declares none or the tag turned out to be wrong.
    public private(set) var end: Int64?
    /// The first decoded frame to emit: `start` plus the target of a seek.
    private var first: Int64
    private var held: HeldFrames?

    /// - Parameters:
    ///   - start: encoder delay, including the decoder's own 529 frames.
    ///   - end: `nil` keeps everything; so does an end before `start`.
    public init(start: Int64, end: Int64?) {
        self.start = min(max(0, start), .max / 2)
        self.end = end.flatMap { [start = self.start] in $0 < start ? nil : $0 }
        first = self.start
    }

    /// The number of PCM frames held back.
    public var heldFrames: Int { held?.frames ?? 0 }

    /// Prepares for another position: drops the held frames, and from now on all frames before `target`.
    /// - Parameter target: counted in trimmed frames; 0 is the first kept frame.
    public mutating func seek(to target: Int64) {
        held = nil
        first = start + min(max(0, target), .max / 2)
    }

    /// Moves the start of the padding if the following packets have another number of frames than the previous ones.
    /// No effect without an end, or if the tag turned out to be wrong.
    public mutating func moveEnd(to end: Int64?) {
        if self.end != nil { self.end = end.map { max(start, $0) } }
    }

    /// Emits the held frames if another format follows: they were not padding at the end of the stream.
    public mutating func flushHeld(emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        guard let held else { return }
        self.held = nil
        held.samples.withUnsafeBufferPointer { put($0, at: held.frame, channels: held.channels, emit) }
    }

    /// Accepts the next decoded PCM and emits the frames that are neither trimmed nor held.
    /// - Parameters:
    ///   - frame: the number of the block's first decoded frame.
    ///   - declaredPacketsExceeded: true if the block comes from a packet beyond those the tag declared.
    ///   - emit: receives interleaved samples and the number of their first trimmed frame, in order, at most twice;
    ///     never an empty run. The samples are valid during the call.
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

    /// Ends the stream.
    /// - Parameters:
    ///   - hasDeclaredPackets: true if the stream had as many packets as the tag declared; the held frames are then
    ///     padding and dropped.
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

    /// Emits the held frames and stops trimming the end, because the tag is wrong.
    private mutating func release(emit: (UnsafeBufferPointer<Float>, Int64) -> Void) {
        end = nil
        flushHeld(emit: emit)
    }

    /// Emits the samples from frame `first` on.
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
