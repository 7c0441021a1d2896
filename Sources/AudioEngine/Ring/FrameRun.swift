// SPDX-License-Identifier: GPL-3.0-or-later

/// A run of consecutive PCM frames of one playlist item. It travels beside its samples through a ring.
public struct FrameRun: Sendable, Equatable, BitwiseCopyable {
    /// The generation of the run. Every opening of an item and every seek raises it; runs of a discarded generation
    /// are stale.
    public var generation: UInt32
    /// The number of the playlist item.
    public var item: UInt32
    /// The first frame's number in the item, at the ring's rate, after trimming.
    public var sourceFrame: Int64
    /// The number of output frames in this run; 0 is valid for a run that only carries a mark.
    public var frames: Int32
    /// The number of source frames that this run represents, linearly; it differs from `frames` where the speed of the
    /// sound was changed.
    public var sourceFrames: Int32
    /// The number of source frames that shortened pauses omit in this run; the rest of the difference between
    /// `sourceFrames` and `frames` is that of the speed.
    public var cutFrames: Int32
    /// The flags of this run.
    public var mark: Mark
    /// The number of changes of the item's version before this run. Each version counts its frames from its own start.
    public var version: UInt16

    /// Flags that mark the first and the last run of an item.
    public struct Mark: OptionSet, Sendable, BitwiseCopyable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        // Computed, because a stored static is initialized on first use, under a lock.
        /// The item's first run since it was opened.
        public static var first: Mark { Mark(rawValue: 1) }
        /// No run of the item follows.
        public static var last: Mark { Mark(rawValue: 2) }
    }

    /// Returns the part that begins at `offset` and has `count` frames. Only the first part keeps the mark `first`,
    /// only the final part keeps `last`.
    @_noLocks @_noAllocation
    public func part(from offset: Int, count: Int) -> FrameRun {
        var part = self
        let start = sourceFrame(at: Int64(offset))
        part.sourceFrame = start
        part.sourceFrames = Int32(truncatingIfNeeded: sourceFrame(at: Int64(offset + count)) &- start)
        let cut = cutFrames(before: Int64(offset + count)) &- cutFrames(before: Int64(offset))
        part.cutFrames = Int32(truncatingIfNeeded: cut)
        part.frames = Int32(truncatingIfNeeded: count)
        let head: UInt8 = offset > 0 ? 1 : 0
        let tail: UInt8 = offset + count < Int(frames) ? 2 : 0
        part.mark = Mark(rawValue: mark.rawValue & ~(head | tail))
        return part
    }

    /// Returns the source frame that output frame `offset` of this run represents, rounded down.
    @_noLocks @_noAllocation
    func sourceFrame(at offset: Int64) -> Int64 {
        guard frames != sourceFrames, frames != 0 else { return sourceFrame &+ offset }
        return sourceFrame &+ offset &* Int64(sourceFrames) / Int64(frames)
    }

    /// Returns the omitted frames that the output frames before `offset` represent, rounded down.
    @_noLocks @_noAllocation
    private func cutFrames(before offset: Int64) -> Int64 {
        guard cutFrames != 0, frames != 0 else { return 0 }
        return offset &* Int64(cutFrames) / Int64(frames)
    }

    /// - Parameter sourceFrames: the source frames of the run; `nil` for as many as `frames`.
    public init(
        generation: UInt32, item: UInt32, version: UInt16 = 0, sourceFrame: Int64, frames: Int32,
        sourceFrames: Int32? = nil, cutFrames: Int32 = 0, mark: Mark = []
    ) {
        self.generation = generation
        self.item = item
        self.version = version
        self.sourceFrame = sourceFrame
        self.frames = frames
        self.sourceFrames = sourceFrames ?? frames
        self.cutFrames = cutFrames
        self.mark = mark
    }
}

/// A run, or a part of a run, that a device has taken.
public struct RenderedRun: Sendable, Equatable, BitwiseCopyable {
    /// The run; `sourceFrame` and `frames` describe the part taken. Only the final part has the mark `last`.
    public var run: FrameRun
    /// The device frame at which the run starts (`RenderSource.render`).
    public var outputFrame: Int64

    @_noLocks @_noAllocation
    public init(run: FrameRun, outputFrame: Int64) {
        self.run = run
        self.outputFrame = outputFrame
    }
}
