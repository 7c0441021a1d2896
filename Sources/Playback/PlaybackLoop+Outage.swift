// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media

/// An output that goes away while it is used, and comes back.
extension PlaybackLoop {
    /// An output that was never there, or a file that cannot be written, is lost for good; any other is tried again.
    func loseOutput(_ error: AudioOutputError, _ kind: MediaFailure.Kind) {
        guard machine.phase != .outputLost else { return }
        let failure = error.mediaFailure(kind)
        guard error.mayPass, output != nil, !hasStopped else {
            perform(machine.handle(.outputLost))
            return emit(.outputLost(failure))
        }
        guard outage == nil else {
            // What a try has just opened.
            outage?.failedTry(at: now)
            return
        }
        // What was heard until then is told before.
        followDevice()
        outage = OutputOutage(failure, at: now)
        perform(machine.handle(.outputInterrupted))
        emit(.outputInterrupted(failure))
    }

    /// Begins the next try when it is due. It has a thread of its own, for it may wait.
    func retryOutput() {
        guard let output, let ring = audio.ring, outage?.beginsTry(at: now) == true else { return }
        let number = outage?.tries ?? 0
        let thread = WorkerThread.start { [sink, mailbox] in
            do throws(AudioOutputError) {
                try sink.open(ring.format, pulling: output, events: Self.listener(mailbox, ring))
                mailbox.post(.outputTried(number, nil))
            } catch {
                mailbox.post(.outputTried(number, error))
            }
        }
        thread?.detach()
        if thread == nil { outage?.failedTry(at: now) }
    }

    /// - Parameter error: why try `number` came to nothing; `nil` where the output is back.
    func outputTried(_ number: Int, _ error: AudioOutputError?) {
        guard let outage, outage.isUnderWay(number) else { return }
        guard error == nil else {
            self.outage?.failedTry(at: now)
            return
        }
        self.outage = nil
        if !outage.isUnnoticed(at: now) { pauseByItself("the sound output was away for more than five minutes") }
        perform(machine.handle(.outputRestored))
        emit(.outputRestored)
    }

    /// Sound that would come as a surprise waits for the listener's word.
    func pauseByItself(_ reason: String) {
        guard machine.intent == .play else { return }
        perform(machine.handle(.paused))
        emit(.pausedByItself(MediaFailure(.unavailable, reason)))
    }

    /// What an output's events do here.
    static func listener(_ mailbox: PlayerMailbox, _ ring: PCMRing) -> @Sendable (AudioSinkEvent) -> Void {
        let refillBelow = ring.capacity / 2
        return { event in
            // The most frequent event by far only matters when it is time to decode again.
            if event != .pulled { return mailbox.post(.sink(event)) }
            if ring.bufferedFrames <= refillBelow { mailbox.wake() }
        }
    }
}
