// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
public import AudioOutput
public import Media

/// The loss and the return of an output in use.
extension PlaybackLoop {
    /// Handles the loss of the output. An output that was never opened, or a file that cannot be written, is lost
    /// permanently; any other is retried.
    func loseOutput(_ error: AudioOutputError, _ kind: MediaFailure.Kind) {
        guard machine.phase != .outputLost else { return }
        let failure = error.mediaFailure(kind)
        guard error.isTemporary, output.control != nil, !hasStopped else {
            perform(machine.handle(.outputLost))
            return emit(.outputLost(failure))
        }
        guard output.outage == nil else {
            // The lost output is the one that the current attempt opened.
            output.outage?.failedTry(at: now)
            return
        }
        // The events up to the loss come first.
        followDevice()
        output.outage = OutputOutage(failure, at: now)
        perform(machine.handle(.outputInterrupted))
        emit(.outputInterrupted(failure))
    }

    /// Starts the next attempt when it is due, on a separate thread because it may block.
    func retryOutput() {
        guard let control = output.control, let ring = audio.ring, let number = output.beginTry(at: now) else { return }
        let thread = WorkerThread.start { [sink, mailbox] in
            do throws(AudioOutputError) {
                try sink.open(ring.format, pulling: control, events: Self.listener(mailbox, ring))
                mailbox.post(.outputAttempted(number, nil))
            } catch {
                mailbox.post(.outputAttempted(number, error))
            }
        }
        thread?.detach()
        if thread == nil { output.outage?.failedTry(at: now) }
    }

    /// Handles the result of attempt `number`.
    /// - Parameter error: the reason for the failure; `nil` if the output is back.
    func outputAttempted(_ number: Int, _ error: AudioOutputError?) {
        guard let outage = output.endTry(number, hasFailed: error != nil, at: now) else { return }
        if !outage.allowsAutomaticResume(at: now) {
            pauseAutomatically("the sound output was unavailable for more than five minutes")
        }
        perform(machine.handle(.outputRestored))
        emit(.outputRestored)
    }

    /// Pauses playback when sound would come as a surprise; the listener must resume it.
    func pauseAutomatically(_ reason: String) {
        guard machine.intent == .play else { return }
        perform(machine.handle(.paused))
        emit(.pausedByItself(MediaFailure(.unavailable, reason)))
    }

    /// Returns the handler of an output's events.
    static func listener(_ mailbox: PlayerMailbox, _ ring: PCMRing) -> @Sendable (AudioSinkEvent) -> Void {
        let refillBelow = ring.capacity / 2
        return { event in
            // By far the most frequent event; it matters only when the ring must be refilled.
            if event != .pulled { return mailbox.post(.sink(event)) }
            if ring.bufferedFrames <= refillBelow { mailbox.wake() }
        }
    }
}

extension AudioOutputError {
    /// Returns the error as a media failure.
    /// - Parameter kind: the kind of a file that cannot be written.
    public func mediaFailure(_ kind: MediaFailure.Kind) -> MediaFailure {
        switch self {
        case .noServer(let reason): MediaFailure(.unavailable, reason)
        case .refused(let operation, let reason): MediaFailure(.unavailable, "\(operation): \(reason)")
        case .cannotWrite(let path, let reason): MediaFailure(kind, "cannot write \(path): \(reason)")
        }
    }
}
