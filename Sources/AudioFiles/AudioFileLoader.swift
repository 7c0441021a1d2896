// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media
import Synchronization

/// Loads all audio of a file into memory, in the format for playback.
///
///     let loader = AudioFileLoader(path: "chime.wav", format: AudioFormat(sampleRate: 48_000, channels: 2))
///     let chime = try await loader.load { print("\($0 * 100) %") }
public struct AudioFileLoader: Sendable {
    public let path: String
    /// The format to load; `nil` for interleaved Float32 at the file's rate, with its channels.
    public let format: AudioFormat?
    /// The maximum number of bytes of memory for the audio.
    public let byteLimit: Int

    /// - Parameter byteLimit: By default 1 GiB: 50 minutes of stereo Float32 at 44.1 kHz.
    public init(path: String, format: AudioFormat? = nil, byteLimit: Int = 1 << 30) {
        self.path = path
        self.format = format
        self.byteLimit = byteLimit
    }

    /// Loads the audio on the calling thread, which waits for the disk.
    /// - Returns: A list without unused frames.
    /// - Throws: As `AudioFileReader` does; `damaged` for a file with a damaged part; `cannotRead` if the audio takes
    ///   more than `byteLimit`.
    public func load() throws(AudioFileError) -> AudioBufferList {
        try Loading(self).run { _ in true }
    }

    /// Loads the audio on a separate thread.
    /// - Parameter progress: Called on that thread with the loaded fraction, 0...1, ascending, at most a hundred
    ///   times.
    /// - Throws: As above; `cancelled` if the task is cancelled.
    public func load(
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(AudioFileError) -> sending AudioBufferList {
        let isCancelled = Cancellation()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = WorkerThread.start {
                    continuation.resume(returning: Outcome(loading: self, isCancelled, progress))
                }
                guard let thread else { return continuation.resume(returning: Outcome(withoutThread: self)) }
                thread.detach()
            }
        } onCancel: {
            isCancelled.flag.store(true, ordering: .relaxed)
        }
        return try outcome.result()
    }
}

private final class Cancellation: Sendable {
    let flag = Atomic<Bool>(false)
}

/// The outcome of a load: moves the list from the thread that filled it to the waiting task.
///
/// `@unchecked Sendable`: the thread creates it and never uses it again; then the task takes out the list.
private final class Outcome: @unchecked Sendable {
    private var list: AudioBufferList?
    private let error: AudioFileError

    init(loading loader: AudioFileLoader, _ isCancelled: Cancellation, _ progress: (Double) -> Void) {
        do throws(AudioFileError) {
            var told = 0.0
            list = try Loading(loader).run { part in
                if part - told >= 0.01 || part == 1 && told < 1 {
                    told = part
                    progress(part)
                }
                return !isCancelled.flag.load(ordering: .relaxed)
            }
            error = .cancelled
        } catch {
            self.error = error
        }
    }

    init(withoutThread loader: AudioFileLoader) {
        error = .cannotRead(path: loader.path, reason: "cannot create a thread to read the file")
    }

    func result() throws(AudioFileError) -> sending AudioBufferList {
        guard let list = list.take() else { throw error }
        return list
    }
}
