// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioProcessing

/// The item being processed, and its version.
struct ProcessedItem: Sendable {
    let generation: UInt32
    let id: UInt32
    let version: UInt16

    /// Creates the item of a run.
    init(_ run: FrameRun) { (generation, id, version) = (run.generation, run.item, run.version) }

    /// Returns the run of a processed piece.
    func run(_ piece: MappedAudio.Piece, mark: FrameRun.Mark) -> FrameRun {
        FrameRun(
            generation: generation, item: id, version: version, sourceFrame: piece.sourceFrame,
            frames: Int32(clamping: piece.frames), sourceFrames: Int32(clamping: piece.sourceFrames),
            cutFrames: Int32(clamping: piece.cutFrames), mark: mark)
    }
}

/// The runs that were written to the ring, from the one being heard on, in order: the positions that play next. It also
/// counts all frames of the items that are not completely played. A pure value.
struct WrittenRuns: Sendable {
    private var runs: [FrameRun] = []
    /// The numbers of written frames, by generation, ascending.
    private var counts: [(generation: UInt32, frames: Int)] = []

    mutating func append(_ run: FrameRun) {
        guard run.frames > 0 else { return }
        if counts.last?.generation != run.generation { counts.append((run.generation, 0)) }
        counts[counts.count - 1].frames += Int(run.frames)
        guard let last = runs.last, last.joins(run), !last.frames.addingReportingOverflow(run.frames).overflow else {
            return runs.append(run)
        }
        runs[runs.count - 1].frames += run.frames
        runs[runs.count - 1].sourceFrames += run.sourceFrames
    }

    /// Returns the runs from `place` on, which begins the first of them or lies in it.
    func following(_ place: RenderedTimeline.Position) -> [FrameRun] {
        guard let first = runs.firstIndex(where: { !$0.ends(before: place) }) else { return [] }
        var rest = Array(runs[first...])
        let start = runs[first].firstFrame(from: place)
        rest[0] = runs[first].part(from: start, count: Int(runs[first].frames) - start)
        return rest
    }

    /// Returns the number of written frames of an item.
    func frames(of generation: UInt32) -> Int { counts.last { $0.generation == generation }?.frames ?? 0 }

    /// Returns the number of written frames of `generation` and later ones.
    func frames(from generation: UInt32) -> Int {
        counts.reduce(0) { $0 + ($1.generation >= generation ? $1.frames : 0) }
    }

    /// Forgets the runs before `place`.
    mutating func forget(before place: RenderedTimeline.Position) {
        runs.removeFirst(runs.prefix { $0.ends(before: place) }.count)
    }

    /// Forgets the runs of `generation` and later ones, which will not be played.
    mutating func remove(from generation: UInt32) {
        runs.removeAll { $0.generation >= generation }
        counts.removeAll { $0.generation >= generation }
    }

    /// Forgets items that were completely played.
    mutating func forget(through generation: UInt32) { counts.removeAll { $0.generation <= generation } }

    mutating func removeAll() {
        runs.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
    }
}

extension FrameRun {
    /// Returns true if `next` follows without a gap and both are unprocessed, so that one run can describe both.
    fileprivate func joins(_ next: FrameRun) -> Bool {
        frames == sourceFrames && next.frames == next.sourceFrames && numbering == next.numbering
            && sourceFrame + Int64(sourceFrames) == next.sourceFrame
    }

    /// Returns true if all frames of this run come before `place`.
    fileprivate func ends(before place: RenderedTimeline.Position) -> Bool {
        numbering < place.numbering
            || numbering == place.numbering && sourceFrame + Int64(sourceFrames) <= place.sourceFrame
    }

    /// Returns the number of the first output frame that represents `place`.
    fileprivate func firstFrame(from place: RenderedTimeline.Position) -> Int {
        guard numbering == place.numbering, place.sourceFrame > sourceFrame, sourceFrames > 0 else { return 0 }
        let offset = (place.sourceFrame - sourceFrame) * Int64(frames)
        return Int((offset + Int64(sourceFrames) - 1) / Int64(sourceFrames))
    }
}
