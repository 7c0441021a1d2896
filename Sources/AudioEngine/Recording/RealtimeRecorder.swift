// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
public import Media

/// A recorder of frames that a realtime thread pushes: the push copies them into a ring and returns, and the
/// recorder's thread writes the file. Apple's counterpart is `ExtAudioFileWriteAsync`.
///
/// ```swift
/// let recorder = try RealtimeRecorder(writer)
/// recorder.push(samples, frames: 512)       // the realtime thread
/// let recording = await recorder.finish()   // any other thread
/// print(recording.framesWritten, recording.framesDropped)
/// ```
/// However slow the disk is, a push never waits: frames that do not fit into the ring are dropped, counted and
/// reported with their position. If the recorder is released without `finish`, it still writes the pushed frames and
/// closes the file, in the background.
public final class RealtimeRecorder: Sendable {
    /// The format of the pushed frames, which is the writer's.
    public let format: AudioFormat
    private let thread: RecordingThread

    /// - Parameters:
    ///   - writer: writes interleaved Float32; no other code may use it from now on.
    ///   - capacity: the duration by which the disk may lag before frames are dropped; 10 ms to 10 minutes, 1 GiB at
    ///     most.
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

    /// Appends interleaved frames. It neither locks, allocates nor waits. Only one realtime thread may call it.
    /// - Parameter samples: `frames × format.channels`.
    /// - Returns: the number of frames accepted. The others are dropped; after `finish` all are refused and none is
    ///   counted.
    @discardableResult
    public func push(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        thread.ring.push(samples, frames: frames)
    }

    /// Blocks the calling thread until `frames` frames fit, however slow the disk is. Offline rendering is faster
    /// than any disk; with a call before each block it drops no frame.
    /// ```swift
    /// var renderer = OfflineRenderer(graph, block: 1024) { frames, _ in recorder.waitForSpace(frames: frames) }
    /// ```
    /// - Parameter frames: limited to the capacity of the recorder.
    public func waitForSpace(frames: Int) { thread.waitForSpace(frames: frames) }

    /// The numbers of frames written and dropped so far, and the error that stopped writing. Gaps are reported only
    /// at the end.
    public var progress: Recording { thread.progress }

    /// Writes the pushed frames, closes the file and returns the result. The file is closed once, however often and
    /// from whichever thread this is called, and all callers get the same result. Only the calling task waits,
    /// however long the disk takes.
    @discardableResult
    public func finish() async -> Recording {
        await withCheckedContinuation { continuation in
            finish { continuation.resume(returning: $0) }
        }
    }

    /// Finishes the recording like `finish()`, but returns immediately.
    /// - Parameter completion: called on the recorder's thread, or immediately if the recording has already finished;
    ///   the handler may call `finish` again and release the recorder.
    public func finish(_ completion: @escaping @Sendable (Recording) -> Void) {
        thread.whenFinished(completion)
        thread.finish()
    }
}
