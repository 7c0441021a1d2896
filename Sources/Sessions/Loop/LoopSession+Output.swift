// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media
import Playback
import TerminalInterface

/// Handling of an output that is lost and restored.
extension LoopSession {
    private var now: Duration { ContinuousClock.now - started }

    /// Handles a lost output. A file that cannot be written ends the session; any other output is retried.
    mutating func loseOutput(_ error: AudioOutputError) {
        guard error.isTemporary else {
            (lost, isDone) = (error, true)
            return failOutput(error)
        }
        let (now, failure) = (now, error.mediaFailure(.inputOutput))
        guard outage.lose(failure, at: now) else { return }
        outputTimeout.interrupted(at: now)
        note("sound output: \(failure.reason); retrying")
    }

    /// Starts the next attempt to open the output when it is due.
    mutating func retryOutput() {
        let now = now
        if let failure = outputTimeout.failure(source.format.duration(ofFrames: source.status.frame), at: now) {
            isDone = true
            return fail(failure, about: "sound output")
        }
        guard let number = outage.startAttempt(at: now) else { return }
        sink.openAgain(source.format, pulling: volume, events: { [send] in send.yield(.sound($0)) }) { [send] error in
            send.yield(.outputAttempted(number, error))
        }
    }

    mutating func handleOutputAttempt(_ number: Int, _ error: AudioOutputError?) {
        let now = now
        guard let outage = outage.endAttempt(number, hasFailed: error != nil, at: now) else { return }
        outputTimeout.restored()
        if let reason = outage.pauseReason(at: now) { pauseAutomatically(reason) }
        if !isPaused { sink.uncork() }
    }
}
