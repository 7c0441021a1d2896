// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles

/// The origin of the frames in the ring: the position in the file at which each run of them begins, and the reason
/// for the end. The state of playback therefore follows from the number of frames rendered.
struct StreamTimeline: Sendable {
    /// A run of frames in the ring that one cursor leads through.
    private struct Run: Sendable {
        let start: Int
        var frames: Int
        let cursor: StreamCursor
    }

    /// The reason why no frames follow.
    enum Ending: Sendable, Equatable {
        case finished
        case failed(AudioFileError)
    }

    /// The runs, ascending; never empty. The last one ends where the next frame is written.
    private var runs: [Run]
    private var ending: Ending?
    /// True if the file has no more frames for now.
    private(set) var isOutOfData = false
    private(set) var length: AudioFileLength
    // The events that were already delivered.
    private var reportedWraps = 0
    private var hasReportedEnding = false
    private var hasReportedOutOfData = false

    init(cursor: StreamCursor, length: AudioFileLength) {
        runs = [Run(start: 0, frames: 0, cursor: cursor)]
        self.length = length
    }

    /// The index of the frame that is written next.
    private var end: Int { runs.last.map { $0.start + $0.frames } ?? 0 }

    /// Returns the cursor of frame number `index` of the ring; the index after the last frame is valid.
    func cursor(at index: Int) -> StreamCursor {
        guard let run = runs.last(where: { $0.start <= index }) ?? runs.first else { return StreamCursor() }
        var cursor = run.cursor
        cursor.advance(by: min(run.frames, max(0, index - run.start)))
        return cursor
    }

    // MARK: The decode thread

    /// Adds the frames that `cursor` leads through.
    /// - Parameter heard: the index of the frame rendered next; earlier runs are removed.
    mutating func append(_ frames: Int, from cursor: StreamCursor, length: AudioFileLength, heard: Int) {
        let old = runs.dropFirst().prefix { $0.start <= heard }.count
        runs.removeFirst(old)
        runs.append(Run(start: end, frames: frames, cursor: cursor))
        self.length = length
        (isOutOfData, hasReportedOutOfData) = (false, false)
    }

    /// Removes all frames from `index` on; the frames written there next begin at `cursor`.
    mutating func retract(to index: Int, goingOnAt cursor: StreamCursor) {
        while runs.count > 1, let last = runs.last, last.start >= index { runs.removeLast() }
        if let last = runs.indices.last { runs[last].frames = max(0, index - runs[last].start) }
        runs.append(Run(start: index, frames: 0, cursor: cursor))
        (ending, hasReportedEnding) = (nil, false)
        (isOutOfData, hasReportedOutOfData) = (false, false)
    }

    mutating func end(_ ending: Ending) { self.ending = ending }

    mutating func markOutOfData() { isOutOfData = true }

    // MARK: The thread that delivers events

    /// Returns the ending, once all frames before it are rendered.
    func ending(heard: Int) -> Ending? { heard >= end ? ending : nil }

    /// Returns the events up to frame number `heard` that were not yet delivered, in order.
    mutating func newEvents(heard: Int) -> [StreamingEvent] {
        var news: [StreamingEvent] = []
        let cursor = cursor(at: heard)
        if cursor.path.wraps > reportedWraps {
            reportedWraps = cursor.path.wraps
            news.append(.wrapped(count: reportedWraps))
        }
        guard heard >= end else { return news }
        if isOutOfData, !hasReportedOutOfData {
            hasReportedOutOfData = true
            news.append(.reachedEdge(frame: cursor.path.frame))
        }
        if let ending, !hasReportedEnding {
            hasReportedEnding = true
            news.append(ending.event)
        }
        return news
    }
}

extension StreamTimeline.Ending {
    var error: AudioFileError? {
        guard case .failed(let error) = self else { return nil }
        return error
    }

    var event: StreamingEvent {
        switch self {
        case .finished: .finished
        case .failed(let error): .failed(error)
        }
    }
}
