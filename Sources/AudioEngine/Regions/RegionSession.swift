// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media
import Synchronization

/// The state of a player between two resets: its timeline, the frames read ahead, and its start point.
final class RegionSession: Sendable {
    let ring: TimelineRing
    let startPoint: RegionStartPoint
    private let format: AudioFormat
    private let late: LateStart
    private let timeline = Mutex(RegionTimeline())
    /// The buffer of file frames. Its lock is held while a thread reads, and never acquired while `timeline` is held.
    private let block: Mutex<RegionBlock>

    init(format: AudioFormat, capacity: Int, late: LateStart, clock: GraphClock?) {
        self.format = format
        ring = TimelineRing(format: format, capacity: capacity)
        startPoint = RegionStartPoint(late: late, clock: clock)
        self.late = late
        block = Mutex(RegionBlock(format: format))
    }

    // MARK: The rendering thread

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at graphFrame: Int64) {
        guard let first = startPoint.playerFrame(at: graphFrame, frames: frames), first > -Int64(frames),
            first < ValidatedRegion.farthest
        else {
            return VectorOperations.clear(output, count: frames * format.channels)
        }
        let early = Int(max(0, -first))
        VectorOperations.clear(output, count: early * format.channels)
        ring.render(into: output + early * format.channels, frames: frames - early, from: Int(max(0, first)))
    }

    // MARK: Any other thread

    /// Changes the timeline, and removes the frames read ahead that are no longer part of it.
    /// - Parameter change: returns the first frame that changes.
    func change<E: Error>(_ change: (inout RegionTimeline) throws(E) -> Int64) throws(E) {
        try timeline.withLock { timeline throws(E) in
            ring.cut(at: try change(&timeline))
            ring.fallsSilent(at: timeline.end)
        }
    }

    func removeDue(heard: Int64?) -> [DueCompletion] {
        let rendered = ring.finishedFrames
        let progress = RegionProgress(
            read: ring.preparedFrames, rendered: rendered, heard: min(rendered, heard ?? rendered))
        return timeline.withLock { $0.removeDue(progress) }
    }

    func removeAll() -> [DueCompletion] { timeline.withLock { $0.removeAll() } }

    /// Reads until all frames before `goal` are buffered, or the ring is full, or a file has no more for now.
    /// - Returns: true if all frames before `goal` are buffered.
    @discardableResult
    func readAhead(to goal: Int64) -> Bool {
        block.withLock { block in
            while let task = nextTask(before: goal) {
                let outcome = perform(task, &block)
                apply(task, outcome)
                if case .notYetAvailable = outcome { break }
            }
        }
        return timeline.withLock { ring.preparedFrames >= min(goal, $0.end) }
    }
}

extension RegionSession {
    /// The next frames to read.
    private struct Task {
        let frame: Int64
        /// The number of frames that fit.
        let room: Int
        let piece: TimelineSegment
        /// The edit count of the timeline that the task was made from.
        let edits: Int
    }

    private enum Outcome {
        case stored(frames: Int)
        case notYetAvailable
        case failed(RegionFailure)
    }

    private func nextTask(before goal: Int64) -> Task? {
        timeline.withLock { timeline in
            let frame = ring.preparedFrames
            let room = ring.writableFrames(from: frame)
            guard frame < min(goal, timeline.end), room > 0 else { return nil }
            return Task(frame: frame, room: room, piece: timeline.piece(at: frame), edits: timeline.edits)
        }
    }

    private func perform(_ task: Task, _ block: inout RegionBlock) -> Outcome {
        let ahead = task.piece.end - task.frame
        let count = Int(min(ahead, Int64(task.room)))
        guard let sound = task.piece.sound else { return store(block.silence(frames: count), task) }
        do {
            switch try block.read(sound.file, from: sound.readerFrame, count: count, ahead: ahead) {
            case .samples(let samples): return store(samples, task)
            case .notYetAvailable: return .notYetAvailable
            // Rounding may require one frame more than the converted file has.
            case .end where ahead == 1 && sound.isConverted: return store(block.silence(frames: 1), task)
            case .end: return .failed(.endedEarly(frame: sound.readerFrame))
            }
        } catch {
            return .failed(.unreadable(error))
        }
    }

    private func store(_ samples: UnsafeBufferPointer<Float>, _ task: Task) -> Outcome {
        ring.store(samples, at: task.frame)
        return .stored(frames: samples.count / format.channels)
    }

    /// Applies the outcome of a task. If the timeline has changed in between, the frames are read again.
    private func apply(_ task: Task, _ outcome: Outcome) {
        timeline.withLock { timeline in
            guard timeline.edits == task.edits else { return }
            switch outcome {
            case .stored(let frames): ring.publish(from: task.frame, to: task.frame + Int64(frames))
            case .notYetAvailable: break
            case .failed(let failure):
                guard let sound = task.piece.sound else { return }
                timeline.fail(sound.region, at: task.frame, because: failure)
                ring.fallsSilent(at: timeline.end)
            }
        }
    }
}

extension RegionSession {
    /// Inserts a region into the timeline.
    /// - Returns: the number of frames by which the region is late.
    func place(
        _ stretch: ValidatedRegion, id: RegionID, at time: Int64?, lead: Int64, late: LateStart,
        kinds: Set<RegionCompletion.Kind>, _ handler: @escaping PlacedRegion.Handler
    ) throws(RegionError) -> Int64 {
        var delay: Int64 = 0
        try change { timeline throws(RegionError) in
            let place = try timeline.start(at: time, now: ring.claimedFrames, lead: lead, late: late)
            let region = PlacedRegion(stretch, id: id, at: place.start, awaited: kinds, handler: handler)
            try timeline.insert(region)
            delay = place.late
            return region.start
        }
        return delay
    }

    /// Sets the start time.
    /// - Parameters:
    ///   - graphFrame: `nil` is the first frame of the next slice.
    ///   - next: the graph's frame that is rendered next.
    /// - Returns: false if the start time is already set.
    func start(at graphFrame: Int64?, next: Int64) -> Bool {
        guard !startPoint.isSet else { return false }
        // Frames that will be skipped need not be read.
        if let graphFrame, late == .skip, graphFrame < next {
            ring.begin(at: min(next.subtractingClamped(graphFrame), ValidatedRegion.farthest))
        }
        startPoint.set(graphFrame)
        return true
    }

    /// Sets the start time to a moment, which the next slice converts to a frame.
    /// - Returns: false if the start time is already set.
    func start(at moment: HostTime) -> Bool {
        guard !startPoint.isSet else { return false }
        startPoint.set(moment)
        return true
    }

    /// Returns the events since the last call.
    func removeEvents() -> [RegionEvent] {
        let missed = ring.removeMissedCount()
        let delay = startPoint.removeDelay().map { [RegionEvent.startedLate(by: $0)] } ?? []
        return delay + (missed > 0 ? [.underrun(frames: missed)] : [])
    }
}
