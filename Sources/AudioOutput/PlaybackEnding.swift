// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
import Media
import Synchronization

/// Waits until a device has played all its frames.
final class PlaybackEnding: Sendable {
    typealias Outcome = Result<Void, AudioOutputError>

    private enum State {
        case unwanted
        case wanted([CheckedContinuation<Outcome, Never>])
        case over(Outcome)
    }

    private let state = Mutex(State.unwanted)

    var isWanted: Bool {
        state.withLock { if case .wanted = $0 { true } else { false } }
    }

    /// Begins to await the end.
    func begin() {
        state.withLock { if case .unwanted = $0 { $0 = .wanted([]) } }
    }

    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Outcome? in
                switch state {
                case .unwanted: return .success(())
                case .over(let outcome): return outcome
                case .wanted(let others):
                    state = .wanted(others + [continuation])
                    return nil
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Reports the outcome; has no effect if no end is awaited. Any thread.
    func finish(_ outcome: Outcome) {
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard case .wanted(let waiting) = state else { return [] }
            state = .over(outcome)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }
}

extension GraphPlayback {
    /// Plays every rendered frame, then stops: the graph renders no more, and the call returns when the last frame
    /// was played. A paused playback resumes. While the call waits, `pause` and `start` still work.
    /// - Throws: An error if the device is lost before, or a file cannot be completed; `refused` if the task is
    ///   cancelled. The playback is stopped in all cases.
    public func finish() async throws(AudioOutputError) {
        guard isOpen else { return }
        ending.begin()
        var outcome = loss.map(PlaybackEnding.Outcome.failure)
            ?? PlaybackEnding.Outcome { () throws(AudioOutputError) in try drain() }
        if case .success = outcome {
            outcome = await withTaskCancellationHandler {
                await ending.outcome()
            } onCancel: {
                ending.finish(.failure(.refused(operation: "play to the end", reason: "the task was cancelled")))
            }
        }
        // The first failure counts, and the device is closed in any case.
        let closing = PlaybackEnding.Outcome { () throws(AudioOutputError) in try stop() }
        try outcome.get()
        try closing.get()
    }

    /// Plays until the last frame of a source of the graph was played, then stops. The source plays from its start or
    /// from its current position.
    ///
    /// ```swift
    /// let source = try StreamingSource(AudioFileReader(path: "song.flac", format: graph.format))
    /// graph.output = source
    /// try await GraphPlayback(of: graph, on: PulseSink()).play(toEndOf: source)
    /// ```
    /// - Throws: An `AudioFileError` if the file cannot be read to its end, after the readable part was played; an
    ///   `AudioOutputError` as `start` and `finish` do.
    public func play(toEndOf source: StreamingSource) async throws {
        source.play()
        try start(until: source)
        while case let status = source.status, !status.hasFinished, status.failure == nil, isOpen, loss == nil {
            do { try await Task.sleep(for: .milliseconds(10)) } catch { break }
        }
        try await finish()
        if let failure = source.status.failure { throw failure }
    }
}
