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
        let (outcome, isCancelled) = (Outcome(), Cancellation())
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = WorkerThread.start {
                    outcome.load(self, isCancelled, progress)
                    continuation.resume()
                }
                guard let thread else {
                    outcome.fail(.cannotRead(path: path, reason: "cannot create a thread to read the file"))
                    return continuation.resume()
                }
                thread.detach()
            }
        } onCancel: {
            isCancelled.flag.store(true, ordering: .relaxed)
        }
        return try outcome.take()
    }
}

private final class Cancellation: Sendable {
    let flag = Atomic<Bool>(false)
}

/// The outcome of a load: moves the list from the thread that filled it to the waiting task.
private final class Outcome: Sendable {
    private let result = Mutex<Result<AudioBufferList, AudioFileError>>(.failure(.cancelled))

    func load(_ loader: AudioFileLoader, _ isCancelled: Cancellation, _ progress: @Sendable (Double) -> Void) {
        var told = 0.0
        result.withLock { result in
            result = Result { () throws(AudioFileError) in
                try Loading(loader).run { part in
                    if part - told >= 0.01 || part == 1 && told < 1 {
                        told = part
                        progress(part)
                    }
                    return !isCancelled.flag.load(ordering: .relaxed)
                }
            }
        }
    }

    func fail(_ error: AudioFileError) { result.withLock { $0 = .failure(error) } }

    /// Returns the list, which only the caller uses from then on.
    func take() throws(AudioFileError) -> sending AudioBufferList {
        let result = result.withLock { result in
            let taken = result
            result = .failure(.cancelled)
            return taken
        }
        return try result.get()
    }
}
