// SPDX-License-Identifier: GPL-3.0-or-later

/// "These PCM frames are item I from source frame F on": what travels beside the samples through a ring.
public struct FrameRun: Sendable, Equatable, BitwiseCopyable {
    /// Raised by every opening of an item and every seek; runs of a discarded generation are stale.
    public var generation: UInt32
    /// Which item of the playlist.
    public var item: UInt32
    /// The first frame's number in the item, at the ring's rate, after trimming.
    public var sourceFrame: Int64
    /// How many frames of output this run is; 0 is lawful for a run that only carries a mark.
    public var frames: Int32
    public var mark: Mark

    /// What else this run says about its item.
    public struct Mark: OptionSet, Sendable, BitwiseCopyable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        // Computed: a stored static is made on first use, under a lock.
        /// The item's first run since it was opened.
        public static var first: Mark { Mark(rawValue: 1) }
        /// Nothing of the item follows.
        public static var last: Mark { Mark(rawValue: 2) }
    }

    /// The part from `offset` on, `count` frames long: `first` stays on the first part alone, `last` on the final one.
    @_noLocks @_noAllocation
    func part(from offset: Int, count: Int) -> FrameRun {
        var part = self
        part.sourceFrame &+= Int64(offset)
        part.frames = Int32(truncatingIfNeeded: count)
        let head: UInt8 = offset > 0 ? 1 : 0
        let tail: UInt8 = offset + count < Int(frames) ? 2 : 0
        part.mark = Mark(rawValue: mark.rawValue & ~(head | tail))
        return part
    }

    public init(generation: UInt32, item: UInt32, sourceFrame: Int64, frames: Int32, mark: Mark = []) {
        self.generation = generation
        self.item = item
        self.sourceFrame = sourceFrame
        self.frames = frames
        self.mark = mark
    }
}

/// A run, or the part of one, that a device has taken.
public struct RenderedRun: Sendable, Equatable, BitwiseCopyable {
    /// The run; `sourceFrame` and `frames` are those of the part taken. `last` is set on the final part alone.
    public var run: FrameRun
    /// The device frame at which it starts (`RenderSource.render`).
    public var outputFrame: Int64

    @_noLocks @_noAllocation
    public init(run: FrameRun, outputFrame: Int64) {
        self.run = run
        self.outputFrame = outputFrame
    }
}
