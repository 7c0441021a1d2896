// SPDX-License-Identifier: GPL-3.0-or-later

/// What a device has been given, in its own frames: which item and source frame is heard at an output frame, and when
/// an item is heard for the first and for the last time.
///
/// It holds what the device holds, and the run now heard: as `advance` follows what is heard, the rest is forgotten.
public struct RenderedTimeline: Sendable {
    /// A place in an item.
    public struct Place: Sendable, Equatable {
        public var item: UInt32
        public var generation: UInt32
        /// A frame of the item, as `FrameRun.sourceFrame` counts ...
        public var sourceFrame: Int64
        /// ... and how many frames beyond it.
        public var framesBeyond: Int64

        public init(item: UInt32, generation: UInt32, sourceFrame: Int64, framesBeyond: Int64) {
            self.item = item
            self.generation = generation
            self.sourceFrame = sourceFrame
            self.framesBeyond = framesBeyond
        }
    }

    /// What is announced at the moment it is heard.
    public enum Announcement: Sendable, Equatable {
        case firstHeard(item: UInt32, generation: UInt32)
        case lastHeard(item: UInt32, generation: UInt32)
    }

    /// Ascending in `outputFrame`. Marks are taken off as they are announced.
    private var runs: [RenderedRun] = []
    private var oldestGeneration: UInt32 = 0

    public init() {}

    /// Adds a run as it was rendered; one of a discarded generation is ignored.
    public mutating func append(_ run: RenderedRun) {
        guard run.run.generation >= oldestGeneration else { return }
        runs.append(run)
    }

    /// Whether the device has taken frames of these generations, which it may not have played yet.
    public func holdsFrames(of generations: Range<UInt32>) -> Bool {
        runs.contains { $0.run.frames > 0 && generations.contains($0.run.generation) }
    }

    /// The place heard at `outputFrame`: past everything given it is the end of the last run, before it `nil`.
    public func place(at outputFrame: Int64) -> Place? {
        guard let found = runs.last(where: { $0.outputFrame <= outputFrame }) else { return nil }
        return Place(
            item: found.run.item, generation: found.run.generation, sourceFrame: found.run.sourceFrame,
            framesBeyond: min(outputFrame - found.outputFrame, Int64(found.run.frames)))
    }

    /// Moves on to where `heardFrames` frames were heard: what is now heard for the first time, and what has been
    /// heard to its end, in that order of hearing.
    public mutating func advance(toHeard heardFrames: Int64) -> [Announcement] {
        var announcements: [Announcement] = []
        for index in runs.indices {
            guard announce(at: index, heardFrames, &announcements) else { break }
        }
        let current = runs.lastIndex { $0.outputFrame <= heardFrames } ?? 0
        let finished = runs.prefix(current).prefix { $0.run.mark.isEmpty }
        runs.removeFirst(finished.count)
        return announcements
    }

    /// The device threw away all from `outputFrame` on, and every generation before `generation` is stale. All that
    /// was rendered before must have been appended, or its marks are lost.
    public mutating func discard(before generation: UInt32, from outputFrame: Int64) {
        oldestGeneration = max(oldestGeneration, generation)
        runs.removeAll { $0.outputFrame >= outputFrame }
        guard let last = runs.indices.last else { return }
        let heard = outputFrame - runs[last].outputFrame
        guard heard < Int64(runs[last].run.frames) else { return }
        runs[last].run.frames = Int32(heard)
        runs[last].run.mark.remove(.last)
    }
}

extension RenderedTimeline {
    /// Takes the marks off the run at `index` that are due.
    /// - Returns: whether the run is done with, so that later ones may be looked at.
    private mutating func announce(at index: Int, _ heard: Int64, _ announcements: inout [Announcement]) -> Bool {
        let (run, start) = (runs[index].run, runs[index].outputFrame)
        let end = start + Int64(run.frames)
        guard heard > start || heard == end else { return false }
        if runs[index].run.mark.remove(.first) != nil {
            announcements.append(.firstHeard(item: run.item, generation: run.generation))
        }
        guard heard >= end else { return false }
        if runs[index].run.mark.remove(.last) != nil {
            announcements.append(.lastHeard(item: run.item, generation: run.generation))
        }
        return true
    }
}
