// SPDX-License-Identifier: GPL-3.0-or-later

/// "These PCM frames are item I from source frame F on": what travels beside the samples through a ring.
public struct FrameRun: Sendable, Equatable {
    /// Raised by every seek and every jump to another item; runs of an older generation are stale.
    public var generation: UInt32
    /// Which item of the playlist.
    public var item: UInt32
    /// The first frame's number in the item, at the item's own rate, after trimming.
    public var sourceFrame: Int64
    /// How many frames of output this run is; 0 is lawful for a run that only carries a mark.
    public var frames: Int32
    public var mark: Mark

    /// What else this run says about its item.
    public struct Mark: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The item's first run since it was opened.
        public static let first = Mark(rawValue: 1)
        /// Nothing of the item follows.
        public static let last = Mark(rawValue: 2)
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
public struct RenderedRun: Sendable, Equatable {
    /// The run; `sourceFrame` and `frames` are those of the part taken. `last` is set on the final part alone.
    public var run: FrameRun
    /// The device frame at which it starts (`RenderSource.render`).
    public var outputFrame: Int64

    public init(run: FrameRun, outputFrame: Int64) {
        self.run = run
        self.outputFrame = outputFrame
    }
}
