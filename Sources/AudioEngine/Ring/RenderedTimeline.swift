// SPDX-License-Identifier: GPL-3.0-or-later

/// A timeline of the runs that a device has taken, in the device's frames. It finds the item and the source frame
/// that play at an output frame, and reports when an item begins to play and when it has played to its end.
///
/// The timeline holds the runs that the device has buffered, and the run that plays now; `advance` removes earlier
/// runs.
public struct RenderedTimeline: Sendable {
    /// A position in an item.
    public struct Position: Sendable, Equatable {
        public var item: UInt32
        public var generation: UInt32
        /// A frame of the item, counted as in `FrameRun.sourceFrame`.
        public var sourceFrame: Int64
        /// The number of frames from `sourceFrame` to the position.
        public var framesBeyond: Int64

        public init(item: UInt32, generation: UInt32, sourceFrame: Int64, framesBeyond: Int64) {
            self.item = item
            self.generation = generation
            self.sourceFrame = sourceFrame
            self.framesBeyond = framesBeyond
        }
    }

    /// An event that is reported when its frame plays.
    public enum Announcement: Sendable, Equatable {
        case firstHeard(item: UInt32, generation: UInt32)
        case lastHeard(item: UInt32, generation: UInt32)
    }

    /// The runs, ascending in `outputFrame`. A mark is removed when it is announced.
    private var runs: [RenderedRun] = []
    private var oldestGeneration: UInt32 = 0

    public init() {}

    /// Adds a rendered run; a run of a discarded generation is ignored.
    public mutating func append(_ run: RenderedRun) {
        guard run.run.generation >= oldestGeneration else { return }
        runs.append(run)
    }

    /// Returns true if the device has taken frames of these generations; it may not have played them yet.
    public func holdsFrames(of generations: Range<UInt32>) -> Bool {
        runs.contains { $0.run.frames > 0 && generations.contains($0.run.generation) }
    }

    /// Returns the position that plays at `outputFrame`: the end of the last run after all runs, `nil` before the
    /// first run.
    public func position(at outputFrame: Int64) -> Position? {
        guard let found = runs.last(where: { $0.outputFrame <= outputFrame }) else { return nil }
        return Position(
            item: found.run.item, generation: found.run.generation, sourceFrame: found.run.sourceFrame,
            framesBeyond: min(outputFrame - found.outputFrame, Int64(found.run.frames)))
    }

    /// Advances to the point where `heardFrames` frames have played, and returns the items that began to play and
    /// those that played to their ends, in the order of playback.
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

    /// Removes all frames from `outputFrame` on, which the device discarded; every generation before `generation` is
    /// stale. All runs rendered before must have been appended, or their marks are lost.
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
    /// Removes the marks of the run at `index` that are due, and announces them.
    /// - Returns: true if the run has played to its end, so that later runs may follow.
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
