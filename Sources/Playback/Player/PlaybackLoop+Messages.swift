// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import Media

/// The messages of the listener and of the output.
extension PlaybackLoop {
    func handle(_ message: PlayerMessage) {
        switch message {
        case .edit(let edit): apply(edit)
        case .play: perform(machine.handle(.played))
        case .pause: perform(machine.handle(.paused))
        case .togglePause: perform(machine.handle(machine.intent == .play ? .paused : .played))
        case .seek(let target): seek(to: target)
        case .next: next()
        case .previous: previous()
        case .retry: for source in audio.items.flatMap(\.sources) { source.retry() }
        case .playNow: stalls.playNow()
        case .volume(let value): output.setVolume(value)
        case .volumeStep(let step): output.setVolume(output.volume + step)
        case .sink(let event): handle(event)
        // The output may have been opened in the meantime.
        case .noOutput(let error): if output.control == nil { loseOutput(error, .cannotCreate) }
        case .outputAttempted(let number, let error): outputAttempted(number, error)
        case .stop: hasStopped = true
        }
    }

    private func handle(_ event: AudioSinkEvent) {
        switch event {
        case .pulled: break
        case .starved: output.isStarved = true
        case .drained:
            // If frames were written meanwhile, the device ran short of those too.
            output.isStarved = true
            perform(machine.handle(.drained))
        case .unplugged: pauseAutomatically("the sound device was unplugged")
        case .lost(let error): loseOutput(error, .inputOutput)
        }
    }
}
