// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioBuffers
public import Media
import Synchronization

/// Loads all the sound of a file into memory, in the format it is to be played in.
///
///     let loader = AudioFileLoader(path: "chime.wav", format: AudioFormat(sampleRate: 48_000, channels: 2))
///     let chime = try await loader.load { print("\($0 * 100) %") }
public struct AudioFileLoader: Sendable {
    public let path: String
    /// `nil`: interleaved Float32 at the file's rate, with its channels.
    public let format: AudioFormat?
    /// The most bytes the sound may take in memory.
    public let byteLimit: Int

    /// - Parameter byteLimit: 1 GiB where nothing else is said: 50 minutes in Float32, stereo, at 44.1 kHz.
    public init(path: String, format: AudioFormat? = nil, byteLimit: Int = 1 << 30) {
        self.path = path
        self.format = format
        self.byteLimit = byteLimit
    }

    /// Loads it here and now; the calling thread waits for the disk.
    /// - Returns: a list all of whose frames count.
    /// - Throws: as `AudioFileReader` does; `cannotRead` where the sound takes more than `byteLimit`.
    public func load() throws(AudioFileError) -> AudioBufferList {
        try Loading(self).run { _ in true }
    }

    /// Loads it on a thread of its own.
    /// - Parameter progress: is told, on that thread, which part is there, 0...1, ascending, at most a hundred times.
    /// - Throws: as above; `cancelled` where the task is.
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
        return try outcome.take()
    }
}

private final class Cancellation: Sendable {
    let flag = Atomic<Bool>(false)
}

/// What became of a load: carries the one list from the thread that filled it to the task that wanted it.
///
/// `@unchecked Sendable`: the thread makes it and never touches it again; then the task takes out what is in it.
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
        error = .cannotRead(path: loader.path, reason: "the system has no thread left to read it")
    }

    func take() throws(AudioFileError) -> sending AudioBufferList {
        guard let list = list.take() else { throw error }
        return list
    }
}
