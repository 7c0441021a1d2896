// SPDX-License-Identifier: GPL-3.0-or-later

/// The runs that a device has played last, all of one generation and version. A pure value.
struct RecentRuns: Sendable {
    /// The number of frames to keep; 0 for none.
    private let limit: Int64
    private var runs: [FrameRun] = []
    /// The number of frames of all runs.
    private var frames: Int64 = 0

    init(limit: Int64) { self.limit = limit }

    /// Adds a run that was played.
    mutating func append(_ run: FrameRun) {
        guard limit > 0 else { return }
        follow(generation: run.generation, version: run.version)
        runs.append(run)
        frames += Int64(run.frames)
        // Rarely, because a removal moves all runs that stay.
        if frames >= 2 * limit { removeOldest() }
    }

    /// Forgets the runs of any other generation or version.
    mutating func follow(generation: UInt32, version: UInt16) {
        guard let last = runs.last, last.generation != generation || last.version != version else { return }
        (runs, frames) = ([], 0)
    }

    /// Returns the number of source frames between the first of the last `count` frames and their end; of all frames if
    /// there are fewer.
    func distance(ofLast count: Int64) -> Int64 {
        var left = min(count, frames)
        let first = runs.lastIndex { run in
            left -= Int64(run.frames)
            return left <= 0
        }
        guard let first, let last = runs.last else { return 0 }
        return last.sourceFrame + Int64(last.sourceFrames) - runs[first].sourceFrame(at: -left)
    }

    private mutating func removeOldest() {
        var kept: Int64 = 0
        let first = runs.lastIndex { run in
            kept += Int64(run.frames)
            return kept >= limit
        }
        runs.removeFirst(first ?? 0)
        frames = kept
    }
}
