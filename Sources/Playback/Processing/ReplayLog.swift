// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine

/// The frames of the items before processing, from the one being heard on, so that they can be processed again with
/// other settings. A cursor separates the frames that were already processed from those that wait. A pure value.
struct ReplayLog: Sendable {
    private struct Entry: Sendable {
        let run: FrameRun
        let samples: [Float]
    }

    private let channels: Int
    private var entries: [Entry] = []
    /// The number of entries before the cursor, and of frames before it in the next one.
    private var done = (entries: 0, frames: 0)

    init(channels: Int) { self.channels = channels }

    /// True if no frame and no mark waits.
    var isDone: Bool { done.entries == entries.count }

    /// The place of the cursor; `nil` if the log is empty.
    var next: (numbering: FrameNumbering, sourceFrame: Int64)? {
        let (run, offset) =
            isDone ? (entries.last?.run, Int(entries.last?.run.frames ?? 0)) : (entries[done.entries].run, done.frames)
        return run.map { ($0.numbering, $0.sourceFrame + Int64(offset)) }
    }

    /// The number of frames that wait.
    var waitingFrames: Int { entries[done.entries...].reduce(-done.frames) { $0 + Int($1.run.frames) } }

    /// Appends a run and its samples, `run.frames × channels`.
    mutating func append(_ samples: UnsafeBufferPointer<Float>, as run: FrameRun) {
        entries.append(Entry(run: run, samples: Array(samples)))
    }

    /// Calls `body` with the next waiting run, or the rest of it, and moves the cursor past the frames that `body`
    /// takes.
    /// - Parameter body: returns the number of frames taken; `nil` for none, so that the run is offered again.
    /// - Returns: false if nothing waits or nothing was taken.
    mutating func takeNext(_ body: (FrameRun, UnsafeBufferPointer<Float>) -> Int?) -> Bool {
        guard !isDone else { return false }
        let entry = entries[done.entries]
        let left = Int(entry.run.frames) - done.frames
        let taken = entry.samples.withUnsafeBufferPointer { samples in
            body(
                entry.run.part(from: done.frames, count: left),
                UnsafeBufferPointer(rebasing: samples[(done.frames * channels)...]))
        }
        guard let taken else { return false }
        done = taken == left ? (done.entries + 1, 0) : (done.entries, done.frames + taken)
        return true
    }

    // MARK: Moving

    /// Moves the cursor back to a source frame: after the last run that ends before it if no run contains it, and to
    /// the first frame of the log if there is none.
    mutating func rewind(to place: RenderedTimeline.Position?) {
        done = (0, 0)
        guard let place else { return }
        if let index = entries.firstIndex(where: { $0.run.holds(place) }) {
            let run = entries[index].run
            done = (index, run.frames == 0 ? 0 : Int(place.sourceFrame - run.sourceFrame))
        } else if let index = entries.lastIndex(where: { $0.run.ends(before: place) }) {
            done = (index + 1, 0)
        }
    }

    /// Removes the processed entries that end before `place`. No entry contains it if the device has played all that
    /// was processed, as one that is faster than the decoder always has.
    mutating func forget(before place: RenderedTimeline.Position) {
        removeFirst(entries.prefix(done.entries).prefix { $0.run.isOver(at: place) }.count)
    }

    /// Removes the entries of `generation` and earlier ones, which were played.
    mutating func remove(through generation: UInt32) {
        removeFirst(entries.prefix(done.entries).prefix { $0.run.generation <= generation }.count)
    }

    /// Removes the entries of `generation` and later ones.
    mutating func remove(from generation: UInt32) {
        let kept = entries.prefix { $0.run.generation < generation }.count
        entries.removeSubrange(kept...)
        if done.entries >= kept { done = (kept, 0) }
    }

    mutating func removeAll() { (entries, done) = ([], (0, 0)) }

    private mutating func removeFirst(_ count: Int) {
        entries.removeFirst(count)
        done.entries -= count
    }
}

extension FrameRun {
    /// Returns true if `place` is a frame of this run, or the place of its mark.
    fileprivate func holds(_ place: RenderedTimeline.Position) -> Bool {
        guard numbering == place.numbering, place.sourceFrame >= sourceFrame else { return false }
        return frames == 0 || place.sourceFrame < sourceFrame + Int64(frames)
    }

    /// Returns true if this run was played when `place` plays. The mark of an end is kept until its item was played.
    fileprivate func isOver(at place: RenderedTimeline.Position) -> Bool {
        generation < place.generation || frames > 0 && ends(before: place)
    }

    /// Returns true if all frames of this run come before `place`, as at the end of the frames read so far.
    fileprivate func ends(before place: RenderedTimeline.Position) -> Bool {
        guard generation == place.generation else { return false }
        return version < place.version
            || version == place.version && sourceFrame + Int64(frames) <= place.sourceFrame
    }
}
