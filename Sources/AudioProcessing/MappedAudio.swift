// SPDX-License-Identifier: GPL-3.0-or-later

/// Interleaved PCM in the order of playback, and the source frames that it represents: the unit that the processing
/// stages exchange.
///
/// A stage may shorten or lengthen the sound. Each piece states which source frames it represents, so a position is
/// looked up and never computed from a speed: errors cannot add up.
public struct MappedAudio: Sendable {
    /// Consecutive output frames, and the consecutive source frames that they represent, linearly.
    public struct Piece: Sendable, Equatable {
        /// The first source frame.
        public var sourceFrame: Int64
        /// The number of source frames; 0 or more.
        public var sourceFrames: Int
        /// The number of output frames; more than 0.
        public var frames: Int
        /// The number of the source frames that a shortened pause omits; 0…`sourceFrames`. The other difference between
        /// `sourceFrames` and `frames` is that of the speed.
        public var cutFrames: Int

        public init(sourceFrame: Int64, sourceFrames: Int, frames: Int, cutFrames: Int = 0) {
            self.sourceFrame = sourceFrame
            self.sourceFrames = sourceFrames
            self.frames = frames
            self.cutFrames = cutFrames
        }

        /// True if each output frame represents one source frame.
        public var isPlain: Bool { frames == sourceFrames && cutFrames == 0 }

        /// Returns the part of `cutFrames` that the output frames before `offset` represent, rounded down.
        func cutFrames(before offset: Int) -> Int { offset * cutFrames / frames }

        /// Returns the source frame that output frame `offset` represents, rounded down.
        public func sourceFrame(at offset: Int) -> Int64 {
            sourceFrame + Int64(offset) * Int64(sourceFrames) / Int64(frames)
        }

        /// Returns the part that begins at output frame `offset` and has `count` output frames. Parts that touch in
        /// the output touch in the source, too, and their `cutFrames` add up.
        public func part(from offset: Int, count: Int) -> Piece {
            if offset == 0, count == frames { return self }
            if isPlain { return Piece(sourceFrame: sourceFrame + Int64(offset), sourceFrames: count, frames: count) }
            let start = sourceFrame(at: offset)
            let end = sourceFrame(at: offset + count)
            return Piece(
                sourceFrame: start, sourceFrames: Int(end - start), frames: count,
                cutFrames: cutFrames(before: offset + count) - cutFrames(before: offset))
        }

        /// Returns true if `next` follows without a gap and both are plain, so that one piece can describe both.
        func joins(_ next: Piece) -> Bool {
            isPlain && next.isPlain && sourceFrame + Int64(sourceFrames) == next.sourceFrame
        }
    }

    public let channels: Int
    /// The samples, including `taken` frames at the front that were removed.
    private var storage: [Float] = []
    private var taken = 0
    /// The pieces in the order of playback; together they have `frames` frames.
    public private(set) var pieces: [Piece] = []

    public init(channels: Int) { self.channels = channels }

    /// The number of output frames.
    public var frames: Int { storage.count / channels - taken }

    /// Calls `body` with the samples, `frames × channels`.
    public func withSamples<Result>(_ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        storage.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[(taken * channels)...])) }
    }

    /// Appends samples, `piece.frames × channels`.
    public mutating func append(_ samples: UnsafeBufferPointer<Float>, as piece: Piece) {
        precondition(samples.count == piece.frames * channels, "samples and piece differ in length")
        guard piece.frames > 0 else { return }
        storage.append(contentsOf: samples)
        append(piece)
    }

    /// Appends the frames and pieces of a slice of another value.
    public mutating func append(_ slice: Slice) {
        storage.append(contentsOf: slice.samples)
        for piece in slice.pieces { append(piece) }
    }

    private mutating func append(_ piece: Piece) {
        guard let last = pieces.last, last.joins(piece) else { return pieces.append(piece) }
        pieces[pieces.count - 1].frames += piece.frames
        pieces[pieces.count - 1].sourceFrames += piece.sourceFrames
    }

    /// Removes the first `count` output frames.
    public mutating func removeFirst(_ count: Int) {
        taken += count
        var left = count
        var whole = 0
        while left > 0, whole < pieces.count, pieces[whole].frames <= left {
            left -= pieces[whole].frames
            whole += 1
        }
        pieces.removeFirst(whole)
        if left > 0 { pieces[0] = pieces[0].part(from: left, count: pieces[0].frames - left) }
        // Moving the rest costs time in proportion to it, so it is done seldom.
        guard taken >= frames * 2 else { return }
        storage.removeFirst(taken * channels)
        taken = 0
    }

    public mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        taken = 0
    }

    /// Changes the samples in place.
    public mutating func modifySamples(_ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        let start = taken * channels
        storage.withUnsafeMutableBufferPointer { body(UnsafeMutableBufferPointer(rebasing: $0[start...])) }
    }
}
