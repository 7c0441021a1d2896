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
        guard output.outage.lose(failure, at: now) else { return }
        output.suspension = DeviceSuspension()
        // The events up to the loss come first.
        followDevice()
        perform(machine.handle(.outputInterrupted))
        emit(.outputInterrupted(failure))
    }

    /// Reports an output that could not be prepared as soon as there is an item to play. Without an item, the failure
    /// of the targets is the only error.
    func reportPreparationError() {
        guard let error = output.preparationError, queue.count > 0 else { return }
        output.preparationError = nil
        // The output may have been opened in the meantime.
        if output.control == nil { loseOutput(error, .cannotCreate) }
    }

    /// Starts the next attempt to open the output when it is due.
    func retryOutput() {
        guard let source = output.source, let ring = audio.ring, let number = output.outage.startAttempt(at: now)
        else { return }
        sink.openAgain(ring.format, pulling: source, events: Self.listener(mailbox, ring)) { [mailbox] error in
            mailbox.post(.outputAttempted(number, error))
        }
    }

    /// Handles the result of attempt `number`.
    /// - Parameter error: the reason for the failure; `nil` if the output is back.
    func outputAttempted(_ number: Int, _ error: AudioOutputError?) {
        guard let outage = output.outage.endAttempt(number, hasFailed: error != nil, at: now) else { return }
        if let reason = outage.pauseReason(at: now) { pauseAutomatically(reason) }
        perform(machine.handle(.outputRestored))
        emit(.outputRestored)
    }

    /// Reports a device that the sound server suspends while it should play, and its return.
    func followSuspension() {
        guard output.outage == nil else { return }
        let isWanted = machine.playsDevice
        let isSuspended = (isWanted || output.suspension != DeviceSuspension()) && sink.isSuspended
        switch output.suspension.update(isSuspended: isSuspended, isWanted: isWanted, at: now) {
        case .began: if let reason = output.suspension.reason { emit(.outputInterrupted(reason)) }
        case .ended: emit(.outputRestored)
        case nil: break
        }
    }

    /// Pauses playback when sound would come as a surprise; the listener must resume it.
    func pauseAutomatically(_ reason: String) {
        guard machine.intent == .play else { return }
        pause()
        emit(.pausedByItself(MediaFailure(.unavailable, reason)))
    }

    /// Returns the handler of an output's events.
    static func listener(_ mailbox: PlayerMailbox, _ ring: PCMRing) -> @Sendable (AudioSinkEvent) -> Void {
        { event in
            // By far the most frequent event; it matters only when the ring must be refilled.
            if event != .pulled { return _ = mailbox.post(.sink(event)) }
            if ring.bufferedFrames <= mailbox.refillLevel { mailbox.wake() }
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
