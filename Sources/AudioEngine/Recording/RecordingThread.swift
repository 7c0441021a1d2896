// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Glibc
import Media
import Synchronization

/// The state that the recorder and its writing thread share; the thread retains it until the file is closed.
final class RecordingThread: Sendable {
    private struct State {
        var recording: Recording?
        var waiting: [@Sendable (Recording) -> Void] = []
    }

    let ring: RecordingRing
    private let format: AudioFormat
    private let wake = WakeSignal()
    private let written = Atomic<Int64>(0)
    private let isFinishing = Atomic<Bool>(false)
    private let failure = Mutex<AudioFileError?>(nil)
    private let state = Mutex(State())
    /// The writer, which the thread locks until the file is closed, and then releases.
    private let writer: Mutex<(any AudioFrameWriter)?>

    init(_ writer: sending any AudioFrameWriter, capacity: Int) throws(StreamingError) {
        format = writer.format
        ring = RecordingRing(capacity: capacity, channels: format.channels)
        self.writer = Mutex(writer)
        guard let thread = WorkerThread.start({ self.run() }) else { throw .noThread }
        thread.detach()
    }

    var progress: Recording {
        Recording(
            framesWritten: written.load(ordering: .relaxed), framesDropped: ring.droppedFrames, gaps: [],
            error: failure.withLock { $0 })
    }

    /// Waits until `frames` frames fit, at most as many as the capacity, or until the ring refuses all frames.
    func waitForSpace(frames: Int) {
        let wanted = min(frames, ring.capacity)
        while !ring.isClosed, !ring.hasSpace(for: wanted) {
            wake.signal()
            usleep(200)
        }
    }

    /// Refuses frames that are pushed from now on, and lets the thread write the rest.
    func finish() {
        ring.close()
        isFinishing.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Calls `body` when the recording is finished, on the writing thread; immediately, if it is finished already.
    func whenFinished(_ body: @escaping @Sendable (Recording) -> Void) {
        let recording = state.withLock { state in
            if state.recording == nil { state.waiting.append(body) }
            return state.recording
        }
        if let recording { body(recording) }
    }

    // MARK: The thread

    private func run() {
        writer.withLock { writer in
            guard let open = writer else { return }
            var account = Account(format: format)
            record(with: open, &account)
            close(open)
            writer = nil
            notify(account.recording(dropped: ring.droppedFrames, error: failure.withLock { $0 }))
        }
    }

    private func notify(_ recording: Recording) {
        let waiting = state.withLock { state in
            state.recording = recording
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body(recording) }
    }

    /// Writes until the recording is finished. It polls, because the realtime thread makes no system call.
    private func record(with writer: any AudioFrameWriter, _ account: inout Account) {
        let pause = format.duration(ofFrames: Int64(ring.capacity / 16))
        while !isFinishing.load(ordering: .acquiring) {
            writeAll(with: writer, &account)
            wake.wait(atMost: min(pause, .milliseconds(100)))
        }
        // A push in progress takes microseconds.
        while !ring.isIdle { sched_yield() }
        writeAll(with: writer, &account)
        if let gap = ring.lastGap { account.gaps.append(gap) }
    }

    private func writeAll(with writer: any AudioFrameWriter, _ account: inout Account) {
        while true {
            let frames = ring.read(into: account.block.start, frames: account.block.frameCapacity)
            while let gap = ring.removeGap() { account.gaps.append(gap) }
            guard frames > 0 else { return }
            account.block.frameLength = frames
            write(with: writer, &account)
        }
    }

    /// Writes one block. After a failure it writes nothing more, because a file with an unreported gap would be
    /// worse.
    private func write(with writer: any AudioFrameWriter, _ account: inout Account) {
        let hasFailed = failure.withLock { $0 != nil }
        do throws(AudioFileError) {
            if !hasFailed { try writer.write(account.block.slice) }
        } catch { fail(error) }
        let frames = Int64(account.block.frameLength)
        if failure.withLock({ $0 != nil }) {
            account.unwritten += frames
        } else {
            account.written += frames
            written.store(account.written, ordering: .relaxed)
        }
    }

    private func close(_ writer: any AudioFrameWriter) {
        do throws(AudioFileError) { try writer.close() } catch { fail(error) }
    }

    private func fail(_ error: AudioFileError) { failure.withLock { $0 = $0 ?? error } }
}

/// The results of the writing thread so far.
private struct Account: ~Copyable {
    var block: AudioBufferList
    var gaps: [RecordingGap] = []
    var written: Int64 = 0
    /// The number of frames taken from the ring after the file had failed.
    var unwritten: Int64 = 0

    init(format: AudioFormat) { block = AudioBufferList(format: format, frameCapacity: 4096) }

    func recording(dropped: Int64, error: AudioFileError?) -> Recording {
        // All frames after the end of the file form one gap.
        let inside = gaps.filter { $0.frame < written || unwritten == 0 }
        let behind = unwritten + gaps.reduce(0) { $0 + ($1.frame < written || unwritten == 0 ? 0 : $1.count) }
        let last = behind > 0 ? [RecordingGap(frame: written, count: behind)] : []
        return Recording(
            framesWritten: written, framesDropped: dropped + unwritten, gaps: inside + last, error: error)
    }
}
