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
        /// The version of the item, as in `FrameRun.version`.
        public var version: UInt16
        /// A frame of the item, counted as in `FrameRun.sourceFrame`.
        public var sourceFrame: Int64

        public init(item: UInt32, generation: UInt32, version: UInt16 = 0, sourceFrame: Int64) {
            self.item = item
            self.generation = generation
            self.version = version
            self.sourceFrame = sourceFrame
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
    /// The frames that have played, by item.
    public private(set) var played: [UInt32: PlayedFrames] = [:]
    /// The device frame before which frames were added to `played`.
    private var counted: Int64 = 0
    private var recent: RecentRuns

    /// - Parameter frames: the number of played frames for which `distance(ofLast:)` is known.
    public init(remembering frames: Int64 = 0) { recent = RecentRuns(limit: frames) }

    /// Adds a rendered run; a run of a discarded generation is ignored.
    public mutating func append(_ run: RenderedRun) {
        guard run.run.generation >= oldestGeneration else { return }
        runs.append(run)
        // At a low speed, several frames of the device have the first frame of the item: a part of them may come again.
        guard let before = runs.dropLast().last?.run, before.item == run.run.item else { return }
        if before.generation == run.run.generation { runs[runs.count - 1].run.mark.remove(.first) }
    }

    /// Returns true if the device has taken frames of these generations; it may not have played them yet.
    public func holdsFrames(of generations: Range<UInt32>) -> Bool {
        runs.contains { $0.run.frames > 0 && generations.contains($0.run.generation) }
    }

    /// The device frame after the last run; `nil` before the first run.
    public var end: Int64? { runs.last.map { $0.outputFrame + Int64($0.run.frames) } }

    /// The position at `end`.
    public var lastPosition: Position? { end.flatMap(position) }

    /// Returns the position that plays at `outputFrame`: the end of the last run after all runs, `nil` before the
    /// first run.
    public func position(at outputFrame: Int64) -> Position? {
        guard let found = runs.last(where: { $0.outputFrame <= outputFrame }) else { return nil }
        let offset = min(outputFrame - found.outputFrame, Int64(found.run.frames))
        return Position(
            item: found.run.item, generation: found.run.generation, version: found.run.version,
            sourceFrame: found.run.sourceFrame(at: offset))
    }

    /// A device frame, and the frame of the item that plays then.
    public struct Waypoint: Sendable, Equatable {
        public var outputFrame: Int64
        public var sourceFrame: Int64

        public init(outputFrame: Int64, sourceFrame: Int64) {
            self.outputFrame = outputFrame
            self.sourceFrame = sourceFrame
        }
    }

    /// Returns the positions that follow `outputFrame` in its item: at that frame, at each frame within the next
    /// `frames` from which on the source passes at another speed, and at the last frame that is known. Between two of
    /// them the position moves linearly.
    /// - Parameter next: the runs that the device takes next.
    public func waypoints(
        from outputFrame: Int64, frames: Int64, followedBy next: [FrameRun] = []
    ) -> [Waypoint] {
        guard let first = runs.lastIndex(where: { $0.outputFrame <= outputFrame }) else { return [] }
        let generation = runs[first].run.generation
        var points: [Waypoint] = []
        for rendered in runs[first...] + placed(next) where rendered.run.frames > 0 {
            let (run, runStart) = (rendered.run, rendered.outputFrame)
            guard run.generation == generation, runStart <= outputFrame + frames else { break }
            let start = max(runStart, outputFrame)
            let offset = min(start - runStart, Int64(run.frames))
            let point = Waypoint(outputFrame: start, sourceFrame: run.sourceFrame(at: offset))
            let end = Waypoint(
                outputFrame: runStart + Int64(run.frames), sourceFrame: run.sourceFrame + Int64(run.sourceFrames))
            if run.frames == run.sourceFrames, points.last == point, points.isPlainAtEnd {
                points.removeLast()
            } else if points.last != point {
                points.append(point)
            }
            if end.outputFrame > start { points.append(end) }
        }
        return points
    }

    /// Returns the number of frames from `outputFrame` until an item begins or ends, or another generation begins;
    /// `nil` if none of that is known.
    /// - Parameter next: the runs that the device takes next.
    public func framesToBoundary(from outputFrame: Int64, followedBy next: [FrameRun] = []) -> Int64? {
        let generation = position(at: outputFrame)?.generation
        let distance = { (run: RenderedRun) in run.framesToBoundary(from: outputFrame, of: generation) }
        return runs.lazy.compactMap(distance).first ?? placed(next).lazy.compactMap(distance).first
    }

    /// Returns the runs with the device frames at which they will play after the last run.
    private func placed(_ next: [FrameRun]) -> [RenderedRun] {
        var start = end ?? 0
        return next.map { run in
            defer { start += Int64(run.frames) }
            return RenderedRun(run: run, outputFrame: start)
        }
    }

    /// Advances to the point where `heardFrames` frames have played, and returns the items that began to play and
    /// those that played to their ends, in the order of playback.
    public mutating func advance(toHeard heardFrames: Int64) -> [Announcement] {
        count(toHeard: heardFrames)
        if let place = position(at: heardFrames) {
            recent.follow(generation: place.generation, version: place.version)
        }
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
        discard(from: outputFrame)
    }

    /// Removes all frames from `outputFrame` on, which the device gave back. No generation becomes stale. They come
    /// again from `position(at: outputFrame)` on, so the marks of items that end there stay.
    public mutating func discard(from outputFrame: Int64) {
        let next = position(at: outputFrame)?.generation ?? 0
        runs.removeAll {
            $0.outputFrame > outputFrame || $0.outputFrame == outputFrame && $0.run.generation >= next
        }
        guard let last = runs.indices.last else { return }
        let kept = outputFrame - runs[last].outputFrame
        guard kept < Int64(runs[last].run.frames) else { return }
        runs[last].run = runs[last].run.part(from: 0, count: Int(kept))
    }
}

extension RenderedRun {
    /// Returns the number of frames from `frame` until this run begins or ends an item, or begins a generation other
    /// than `generation`; `nil` if it does not.
    fileprivate func framesToBoundary(from frame: Int64, of generation: UInt32?) -> Int64? {
        // A run has begun when its first frame has played.
        if run.mark.contains(.first) || run.generation != generation, outputFrame >= frame {
            return outputFrame - frame + 1
        }
        let end = outputFrame + Int64(run.frames)
        return run.mark.contains(.last) && end > frame ? end - frame : nil
    }
}

extension [RenderedTimeline.Waypoint] {
    /// True if the source passes frame by frame between the last two points.
    fileprivate var isPlainAtEnd: Bool {
        guard count > 1 else { return false }
        let (before, last) = (self[count - 2], self[count - 1])
        return last.outputFrame - before.outputFrame == last.sourceFrame - before.sourceFrame
    }
}

extension RenderedTimeline {
    /// Returns the number of source frames that passed while the last `frames` frames of the device played. Only the
    /// generation and version that plays counts, so the result ends at the target of a seek.
    public func distance(ofLast frames: Int64) -> Int64 { recent.distance(ofLast: frames) }

    /// Adds the frames that have played since the last call.
    private mutating func count(toHeard heardFrames: Int64) {
        // A run that the device took after the runs were read is counted next time.
        let end = min(heardFrames, self.end ?? counted)
        guard end > counted else { return }
        for rendered in runs {
            guard rendered.outputFrame < end else { break }
            let first = max(counted - rendered.outputFrame, 0)
            let last = min(end - rendered.outputFrame, Int64(rendered.run.frames))
            guard first < last else { continue }
            let part = rendered.run.part(from: Int(first), count: Int(last - first))
            played[part.item, default: PlayedFrames()].add(part)
            recent.append(part)
        }
        counted = end
    }

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
