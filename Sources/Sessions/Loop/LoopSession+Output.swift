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
        let now = now
        guard outage == nil else {
            // The output of the latest attempt was lost.
            outage?.failedTry(at: now)
            return
        }
        let failure = error.mediaFailure(.inputOutput)
        outage = OutputOutage(failure, at: now)
        outputTimeout.interrupted(at: now)
        note("sound output: \(failure.reason); retrying")
    }

    /// Starts the next attempt when it is due, on a dedicated thread, because it may block.
    mutating func retryOutput() {
        let now = now
        if let failure = outputTimeout.failure(source.format.duration(ofFrames: source.status.frame), at: now) {
            isDone = true
            return fail(failure, about: "sound output")
        }
        guard outage?.beginAttempt(at: now) == true, let number = outage?.attempts else { return }
        let thread = WorkerThread.start { [sink, volume, send, format = source.format] in
            do throws(AudioOutputError) {
                try sink.open(format, pulling: volume) { send.yield(.sound($0)) }
                send.yield(.outputAttempted(number, nil))
            } catch {
                send.yield(.outputAttempted(number, error))
            }
        }
        thread?.detach()
        if thread == nil { outage?.failedTry(at: now) }
    }

    mutating func handleOutputAttempt(_ number: Int, _ error: AudioOutputError?) {
        guard let outage, outage.isInProgress(number) else { return }
        guard error == nil else {
            let now = now
            self.outage?.failedTry(at: now)
            return
        }
        self.outage = nil
        outputTimeout.restored()
        if !outage.allowsAutomaticResume(at: now) {
            pauseAutomatically("the sound output was unavailable for more than five minutes")
        }
        if !isPaused { sink.uncork() }
    }
}
