// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
public import Media

/// Records what a realtime thread pushes: the push copies into a ring and returns, a thread of the recorder's own
/// writes the file. What `ExtAudioFileWriteAsync` is elsewhere.
///
/// ```swift
/// let recorder = try RealtimeRecorder(writer)
/// recorder.push(samples, frames: 512)       // the realtime thread
/// let recording = await recorder.finish()   // anyone else
/// print(recording.framesWritten, recording.framesDropped)
/// ```
/// However slow the disk is, the push never waits: what finds no room in the ring is dropped, counted and told with its
/// place. Let go of without `finish`, it writes what was pushed and closes the file all the same, in its own time.
public final class RealtimeRecorder: Sendable {
    /// What is pushed: the writer's format.
    public let format: AudioFormat
    private let thread: RecordingThread

    /// - Parameters:
    ///   - writer: of interleaved Float32; it is not touched by anyone else any more.
    ///   - capacity: how much the disk may fall behind before frames are dropped; 10 ms to 10 minutes, 1 GiB at most.
    public init(
        _ writer: sending any AudioFrameWriter, capacity: Duration = .seconds(4)
    ) throws(StreamingError) {
        let format = writer.format
        guard format.canBeStreamed else { throw .notRenderable(format) }
        self.format = format
        let frames = format.frames(in: min(max(capacity, .milliseconds(10)), .seconds(600)))
        thread = try RecordingThread(writer, capacity: format.buffered(max(1, Int(frames))))
    }

    deinit { thread.finish() }

    /// One realtime thread: appends interleaved frames. It neither locks, allocates nor waits.
    /// - Parameter samples: `frames × format.channels`.
    /// - Returns: how many were taken. The others are dropped; after `finish` all are refused and none is counted.
    @discardableResult
    public func push(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        thread.ring.push(samples, frames: frames)
    }

    /// Waits, on the calling thread, until so many frames find room, however slow the disk is. Who renders offline, and
    /// so faster than any disk writes, has it called before each block, and then none is dropped.
    /// ```swift
    /// var renderer = OfflineRenderer(graph, block: 1024) { frames, _ in recorder.makeRoom(frames: frames) }
    /// ```
    /// - Parameter frames: of more than the recorder holds, as many as it holds are meant.
    public func makeRoom(frames: Int) { thread.makeRoom(frames: frames) }

    /// What was written and dropped so far, and why it is written no further; where it was dropped is told at the end.
    public var progress: Recording { thread.progress }

    /// Writes what was pushed, closes the file and tells what became of it. However often it is called, and from
    /// wherever, it is done once and all are told the same. Only the caller's task waits, however long the disk takes.
    @discardableResult
    public func finish() async -> Recording {
        await withCheckedContinuation { continuation in
            finish { continuation.resume(returning: $0) }
        }
    }

    /// As `finish()`; returns at once.
    /// - Parameter completion: called on the recorder's thread, or at once where it is finished already. It may call
    ///   `finish` again and let go of the recorder.
    public func finish(_ completion: @escaping @Sendable (Recording) -> Void) {
        thread.whenFinished(completion)
        thread.finish()
    }
}
